// SPDX-License-Identifier: GPL-3.0-or-later
// Tags 10 to 23, one message a rank and tag but for 17, which goes nowhere.
#include "tracee.h"

#include <array>

namespace tracee {

namespace {

/// Rank 0 sends first, so that sends may wait for their receives.
template <class Send, class Receive>
void inTurn(const Ring& ring, Send&& send, Receive&& receive)
{
    if (ring.rank == 0)
        send();
    receive();
    if (ring.rank != 0)
        send();
}

void sendAndReceive(const Ring& ring, int tag, decltype(&MPI_Send) send)
{
    Numbers out = Numbers::from(tag, ring.rank);
    Numbers in = Numbers::room(tag, ring.previous);
    inTurn(
        ring, [&] { send(out.data(), out.count(), MPI_INT, ring.next, tag, MPI_COMM_WORLD); },
        [&] {
            MPI_Status status;
            MPI_Recv(in.data(), in.count(), MPI_INT, ring.previous, tag, MPI_COMM_WORLD, &status);
            require(status.MPI_SOURCE == ring.previous && status.MPI_TAG == tag, "the status");
        });
    in.check(ring.previous);
}

void readySend(const Ring& ring, int tag)
{
    Numbers out = Numbers::from(tag, ring.rank);
    Numbers in = Numbers::room(tag, ring.previous);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(in.data(), in.count(), MPI_INT, ring.previous, tag, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Rsend(out.data(), out.count(), MPI_INT, ring.next, tag, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    in.check(ring.previous);
}

void exchange(const Ring& ring)
{
    Numbers out = Numbers::from(14, ring.rank);
    Numbers in = Numbers::room(14, ring.previous);
    MPI_Sendrecv(out.data(), out.count(), MPI_INT, ring.next, 14, in.data(), in.count(), MPI_INT,
                 MPI_ANY_SOURCE, 14, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    in.check(ring.previous);
    // Of one length for both directions.
    Numbers both = Numbers::from(15, 0);
    MPI_Status status;
    MPI_Sendrecv_replace(both.data(), both.count(), MPI_INT, ring.next, 15, ring.previous, 15,
                         MPI_COMM_WORLD, &status);
    both.check(0);
}

void anySource(const Ring& ring)
{
    Numbers out = Numbers::from(16, ring.rank);
    Numbers in = Numbers::room(16, ring.previous);
    inTurn(
        ring, [&] { MPI_Send(out.data(), out.count(), MPI_INT, ring.next, 16, MPI_COMM_WORLD); },
        [&] {
            MPI_Recv(in.data(), in.count(), MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        });
    in.check(ring.previous);
}

void nowhere()
{
    int value = 0;
    MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 17, MPI_COMM_WORLD);
    MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 17, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&value, 1, MPI_INT, MPI_PROC_NULL, 17, &value, 1, MPI_INT, MPI_PROC_NULL, 17,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

} // namespace

void blocking()
{
    const Ring ring{MPI_COMM_WORLD};
    std::vector<char> attached(65'536 + MPI_BSEND_OVERHEAD);
    MPI_Buffer_attach(attached.data(), static_cast<int>(attached.size()));
    sendAndReceive(ring, 10, MPI_Send);
    sendAndReceive(ring, 11, MPI_Ssend);
    sendAndReceive(ring, 12, MPI_Bsend);
    readySend(ring, 13);
    exchange(ring);
    anySource(ring);
    nowhere();
    // Nothing but the envelope.
    MPI_Sendrecv(nullptr, 0, MPI_INT, ring.next, 18, nullptr, 0, MPI_INT, ring.previous, 18,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    // To itself.
    int value = 0;
    MPI_Sendrecv(&ring.rank, 1, MPI_INT, ring.rank, 19, &value, 1, MPI_INT, ring.rank, 19,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    void* detached = nullptr;
    int size = 0;
    MPI_Buffer_detach(static_cast<void*>(&detached), &size);
}

void probes()
{
    const Ring ring{MPI_COMM_WORLD};
    std::array<Numbers, 4> out{Numbers::from(20, ring.rank), Numbers::from(21, ring.rank),
                               Numbers::from(22, ring.rank), Numbers::from(23, ring.rank)};
    std::array<MPI_Request, 4> sends{};
    for (std::size_t i = 0; i < out.size(); ++i) {
        MPI_Isend(out[i].data(), out[i].count(), MPI_INT, ring.next, 20 + static_cast<int>(i),
                  MPI_COMM_WORLD, &sends[i]);
    }
    MPI_Status status;
    std::vector<int> in(Numbers::lengthOf(23, ring.size));
    const int room = static_cast<int>(in.size());
    MPI_Probe(MPI_ANY_SOURCE, 20, MPI_COMM_WORLD, &status);
    MPI_Recv(in.data(), room, MPI_INT, status.MPI_SOURCE, 20, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    int flag = 0;
    while (flag == 0)
        MPI_Iprobe(ring.previous, 21, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Recv(in.data(), room, MPI_INT, ring.previous, 21, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Mprobe(MPI_ANY_SOURCE, 22, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(in.data(), room, MPI_INT, &message, MPI_STATUS_IGNORE);

    flag = 0;
    while (flag == 0)
        MPI_Improbe(ring.previous, 23, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Imrecv(in.data(), room, MPI_INT, &message, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    require(in.front() == ring.previous, "the message is that of the rank before");
    MPI_Waitall(4, sends.data(), MPI_STATUSES_IGNORE);
}

} // namespace tracee
