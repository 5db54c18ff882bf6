// SPDX-License-Identifier: GPL-3.0-or-later
//
// Preloaded into all that runs on a node: CLOCK_MONOTONIC and CLOCK_BOOTTIME show what the file of the node's name in
// the directory TASUKI_TESTBED_CLOCKS says (wrongclock.h, written by setclock); timers go with CLOCK_MONOTONIC.
// A node whose processes were stopped while the first of these stood still has slept then, as a machine that was
// suspended; one whose clocks both stood still, as a virtual machine that was stopped and knows nothing of it.
#include "wrongclock.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/timerfd.h>

namespace {

using namespace wrongclock;

const NodeClocks& clocks()
{
    static const NodeClocks right;
    static const NodeClocks* const mapped = [] {
        const char* const directory = std::getenv("TASUKI_TESTBED_CLOCKS");
        char path[1024] = "";
        char host[256] = "";
        if (directory == nullptr || ::gethostname(host, sizeof host - 1) != 0
            || std::strlen(directory) + std::strlen(host) + 2 > sizeof path)
            return &right;
        std::strcat(std::strcat(std::strcat(path, directory), "/"), host);
        const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            return &right;
        void* const memory = ::mmap(nullptr, sizeof right, PROT_READ, MAP_SHARED, fd, 0);
        ::close(fd);
        return memory == MAP_FAILED ? &right : static_cast<const NodeClocks*>(memory);
    }();
    return *mapped;
}

/// @return by how much a clock of the node is ahead of the machine's
std::int64_t ahead(clockid_t clock)
{
    switch (clock) {
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_MONOTONIC_RAW: {
        const std::int64_t machine = machineTime(CLOCK_MONOTONIC);
        return clocks().monotonic.line().at(machine) - machine;
    }
    case CLOCK_BOOTTIME: {
        const std::int64_t machine = machineTime(CLOCK_BOOTTIME);
        return clocks().boot.line().at(machine) - machine;
    }
    default: return 0;
    }
}

/// No clock goes back, also when it was read just before it was stopped.
std::int64_t notBefore(clockid_t clock, std::int64_t time)
{
    static std::atomic<std::int64_t> latest[CLOCK_BOOTTIME + 1];
    std::atomic<std::int64_t>& known = latest[clock];
    std::int64_t before = known.load();
    while (before < time && !known.compare_exchange_weak(before, time)) {}
    return before > time ? before : time;
}

/// A time that is to pass on the node, as it passes on the machine.
std::timespec onMachine(const std::timespec& time)
{
    const std::int64_t rate = clocks().monotonic.line().rate;
    if (rate == rightRate || rate <= 0)
        return time;
    const auto length = static_cast<double>(time.tv_sec * nanosecondsPerSecond + time.tv_nsec);
    return asTimespec(std::llround(std::ceil(length * rightRate / static_cast<double>(rate))));
}

template <class Function>
Function* next(const char* name)
{
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

} // namespace

extern "C" {

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, timespec* time) noexcept
{
    const int result = static_cast<int>(::syscall(SYS_clock_gettime, clock, time));
    const bool concerned = clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE
        || clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_BOOTTIME;
    if (result != 0 || !concerned)
        return result;
    *time = asTimespec(
        notBefore(clock, time->tv_sec * nanosecondsPerSecond + time->tv_nsec + ahead(clock)));
    return 0;
}

__attribute__((visibility("default"))) int timerfd_settime(int fd, int flags,
                                                           const itimerspec* wanted,
                                                           itimerspec* before) noexcept
{
    itimerspec set = *wanted;
    if ((flags & TFD_TIMER_ABSTIME) == 0)
        set = {.it_interval = onMachine(wanted->it_interval),
               .it_value = onMachine(wanted->it_value)};
    return static_cast<int>(::syscall(SYS_timerfd_settime, fd, flags, &set, before));
}

__attribute__((visibility("default"))) int pthread_cond_clockwait(pthread_cond_t* condition,
                                                                  pthread_mutex_t* mutex,
                                                                  clockid_t clock,
                                                                  const timespec* until)
{
    static auto* const wait =
        next<int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*)>(
            "pthread_cond_clockwait");
    timespec when = *until;
    const Line& line = clocks().monotonic.line();
    if (clock == CLOCK_MONOTONIC && line.rate > 0)
        when = asTimespec(line.machineWhen(until->tv_sec * nanosecondsPerSecond + until->tv_nsec));
    return wait(condition, mutex, clock, &when);
}

} // extern "C"
