// SPDX-License-Identifier: GPL-3.0-or-later
#include "worldcases.h"

#include <algorithm>
#include <array>

namespace worldcases {

namespace {

/// Around the ring, by any kind of send.
template <class Send>
bool around(int count, Send send)
{
    const auto out = numbers(count, rank);
    std::vector<int> in(out.size());
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(in.data(), count, MPI_INT, before(), 7, all, &request);
    send(out.data(), count, MPI_INT, next(), 7, all);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return isFrom(in, before());
}

template <class Begin>
bool aroundLater(int count, Begin begin)
{
    return around(count,
                  [&](const void* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
                      MPI_Request request = MPI_REQUEST_NULL;
                      begin(data, n, type, to, tag, comm, &request);
                      return MPI_Wait(&request, MPI_STATUS_IGNORE);
                  });
}

bool buffered(int count)
{
    std::vector<char> memory(static_cast<std::size_t>(count) * sizeof(int) + MPI_BSEND_OVERHEAD);
    MPI_Buffer_attach(memory.data(), static_cast<int>(memory.size()));
    const bool right = around(count, MPI_Bsend);
    void* back = nullptr;
    int bytes = 0;
    MPI_Buffer_detach(static_cast<void*>(&back), &bytes);
    return right && back == memory.data() && bytes == static_cast<int>(memory.size());
}

bool persistent()
{
    std::vector<int> out(50);
    std::vector<int> in(50);
    std::array<MPI_Request, 2> requests{};
    MPI_Send_init(out.data(), 50, MPI_INT, next(), 3, all, &requests[0]);
    MPI_Recv_init(in.data(), 50, MPI_INT, before(), 3, all, &requests[1]);
    bool right = true;
    for (int round = 0; round < 5; ++round) {
        std::ranges::copy(numbers(50, rank + round), out.begin());
        MPI_Startall(2, requests.data());
        MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
        right = right && isFrom(in, before() + round) && requests[0] != MPI_REQUEST_NULL;
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    return right && requests[0] == MPI_REQUEST_NULL;
}

bool anySource()
{
    std::vector<bool> seen(static_cast<std::size_t>(size));
    MPI_Request sent = MPI_REQUEST_NULL;
    MPI_Isend(&rank, 1, MPI_INT, 0, 100 + rank, all, &sent);
    bool right = true;
    for (int i = 0; rank == 0 && i < size; ++i) {
        int value = -1;
        MPI_Status status;
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, all, &status);
        right = right && status.MPI_SOURCE == value && status.MPI_TAG == 100 + value
            && !seen[static_cast<std::size_t>(value)];
        seen[static_cast<std::size_t>(value)] = true;
    }
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    return right;
}

bool order()
{
    constexpr int messages = 200;
    bool right = true;
    std::vector<MPI_Request> requests(messages);
    std::vector<int> values(messages);
    for (int i = 0; i < messages; ++i) {
        values[static_cast<std::size_t>(i)] = i;
        MPI_Isend(&values[static_cast<std::size_t>(i)], 1, MPI_INT, next(), 5, all,
                  &requests[static_cast<std::size_t>(i)]);
    }
    for (int i = 0; i < messages; ++i) {
        int value = -1;
        MPI_Recv(&value, 1, MPI_INT, before(), 5, all, MPI_STATUS_IGNORE);
        right = right && value == i;
    }
    MPI_Waitall(messages, requests.data(), MPI_STATUSES_IGNORE);
    return right;
}

bool probing(bool matched)
{
    const auto out = numbers(33, rank);
    MPI_Request sent = MPI_REQUEST_NULL;
    MPI_Isend(out.data(), 33, MPI_INT, next(), 9, all, &sent);
    MPI_Status status;
    MPI_Message message = MPI_MESSAGE_NULL;
    if (matched)
        MPI_Mprobe(before(), 9, all, &message, &status);
    else
        MPI_Probe(before(), 9, all, &status);
    int count = 0;
    MPI_Get_count(&status, MPI_INT, &count);
    std::vector<int> in(static_cast<std::size_t>(std::max(count, 0)));
    if (matched)
        MPI_Mrecv(in.data(), count, MPI_INT, &message, MPI_STATUS_IGNORE);
    else
        MPI_Recv(in.data(), count, MPI_INT, before(), 9, all, MPI_STATUS_IGNORE);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    return count == 33 && isFrom(in, before()) && message == MPI_MESSAGE_NULL;
}

bool waitingForAny()
{
    constexpr int count = 6;
    std::array<int, count> in{};
    std::array<MPI_Request, count> requests{};
    for (int i = 0; i < count; ++i)
        MPI_Irecv(&in[static_cast<std::size_t>(i)], 1, MPI_INT, before(), i, all,
                  &requests[static_cast<std::size_t>(i)]);
    for (int i = count - 1; i >= 0; --i)
        MPI_Send(&i, 1, MPI_INT, next(), i, all);
    int done = 0;
    bool right = true;
    for (int index = 0; done < count; ++done) {
        MPI_Waitany(count, requests.data(), &index, MPI_STATUS_IGNORE);
        right = right && index >= 0 && index < count
            && in[static_cast<std::size_t>(index)] == index;
    }
    int index = 0;
    int flag = 0;
    MPI_Testany(count, requests.data(), &index, &flag, MPI_STATUS_IGNORE);
    return right && flag == 1 && index == MPI_UNDEFINED;
}

bool waitingForSome()
{
    constexpr int count = 6;
    std::array<int, count> in{};
    std::array<MPI_Request, count> requests{};
    for (int i = 0; i < count; ++i)
        MPI_Irecv(&in[static_cast<std::size_t>(i)], 1, MPI_INT, before(), i, all,
                  &requests[static_cast<std::size_t>(i)]);
    for (int i = 0; i < count; ++i)
        MPI_Send(&i, 1, MPI_INT, next(), i, all);
    int done = 0;
    while (done < count) {
        int some = 0;
        std::array<int, count> indices{};
        MPI_Waitsome(count, requests.data(), &some, indices.data(), MPI_STATUSES_IGNORE);
        if (some == MPI_UNDEFINED)
            return false;
        done += some;
    }
    return in[5] == 5 && requests[3] == MPI_REQUEST_NULL;
}

bool cancelling()
{
    int value = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(&value, 1, MPI_INT, rank, 77, MPI_COMM_SELF == all ? all : all, &request);
    MPI_Cancel(&request);
    MPI_Status status;
    MPI_Wait(&request, &status);
    int flag = 0;
    MPI_Test_cancelled(&status, &flag);
    return flag == 1;
}

bool nobody()
{
    int value = 42;
    MPI_Status status;
    MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 1, all);
    MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 1, all, &status);
    int count = -1;
    MPI_Get_count(&status, MPI_INT, &count);
    return value == 42 && status.MPI_SOURCE == MPI_PROC_NULL && count == 0;
}

