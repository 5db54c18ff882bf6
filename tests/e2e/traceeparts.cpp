// SPDX-License-Identifier: GPL-3.0-or-later
// Tags 80 to 99: programs that log a part of what they do. Each step begins with logging on.
#include "tracee.h"

#include <array>
#include <thread>

namespace tracee {

namespace {

void off() { MPI_Pcontrol(0); }
void on() { MPI_Pcontrol(1); }

/// One message a rank over a communicator of all.
void exchange(int tag, MPI_Comm communicator = MPI_COMM_WORLD)
{
    const Ring ring{MPI_COMM_WORLD};
    Numbers out = Numbers::from(tag, ring.rank);
    Numbers in = Numbers::room(tag, ring.previous);
    MPI_Sendrecv(out.data(), out.count(), MPI_INT, ring.next, tag, in.data(), in.count(), MPI_INT,
                 ring.previous, tag, communicator, MPI_STATUS_IGNORE);
    in.check(ring.previous);
}

/// One message a rank, on its way.
class Pending {
public:
    explicit Pending(int tag)
        : m_out(Numbers::from(tag, m_ring.rank)), m_in(Numbers::room(tag, m_ring.previous))
    {
        MPI_Irecv(m_in.data(), m_in.count(), MPI_INT, m_ring.previous, tag, MPI_COMM_WORLD,
                  &m_both[0]);
        MPI_Isend(m_out.data(), m_out.count(), MPI_INT, m_ring.next, tag, MPI_COMM_WORLD,
                  &m_both[1]);
    }
    void wait() { MPI_Waitall(2, m_both.data(), MPI_STATUSES_IGNORE); }
    void check() const { m_in.check(m_ring.previous); }
    [[nodiscard]] std::array<MPI_Request, 2>& requests() { return m_both; }

private:
    Ring m_ring{MPI_COMM_WORLD};
    Numbers m_out;
    Numbers m_in;
    std::array<MPI_Request, 2> m_both{};
};

/// What is started while nothing is logged and completed later, and the other way round.
void crossings()
{
    off();
    Pending early(85);
    on();
    early.wait();
    early.check();
    Pending whole(85);
    whole.wait();
    Pending late(86);
    off();
    late.wait();
    late.check();
    on();
    Pending after(86);
    after.wait();
}

/// The same, completed by calls that wait for none in particular.
void crossingsOfAny()
{
    Pending some(87);
    off();
    for (int left = 2; left > 0;) {
        int done = 0;
        std::array<int, 2> indices{};
        MPI_Waitsome(2, some.requests().data(), &done, indices.data(), MPI_STATUSES_IGNORE);
        left -= done;
    }
    some.check();
    Pending tested(87);
    on();
    for (int flag = 0; flag == 0;)
        MPI_Testall(2, tested.requests().data(), &flag, MPI_STATUSES_IGNORE);
    tested.check();
    Pending any(88);
    off();
    for (int left = 2; left > 0; --left) {
        int index = MPI_UNDEFINED;
        MPI_Waitany(2, any.requests().data(), &index, MPI_STATUS_IGNORE);
    }
    any.check();
    on();
    exchange(88);
}

/// Handles that MPI has used again meanwhile: of requests that were freed or cancelled.
void handlesAgain()
{
    const Ring ring{MPI_COMM_WORLD};
    Numbers out = Numbers::from(89, ring.rank);
    MPI_Request send = MPI_REQUEST_NULL;
    MPI_Isend(out.data(), out.count(), MPI_INT, ring.next, 89, MPI_COMM_WORLD, &send);
    off();
    MPI_Request_free(&send);
    on();
    Numbers in = Numbers::room(89, ring.previous);
    MPI_Recv(in.data(), in.count(), MPI_INT, ring.previous, 89, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    in.check(ring.previous);

    MPI_Request never = MPI_REQUEST_NULL;
    off();
    // A tag that nobody sends: others may be ahead.
    MPI_Irecv(in.data(), in.count(), MPI_INT, ring.previous, 99, MPI_COMM_WORLD, &never);
    on();
    MPI_Cancel(&never);
    MPI_Wait(&never, MPI_STATUS_IGNORE);
    for (int time = 0; time < 3; ++time) {
        Pending pending(90);
        pending.wait();
        pending.check();
    }
}

} // namespace

/// Logged are: tag 81 over two communicators, 82 over a third one, 80 over a fourth one, and 83 twice.
void partOfAll()
{
    off();
    const Ring ring{MPI_COMM_WORLD};
    std::array<MPI_Comm, 3> made{};
    MPI_Comm_dup(MPI_COMM_WORLD, &made[0]);
    exchange(80, made[0]);
    exchange(81);
    MPI_Barrier(MPI_COMM_WORLD);
    on();
    MPI_Comm_dup(MPI_COMM_WORLD, &made[1]);
    exchange(81, made[0]);
    exchange(81, made[1]);
    // Made where one rank logs and the others do not.
    MPI_Pcontrol(ring.rank == 0 ? 0 : 1);
    MPI_Comm_split(MPI_COMM_WORLD, 0, ring.rank, &made[2]);
    on();
    exchange(82, made[2]);
    // One that may have the handle of one that is freed.
    off();
    MPI_Comm_free(&made[2]);
    MPI_Comm_dup(MPI_COMM_WORLD, &made[2]);
    on();
    exchange(80, made[2]);
    exchange(83);
    MPI_Pcontrol(2);
    MPI_Pcontrol(-1);
    exchange(83);
    off();
    off();
    exchange(84);
    for (MPI_Comm& communicator : made)
        MPI_Comm_free(&communicator);
}

/// Logged are: 85 once, 86 twice, 87 once, 88 twice, 89 once, 90 three times.
void partsOfRequests()
{
    crossings();
    crossingsOfAny();
    handlesAgain();
}

/// Logged is 91, four of six times.
void partsOfPersistent()
{
    const Ring ring{MPI_COMM_WORLD};
    Numbers out = Numbers::from(91, ring.rank);
    Numbers in = Numbers::room(91, ring.previous);
    std::array<MPI_Request, 2> both{};
    off();
    MPI_Recv_init(in.data(), in.count(), MPI_INT, ring.previous, 91, MPI_COMM_WORLD, &both[0]);
    MPI_Send_init(out.data(), out.count(), MPI_INT, ring.next, 91, MPI_COMM_WORLD, &both[1]);
    struct Round {
        bool starts; ///< logged
        bool waits;
    };
    for (const Round round : {Round{false, false}, Round{true, true}, Round{true, false},
                              Round{false, true}, Round{true, true}, Round{true, true}}) {
        MPI_Pcontrol(round.starts ? 1 : 0);
        MPI_Startall(2, both.data());
        MPI_Pcontrol(round.waits ? 1 : 0);
        MPI_Waitall(2, both.data(), MPI_STATUSES_IGNORE);
        in.check(ring.previous);
    }
    off();
    for (MPI_Request& request : both)
        MPI_Request_free(&request);
    on();
}

/// Logged are: 92 once, 93 once, 94 never, 95 never, 96 once.
void partsOfProbes()
{
    const Ring ring{MPI_COMM_WORLD};
    struct Way {
        int tag;
        bool finds; ///< logged
        bool receives;
        bool waits; ///< MPI_Imrecv, and whether the wait is logged
    };
    for (const Way way :
         {Way{92, true, false, false}, Way{93, true, false, true}, Way{94, false, true, false},
          Way{95, false, true, true}, Way{96, true, true, true}}) {
        MPI_Pcontrol(way.finds ? 1 : 0);
        Numbers out = Numbers::from(way.tag, ring.rank);
        Numbers in = Numbers::room(way.tag, ring.previous);
        MPI_Request send = MPI_REQUEST_NULL;
        MPI_Isend(out.data(), out.count(), MPI_INT, ring.next, way.tag, MPI_COMM_WORLD, &send);
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Mprobe(ring.previous, way.tag, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Pcontrol(way.receives ? 1 : 0);
        if (way.waits) {
            MPI_Request receive = MPI_REQUEST_NULL;
            MPI_Imrecv(in.data(), in.count(), MPI_INT, &message, &receive);
            on();
            MPI_Wait(&receive, MPI_STATUS_IGNORE);
        } else {
            MPI_Mrecv(in.data(), in.count(), MPI_INT, &message, MPI_STATUS_IGNORE);
        }
        in.check(ring.previous);
        on();
        MPI_Wait(&send, MPI_STATUS_IGNORE);
    }
}

/// Three threads send while a fourth one chooses what is logged, 50 times.
void partsOfThreads()
{
    std::thread chooser([] {
        for (int time = 0; time < 50; ++time) {
            off();
            std::this_thread::yield();
            on();
            std::this_thread::yield();
        }
    });
    threads();
    chooser.join();
}

} // namespace tracee
