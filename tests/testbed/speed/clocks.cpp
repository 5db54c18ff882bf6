// SPDX-License-Identifier: GPL-3.0-or-later
#include "clocks.h"

#include "next.h"

#include <ctime>

namespace tasuki::testbed {

namespace {

constexpr std::int64_t second = 1'000'000'000;
/// Longer than a thread of real-time priority takes to wake up, as a rule.
constexpr std::int64_t wakeUp = 60'000;

using Read = int (*)(clockid_t, timespec*);
Read nextClock = nullptr;

std::int64_t timeOf(clockid_t clock)
{
    timespec time{};
    nextClock(clock, &time);
    return time.tv_sec * second + time.tv_nsec;
}

} // namespace

void findClocks() { nextClock = nextSymbol<Read>("clock_gettime"); }

std::int64_t monotonicTime() { return timeOf(CLOCK_MONOTONIC); }
std::int64_t threadTime() { return timeOf(CLOCK_THREAD_CPUTIME_ID); }

void sleepUntil(std::int64_t time)
{
    const timespec until{.tv_sec = time / second, .tv_nsec = time % second};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) != 0) {
        if (monotonicTime() >= time)
            return;
    }
}

void waitUntil(std::int64_t time)
{
    if (time - monotonicTime() > wakeUp)
        sleepUntil(time - wakeUp);
    while (monotonicTime() < time) {}
}

} // namespace tasuki::testbed
