// SPDX-License-Identifier: GPL-3.0-or-later
// Tags 30 to 59.
#include "tracee.h"

#include <array>

namespace tracee {

namespace {

MPI_Request startReceive(Numbers& in, int sender, int tag)
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(in.data(), in.count(), MPI_INT, sender, tag, MPI_COMM_WORLD, &request);
    return request;
}

MPI_Request startSend(Numbers& out, int receiver, int tag, decltype(&MPI_Isend) send = MPI_Isend)
{
    MPI_Request request = MPI_REQUEST_NULL;
    send(out.data(), out.count(), MPI_INT, receiver, tag, MPI_COMM_WORLD, &request);
    return request;
}

/// Two messages of one tag, whose receives are waited for in the order opposite to their starts.
void twoOfOneTag(const Ring& ring)
{
    Numbers small = Numbers::from(1, ring.rank);
    Numbers large = Numbers::from(50, ring.rank);
    Numbers first = Numbers::room(1, ring.previous);
    Numbers second = Numbers::room(50, ring.previous);
    const MPI_Request forFirst = startReceive(first, ring.previous, 34);
    const MPI_Request forSecond = startReceive(second, ring.previous, 34);
    std::array<MPI_Request, 4> all{forSecond, forFirst, startSend(small, ring.next, 34),
                                   startSend(large, ring.next, 34)};
    std::array<MPI_Status, 4> statuses{};
    MPI_Waitall(4, all.data(), statuses.data());
    require(statuses[0].MPI_SOURCE == ring.previous, "the status");
    first.check(ring.previous);
    second.check(ring.previous);
}

/// More than fit into one record or onto the stack, of which some go nowhere.
void many(const Ring& ring)
{
    constexpr std::size_t count = 20;
    std::vector<Numbers> out(count, Numbers::from(35, ring.rank));
    std::vector<Numbers> in(count, Numbers::room(35, ring.previous));
    std::vector<MPI_Request> all;
    for (Numbers& one : in)
        all.push_back(startReceive(one, ring.previous, 35));
    for (Numbers& one : out)
        all.push_back(startSend(one, ring.next, 35));
    all.push_back(startReceive(in.front(), MPI_PROC_NULL, 35));
    all.push_back(startSend(out.front(), MPI_PROC_NULL, 35));
    all.push_back(MPI_REQUEST_NULL);
    MPI_Waitall(static_cast<int>(all.size()), all.data(), MPI_STATUSES_IGNORE);
    for (const Numbers& one : in)
        one.check(ring.previous);
}

void cancelled(const Ring& ring)
{
    Numbers never = Numbers::room(36, ring.previous);
    MPI_Request request = startReceive(never, ring.previous, 36);
    MPI_Cancel(&request);
    MPI_Status status;
    MPI_Wait(&request, &status);
    int flag = 0;
    MPI_Test_cancelled(&status, &flag);
    require(flag != 0, "the receive is cancelled");
}

void freed(const Ring& ring)
{
    Numbers out = Numbers::from(37, ring.rank);
    Numbers in = Numbers::room(37, ring.previous);
    MPI_Request receive = startReceive(in, ring.previous, 37);
    MPI_Request send = startSend(out, ring.next, 37);
    MPI_Request_free(&send);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    // What the tracer does not know.
    MPI_Request barrier = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    MPI_Wait(&barrier, MPI_STATUS_IGNORE);
}

} // namespace