bool replacing()
{
    auto values = numbers(10'000, rank);
    MPI_Sendrecv_replace(values.data(), 10'000, MPI_INT, next(), 4, before(), 4, all,
                         MPI_STATUS_IGNORE);
    return isFrom(values, before());
}

/// Every second element goes and comes.
bool vectors()
{
    MPI_Datatype every = MPI_DATATYPE_NULL;
    MPI_Type_vector(50, 1, 2, MPI_INT, &every);
    MPI_Type_commit(&every);
    const auto out = numbers(100, rank);
    std::vector<int> in(100, -1);
    MPI_Sendrecv(out.data(), 1, every, next(), 2, in.data(), 1, every, before(), 2, all,
                 MPI_STATUS_IGNORE);
    MPI_Type_free(&every);
    const auto theirs = numbers(100, before());
    bool right = true;
    for (std::size_t i = 0; i < in.size(); ++i)
        right = right && in[i] == (i % 2 == 0 ? theirs[i] : -1);
    return right;
}

bool freedWhileUnderWay()
{
    MPI_Datatype row = MPI_DATATYPE_NULL;
    MPI_Type_vector(10, 3, 5, MPI_INT, &row);
    MPI_Type_commit(&row);
    std::vector<int> in(60, -1);
    const auto out = numbers(60, rank);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(in.data(), 1, row, before(), 6, all, &request);
    MPI_Request sent = MPI_REQUEST_NULL;
    MPI_Isend(out.data(), 1, row, next(), 6, all, &sent);
    MPI_Type_free(&row);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    return in[0] == before() * 1000 && in[3] == -1 && in[5] == before() * 1000 + 5;
}

int asked = 0;
int queryRequest(void*, MPI_Status* status)
{
    ++asked;
    MPI_Status_set_elements(status, MPI_INT, 3);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}
int freeRequest(void*)
{
    asked += 10;
    return MPI_SUCCESS;
}
int cancelRequest(void*, int) { return MPI_SUCCESS; }

bool ownRequests()
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Grequest_start(queryRequest, freeRequest, cancelRequest, nullptr, &request);
    int flag = 1;
    MPI_Status status;
    MPI_Test(&request, &flag, &status);
    const bool early = flag == 0;
    MPI_Grequest_complete(request);
    MPI_Wait(&request, &status);
    int count = 0;
    MPI_Get_count(&status, MPI_INT, &count);
    return early && count == 3 && asked == 11 && request == MPI_REQUEST_NULL;
}

