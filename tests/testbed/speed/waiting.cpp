// SPDX-License-Identifier: GPL-3.0-or-later
// Open MPI looks for messages in a loop and, with mpi_yield_when_idle, calls sched_yield() when
// there was nothing. Here the thread then sleeps until something comes, so that waiting takes no
// processor time from ranks that compute.
#include "next.h"
#include "pace.h"

#include <poll.h>
#include <sched.h>
#include <sys/epoll.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <utility>

namespace {

using tasuki::testbed::Lasts;
using tasuki::testbed::nextSymbol;
using tasuki::testbed::thisPace;

/// The connections that MPI asked about last, without waiting.
struct Connections {
    std::array<pollfd, 64> entries;
    nfds_t count;
    bool cameSomething; ///< since the thread yielded last; what it waits for may be there
};
thread_local Connections connections;

void remember(const pollfd* entries, nfds_t count, int ready)
{
    connections.cameSomething = connections.cameSomething || ready > 0;
    connections.count = std::min<nfds_t>(count, connections.entries.size());
    std::copy_n(entries, connections.count, connections.entries.begin());
}

/// Messages within a node come by shared memory, which wakes nobody.
bool hasNeighbours()
{
    static const bool answer = [] {
        const char* const ranks = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
        return ranks != nullptr && std::atoi(ranks) > 1;
    }();
    return answer;
}

/// @return how long nothing may come before MPI looks by itself
timespec patience()
{
    constexpr long brief = 20'000;
    constexpr long usual = 1'000'000;
    const bool isBrief = hasNeighbours() || thisPace().lasts() == Lasts::Briefly;
    return {.tv_sec = 0, .tv_nsec = isBrief ? brief : usual};
}

} // namespace

extern "C" {

// libevent, by which Open MPI asks, uses one of the two.

[[gnu::visibility("default")]] int poll(pollfd* entries, nfds_t count, int timeout)
{
    static const auto next = nextSymbol<decltype(&poll)>("poll");
    const int ready = next(entries, count, timeout);
    if (timeout == 0 && thisPace().isInsideMpi())
        remember(entries, count, ready);
    return ready;
}

[[gnu::visibility("default")]] int epoll_wait(int set, epoll_event* events, int most, int timeout)
{
    static const auto next = nextSymbol<decltype(&epoll_wait)>("epoll_wait");
    const int ready = next(set, events, most, timeout);
    if (timeout == 0 && thisPace().isInsideMpi()) {
        const pollfd whole{.fd = set, .events = POLLIN, .revents = 0};
        remember(&whole, 1, ready);
    }
    return ready;
}

[[gnu::visibility("default")]] int sched_yield() noexcept
{
    static const auto next = nextSymbol<int (*)()>("sched_yield");
    if (!thisPace().isInsideMpi())
        return next();
    if (std::exchange(connections.cameSomething, false))
        return 0;
    const timespec time = patience();
    ppoll(connections.entries.data(), connections.count, &time, nullptr);
    return 0;
}

} // extern "C"