void requests()
{
    const Ring ring{MPI_COMM_WORLD};
    std::vector<char> attached(65'536 + MPI_BSEND_OVERHEAD);
    MPI_Buffer_attach(attached.data(), static_cast<int>(attached.size()));
    const std::array kinds{MPI_Isend, MPI_Issend, MPI_Ibsend, MPI_Irsend};
    for (int kind = 0; kind < 4; ++kind) {
        const int tag = 30 + kind;
        Numbers out = Numbers::from(tag, ring.rank);
        Numbers in = Numbers::room(tag, ring.previous);
        MPI_Request receive = startReceive(in, kind % 2 == 0 ? ring.previous : MPI_ANY_SOURCE, tag);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Request send = startSend(out, ring.next, tag, kinds[static_cast<std::size_t>(kind)]);
        MPI_Status status;
        MPI_Wait(&receive, &status);
        require(status.MPI_SOURCE == ring.previous && receive == MPI_REQUEST_NULL, "the status");
        MPI_Wait(&send, MPI_STATUS_IGNORE);
        MPI_Wait(&send, MPI_STATUS_IGNORE);
        in.check(ring.previous);
    }
    twoOfOneTag(ring);
    many(ring);
    cancelled(ring);
    freed(ring);
    void* detached = nullptr;
    int size = 0;
    MPI_Buffer_detach(static_cast<void*>(&detached), &size);
}

/// Tag 40 + way: two messages a rank and way.
void anyRequests()
{
    const Ring ring{MPI_COMM_WORLD};
    for (int way = 0; way < 6; ++way) {
        const int tag = 40 + way;
        Numbers out = Numbers::from(tag, ring.rank);
        std::array in{Numbers::room(tag, ring.previous), Numbers::room(tag, ring.previous)};
        std::array<MPI_Request, 3> all{MPI_REQUEST_NULL, startReceive(in[0], ring.previous, tag),
                                       startReceive(in[1], ring.previous, tag)};
        for (int i = 0; i < 2; ++i)
            MPI_Send(out.data(), out.count(), MPI_INT, ring.next, tag, MPI_COMM_WORLD);
        int left = 2;
        while (left > 0) {
            int flag = 0;
            int index = MPI_UNDEFINED;
            int done = 0;
            std::array<int, 3> indices{};
            std::array<MPI_Status, 3> statuses{};
            switch (way) {
            case 0:
                MPI_Waitany(3, all.data(), &index, MPI_STATUS_IGNORE);
                --left;
                break;
            case 1:
                MPI_Waitsome(3, all.data(), &done, indices.data(), MPI_STATUSES_IGNORE);
                left -= done;
                break;
            case 2:
                MPI_Test(&all[static_cast<std::size_t>(3 - left)], &flag, MPI_STATUS_IGNORE);
                left -= flag != 0 ? 1 : 0;
                break;
            case 3:
                MPI_Testall(3, all.data(), &flag, statuses.data());
                left -= flag != 0 ? 2 : 0;
                break;
            case 4:
                MPI_Testany(3, all.data(), &index, &flag, statuses.data());
                left -= flag != 0 ? 1 : 0;
                break;
            default:
                MPI_Testsome(3, all.data(), &done, indices.data(), MPI_STATUSES_IGNORE);
                left -= done;
                break;
            }
        }
        in[0].check(ring.previous);
        in[1].check(ring.previous);
        // There is nothing more to complete, which is not logged.
        int flag = 0;
        MPI_Test(&all[0], &flag, MPI_STATUS_IGNORE);
        MPI_Testall(3, all.data(), &flag, MPI_STATUSES_IGNORE);
        require(flag != 0, "all are complete");
    }
}

/// Tag 50 three times and 51 once a rank.
void persistent()
{
    const Ring ring{MPI_COMM_WORLD};
    Numbers out = Numbers::from(50, ring.rank);
    Numbers in = Numbers::room(50, ring.previous);
    std::array<MPI_Request, 2> both{};
    MPI_Recv_init(in.data(), in.count(), MPI_INT, MPI_ANY_SOURCE, 50, MPI_COMM_WORLD, &both[0]);
    MPI_Send_init(out.data(), out.count(), MPI_INT, ring.next, 50, MPI_COMM_WORLD, &both[1]);
    for (int round = 0; round < 3; ++round) {
        MPI_Startall(2, both.data());
        MPI_Waitall(2, both.data(), MPI_STATUSES_IGNORE);
        in.check(ring.previous);
    }
    MPI_Waitall(2, both.data(), MPI_STATUSES_IGNORE);
    MPI_Request_free(&both[0]);
    MPI_Request_free(&both[1]);

    Numbers more = Numbers::from(51, ring.rank);
    Numbers room = Numbers::room(51, ring.previous);
    MPI_Request send = MPI_REQUEST_NULL;
    MPI_Ssend_init(more.data(), more.count(), MPI_INT, ring.next, 51, MPI_COMM_WORLD, &send);
    MPI_Request receive = startReceive(room, ring.previous, 51);
    MPI_Start(&send);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    int flag = 0;
    while (flag == 0)
        MPI_Test(&send, &flag, MPI_STATUS_IGNORE);
    MPI_Request_free(&send);
    room.check(ring.previous);
}

} // namespace tracee
