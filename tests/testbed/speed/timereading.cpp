// SPDX-License-Identifier: GPL-3.0-or-later
// A program that reads the time has computed as long as its node would have.
#include "next.h"
#include "pace.h"

#include <sys/time.h>

#include <ctime>

namespace {

using tasuki::testbed::nextSymbol;
using tasuki::testbed::thisPace;

} // namespace

extern "C" {

[[gnu::visibility("default")]] int clock_gettime(clockid_t clock, timespec* time) noexcept
{
    static const auto next = nextSymbol<int (*)(clockid_t, timespec*)>("clock_gettime");
    if (clock != CLOCK_THREAD_CPUTIME_ID && clock != CLOCK_PROCESS_CPUTIME_ID)
        thisPace().settle();
    return next(clock, time);
}

[[gnu::visibility("default")]] int gettimeofday(timeval* time, void* zone) noexcept
{
    static const auto next = nextSymbol<int (*)(timeval*, void*)>("gettimeofday");
    thisPace().settle();
    return next(time, zone);
}

} // extern "C"
