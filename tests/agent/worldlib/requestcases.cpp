// SPDX-License-Identifier: GPL-3.0-or-later
#include "worldcases.h"

#include <algorithm>
#include <array>

namespace worldcases {

namespace {

bool isEmpty(const MPI_Status& status)
{
    return status.MPI_SOURCE == MPI_ANY_SOURCE && status.MPI_TAG == MPI_ANY_TAG
        && countOf(status, MPI_BYTE) == 0;
}

/// Memory for MPI_Bsend while it lives.
class Attached {
public:
    explicit Attached(int bytes) : m_memory(static_cast<std::size_t>(bytes))
    {
        MPI_Buffer_attach(m_memory.data(), bytes);
    }
    Attached(const Attached&) = delete;
    Attached& operator=(const Attached&) = delete;
    ~Attached()
    {
        void* back = nullptr;
        int bytes = 0;
        MPI_Buffer_detach(static_cast<void*>(&back), &bytes);
    }

private:
    std::vector<char> m_memory;
};

/// Receives and three kinds of sends, started in one call.
bool startAllKinds()
{
    const Attached buffer(3 * (400 + MPI_BSEND_OVERHEAD));
    std::array<std::vector<int>, 3> out{};
    std::array<std::vector<int>, 3> in{};
    std::array<MPI_Request, 6> requests{};
    const std::array makers{MPI_Send_init, MPI_Ssend_init, MPI_Bsend_init};
    for (int i = 0; i < 3; ++i) {
        at(out, i) = numbers(100, rank);
        at(in, i).resize(100);
        at(makers, i)(at(out, i).data(), 100, MPI_INT, next(), i, all, &at(requests, 2 * i));
        MPI_Recv_init(at(in, i).data(), 100, MPI_INT, before(), i, all, &at(requests, 2 * i + 1));
    }
    bool right = true;
    for (int round = 0; round < 4; ++round) {
        for (auto& values : out)
            std::ranges::copy(numbers(100, rank + round), values.begin());
        MPI_Startall(6, requests.data());
        MPI_Waitall(6, requests.data(), MPI_STATUSES_IGNORE);
        for (const auto& values : in)
            right = right && isFrom(values, before() + round);
    }
    for (MPI_Request& request : requests)
        MPI_Request_free(&request);
    return right;
}

bool persistentFromAny()
{
    int in = -1;
    std::array<MPI_Request, 2> requests{};
    MPI_Recv_init(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, all, &requests[0]);
    MPI_Send_init(&rank, 1, MPI_INT, next(), 31, all, &requests[1]);
    bool right = true;
    for (int round = 0; round < 3; ++round) {
        MPI_Startall(2, requests.data());
        std::array<MPI_Status, 2> statuses{};
        MPI_Waitall(2, requests.data(), statuses.data());
        right = right && in == before() && statuses[0].MPI_SOURCE == before()
            && statuses[0].MPI_TAG == 31 && countOf(statuses[0]) == 1;
        MPI_Barrier(all);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    return right;
}

bool persistentWithNobody()
{
    int value = 9;
    std::array<MPI_Request, 2> requests{};
    MPI_Recv_init(&value, 1, MPI_INT, MPI_PROC_NULL, 4, all, &requests[0]);
    MPI_Send_init(&value, 1, MPI_INT, MPI_PROC_NULL, 4, all, &requests[1]);
    MPI_Startall(2, requests.data());
    std::array<MPI_Status, 2> statuses{};
    MPI_Waitall(2, requests.data(), statuses.data());
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    return value == 9 && statuses[0].MPI_SOURCE == MPI_PROC_NULL
        && statuses[0].MPI_TAG == MPI_ANY_TAG && countOf(statuses[0]) == 0;
}

/// Who waits for a persistent request that was not started, waits for nothing.
bool inactiveIsDone()
{
    int value = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Recv_init(&value, 1, MPI_INT, before(), 4, all, &request);
    MPI_Status waited;
    MPI_Wait(&request, &waited);
    int flag = 0;
    MPI_Status tested;
    MPI_Test(&request, &flag, &tested);
    const bool right = request != MPI_REQUEST_NULL && flag == 1 && isEmpty(waited)
        && isEmpty(tested);
    MPI_Request_free(&request);
    return right;
}

/// Null, inactive, and one that is under way, in this order.
class Three {
public:
    Three()
    {
        MPI_Recv_init(&m_other, 1, MPI_INT, before(), 50, all, &requests[1]);
        MPI_Irecv(&value, 1, MPI_INT, before(), 51, all, &requests[2]);
    }
    Three(const Three&) = delete;
    Three& operator=(const Three&) = delete;
    ~Three() { MPI_Request_free(&requests[1]); }
    static void send() { MPI_Send(&rank, 1, MPI_INT, next(), 51, all); }

    std::array<MPI_Request, 3> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int value = -1;

private:
    int m_other = -1;
};

bool anyOfThree()
{
    Three three;
    int index = 0;
    int flag = 1;
    MPI_Testany(3, three.requests.data(), &index, &flag, MPI_STATUS_IGNORE);
    const bool early = flag == 0 && index == MPI_UNDEFINED;
    MPI_Barrier(all);
    Three::send();
    MPI_Status status;
    MPI_Waitany(3, three.requests.data(), &index, &status);
    bool right = early && index == 2 && status.MPI_SOURCE == before() && three.value == before();
    MPI_Waitany(3, three.requests.data(), &index, &status);
    right = right && index == MPI_UNDEFINED && isEmpty(status);
    MPI_Testany(3, three.requests.data(), &index, &flag, &status);
    return right && flag == 1 && index == MPI_UNDEFINED && isEmpty(status);
}

bool someOfThree()
{
    Three three;
    int count = -1;
    std::array<int, 3> indices{};
    std::array<MPI_Status, 3> statuses{};
    MPI_Testsome(3, three.requests.data(), &count, indices.data(), statuses.data());
    const bool early = count == 0;
    MPI_Barrier(all);
    Three::send();
    MPI_Waitsome(3, three.requests.data(), &count, indices.data(), statuses.data());
    bool right = early && count == 1 && indices[0] == 2 && statuses[0].MPI_TAG == 51;
    MPI_Waitsome(3, three.requests.data(), &count, indices.data(), statuses.data());
    right = right && count == MPI_UNDEFINED;
    MPI_Testsome(3, three.requests.data(), &count, indices.data(), statuses.data());
    return right && count == MPI_UNDEFINED;
}

bool allOfThree()
{
    Three three;
    int flag = 1;
    MPI_Testall(3, three.requests.data(), &flag, MPI_STATUSES_IGNORE);
    const bool early = flag == 0 && three.requests[2] != MPI_REQUEST_NULL;
    MPI_Barrier(all);
    Three::send();
    std::array<MPI_Status, 3> statuses{};
    MPI_Waitall(3, three.requests.data(), statuses.data());
    return early && isEmpty(statuses[0]) && isEmpty(statuses[1])
        && statuses[2].MPI_SOURCE == before() && three.requests[2] == MPI_REQUEST_NULL
        && three.requests[1] != MPI_REQUEST_NULL;
}

bool testedUntilDone()
{
    const auto out = numbers(300'000, rank);
    std::vector<int> in(out.size());
    std::array<MPI_Request, 2> requests{};
    MPI_Irecv(in.data(), 300'000, MPI_INT, before(), 8, all, &requests[0]);
    MPI_Isend(out.data(), 300'000, MPI_INT, next(), 8, all, &requests[1]);
    for (int flag = 0; flag == 0;)
        MPI_Testall(2, requests.data(), &flag, MPI_STATUSES_IGNORE);
    return isFrom(in, before());
}

bool noRequests()
{
    int flag = 0;
    int index = 0;
    int count = 0;
    MPI_Waitall(0, nullptr, MPI_STATUSES_IGNORE);
    MPI_Testall(0, nullptr, &flag, MPI_STATUSES_IGNORE);
    MPI_Waitany(0, nullptr, &index, MPI_STATUS_IGNORE);
    MPI_Waitsome(0, nullptr, &count, nullptr, MPI_STATUSES_IGNORE);
    MPI_Request null = MPI_REQUEST_NULL;
    MPI_Status status;
    MPI_Wait(&null, &status);
    return flag == 1 && index == MPI_UNDEFINED && count == MPI_UNDEFINED && isEmpty(status);
}

bool stateIsAsked()
{
    int value = -1;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(&value, 1, MPI_INT, before(), 12, all, &request);
    int early = 1;
    MPI_Status status;
    MPI_Request_get_status(request, &early, &status);
    MPI_Barrier(all);
    MPI_Send(&rank, 1, MPI_INT, next(), 12, all);
    for (int flag = 0; flag == 0;)
        MPI_Request_get_status(request, &flag, &status);
    const bool kept = request != MPI_REQUEST_NULL && status.MPI_SOURCE == before()
        && countOf(status) == 1;
    MPI_Status again;
    MPI_Wait(&request, &again);
    int null = 0;
    MPI_Request_get_status(MPI_REQUEST_NULL, &null, MPI_STATUS_IGNORE);
    return early == 0 && kept && value == before() && again.MPI_TAG == 12 && null == 1;
}

/// Sends whose requests are given up still arrive.
bool freedSends()
{
    const auto out = numbers(50'000, rank);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(out.data(), 50'000, MPI_INT, next(), 14, all, &request);
    MPI_Request_free(&request);
    std::vector<int> in(out.size());
    MPI_Recv(in.data(), 50'000, MPI_INT, before(), 14, all, MPI_STATUS_IGNORE);
    MPI_Barrier(all);
    return request == MPI_REQUEST_NULL && isFrom(in, before());
}

bool isCancelled(const MPI_Status& status)
{
    int flag = 0;
    MPI_Test_cancelled(&status, &flag);
    return flag != 0;
}

bool cancelledTooLate()
{
    int value = -1;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(&value, 1, MPI_INT, rank, 15, all, &request);
    MPI_Send(&rank, 1, MPI_INT, rank, 15, all);
    MPI_Cancel(&request);
    MPI_Status status;
    MPI_Wait(&request, &status);
    return !isCancelled(status) && value == rank;
}

/// The message goes to the receive that is left.
bool cancelledFirst()
{
    std::array<int, 2> values{-1, -1};
    std::array<MPI_Request, 2> requests{};
    for (int i = 0; i < 2; ++i)
        MPI_Irecv(&at(values, i), 1, MPI_INT, MPI_ANY_SOURCE, 16, all, &at(requests, i));
    MPI_Cancel(&requests[0]);
    MPI_Status status;
    MPI_Wait(&requests[0], &status);
    MPI_Barrier(all);
    MPI_Send(&rank, 1, MPI_INT, next(), 16, all);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    return isCancelled(status) && values[0] == -1 && values[1] == before();
}

bool cancelledAndStartedAgain()
{
    int value = -1;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Recv_init(&value, 1, MPI_INT, before(), 17, all, &request);
    MPI_Start(&request);
    MPI_Cancel(&request);
    MPI_Status first;
    MPI_Wait(&request, &first);
    MPI_Barrier(all);
    MPI_Start(&request);
    MPI_Send(&rank, 1, MPI_INT, next(), 17, all);
    MPI_Status second;
    MPI_Wait(&request, &second);
    MPI_Request_free(&request);
    return isCancelled(first) && !isCancelled(second) && value == before();
}

/// A synchronous send is not done before somebody receives.
bool synchronousWaits()
{
    MPI_Request sent = MPI_REQUEST_NULL;
    MPI_Issend(&rank, 1, MPI_INT, next(), 29, all, &sent);
    MPI_Barrier(all);
    int early = 0;
    for (int i = 0; i < 20; ++i) {
        int flag = 0;
        MPI_Request_get_status(sent, &flag, MPI_STATUS_IGNORE);
        early += flag;
    }
    MPI_Barrier(all);
    int in = -1;
    MPI_Recv(&in, 1, MPI_INT, before(), 29, all, MPI_STATUS_IGNORE);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    return early == 0 && in == before();
}

/// Sends that are buffered are done at once, also with nobody there to receive.
bool bufferedAhead()
{
    constexpr int each = 20'000;
    const Attached buffer(4 * (each * static_cast<int>(sizeof(int)) + MPI_BSEND_OVERHEAD));
    auto out = numbers(each, rank);
    std::array<MPI_Request, 2> requests{};
    MPI_Bsend(out.data(), each, MPI_INT, next(), 30, all);
    MPI_Ibsend(out.data(), each, MPI_INT, next(), 31, all, &requests[0]);
    MPI_Bsend_init(out.data(), each, MPI_INT, next(), 32, all, &requests[1]);
    MPI_Start(&requests[1]);
    MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[1]);
    std::ranges::fill(out, -1);
    MPI_Barrier(all);
    bool right = true;
    for (const int tag : {32, 31, 30}) {
        std::vector<int> in(each);
        MPI_Recv(in.data(), each, MPI_INT, before(), tag, all, MPI_STATUS_IGNORE);
        right = right && isFrom(in, before());
    }
    return right;
}

bool noRoom()
{
    Comm comm;
    tolerant(comm);
    const Attached buffer(100 + MPI_BSEND_OVERHEAD);
    const std::vector<int> out(100'000);
    return classOf(MPI_Bsend(out.data(), 100'000, MPI_INT, next(), 1, comm)) == MPI_ERR_BUFFER;
}

bool readyForms()
{
    std::array<int, 2> in{-1, -1};
    std::array<MPI_Request, 4> requests{};
    for (int i = 0; i < 2; ++i)
        MPI_Irecv(&at(in, i), 1, MPI_INT, before(), i, all, &at(requests, i));
    MPI_Rsend_init(&rank, 1, MPI_INT, next(), 0, all, &requests[2]);
    MPI_Barrier(all);
    MPI_Start(&requests[2]);
    MPI_Irsend(&rank, 1, MPI_INT, next(), 1, all, &requests[3]);
    MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[2]);
    return in[0] == before() && in[1] == before();
}

struct OwnRequest {
    int queried = 0;
    int freed = 0;
    int cancelled = 0;

    MPI_Request start()
    {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Grequest_start(
            [](void* state, MPI_Status* status) {
                ++static_cast<OwnRequest*>(state)->queried;
                MPI_Status_set_elements(status, MPI_BYTE, 5);
                MPI_Status_set_cancelled(status, static_cast<OwnRequest*>(state)->cancelled);
                status->MPI_SOURCE = 77;
                status->MPI_TAG = 78;
                return MPI_SUCCESS;
            },
            [](void* state) {
                ++static_cast<OwnRequest*>(state)->freed;
                return MPI_SUCCESS;
            },
            [](void* state, int complete) {
                static_cast<OwnRequest*>(state)->cancelled = complete == 0 ? 1 : 0;
                return MPI_SUCCESS;
            },
            this, &request);
        return request;
    }
};

bool ownAmongOthers()
{
    OwnRequest own;
    std::array<MPI_Request, 3> requests{MPI_REQUEST_NULL, own.start(), MPI_REQUEST_NULL};
    int in = -1;
    MPI_Irecv(&in, 1, MPI_INT, before(), 35, all, &requests[0]);
    MPI_Isend(&rank, 1, MPI_INT, next(), 35, all, &requests[2]);
    int done = 0;
    for (int index = 0; done < 2; ++done) {
        MPI_Waitany(3, requests.data(), &index, MPI_STATUS_IGNORE);
        if (index == 1)
            return false;
    }
    MPI_Grequest_complete(requests[1]);
    std::array<MPI_Status, 3> statuses{};
    MPI_Waitall(3, requests.data(), statuses.data());
    return in == before() && own.freed == 1 && own.queried == 1 && statuses[1].MPI_SOURCE == 77
        && countOf(statuses[1], MPI_BYTE) == 5;
}

bool ownCancelled()
{
    OwnRequest own;
    MPI_Request request = own.start();
    MPI_Cancel(&request);
    MPI_Grequest_complete(request);
    MPI_Status status;
    MPI_Wait(&request, &status);
    return own.cancelled == 1 && own.freed == 1 && isCancelled(status);
}

} // namespace

std::vector<Case> requestCases()
{
    return {
        {"start all kinds", startAllKinds},
        {"persistent, from any", persistentFromAny},
        {"persistent, with nobody", persistentWithNobody},
        {"inactive is done", inactiveIsDone},
        {"any of three", anyOfThree},
        {"some of three", someOfThree},
        {"all of three", allOfThree},
        {"tested until done", testedUntilDone},
        {"no requests", noRequests},
        {"state is asked", stateIsAsked},
        {"freed sends", freedSends},
        {"cancelled too late", cancelledTooLate},
        {"cancelled first", cancelledFirst},
        {"cancelled and started again", cancelledAndStartedAgain},
        {"synchronous waits", synchronousWaits},
        {"buffered ahead", bufferedAhead},
        {"no room in the buffer", noRoom},
        {"ready forms", readyForms},
        {"own among others", ownAmongOthers},
        {"own, cancelled", ownCancelled},
    };
}

} // namespace worldcases