bool packing()
{
    std::array<char, 200> bytes{};
    int place = 0;
    const double value = rank + 0.5;
    MPI_Pack(&rank, 1, MPI_INT, bytes.data(), 200, &place, all);
    MPI_Pack(&value, 1, MPI_DOUBLE, bytes.data(), 200, &place, all);
    std::array<char, 200> in{};
    MPI_Sendrecv(bytes.data(), place, MPI_PACKED, next(), 8, in.data(), 200, MPI_PACKED, before(),
                 8, all, MPI_STATUS_IGNORE);
    place = 0;
    int theirs = -1;
    double half = 0;
    MPI_Unpack(in.data(), 200, &place, &theirs, 1, MPI_INT, all);
    MPI_Unpack(in.data(), 200, &place, &half, 1, MPI_DOUBLE, all);
    return theirs == before() && half == before() + 0.5;
}

} // namespace

std::vector<Case> messageCases()
{
    std::vector<Case> list;
    for (const int count : {0, 1, 1000, 2047, 2048, 2049, 100'000, 1'000'000}) {
        list.push_back({"send", [count] { return around(count, MPI_Send); }});
        list.push_back({"synchronous send", [count] { return around(count, MPI_Ssend); }});
        list.push_back({"ready send", [count] { return around(count, MPI_Rsend); }});
        list.push_back({"buffered send", [count] { return buffered(count); }});
        list.push_back({"send, later", [count] { return aroundLater(count, MPI_Isend); }});
        list.push_back(
            {"synchronous send, later", [count] { return aroundLater(count, MPI_Issend); }});
    }
    const std::vector<Case> others{
        {"persistent requests", persistent},
        {"any source", anySource},
        {"order", order},
        {"probe", [] { return probing(false); }},
        {"matched probe", [] { return probing(true); }},
        {"wait for any", waitingForAny},
        {"wait for some", waitingForSome},
        {"cancel", cancelling},
        {"nobody", nobody},
        {"replace", replacing},
        {"vectors", vectors},
        {"types freed early", freedWhileUnderWay},
        {"requests of one's own", ownRequests},
        {"packing", packing},
    };
    list.insert(list.end(), others.begin(), others.end());
    return list;
}

} // namespace worldcases
