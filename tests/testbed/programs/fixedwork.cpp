// SPDX-License-Identifier: GPL-3.0-or-later
#include "fixedwork.h"

#include <algorithm>
#include <ctime>
#include <vector>

namespace tasuki::testbed {

namespace {

double processorSeconds()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// The compiler must take it for used.
volatile std::uint64_t seen = 1;

} // namespace

std::uint64_t fixedWork(std::int64_t operations)
{
    std::uint64_t state = seen;
    for (std::int64_t i = 0; i < operations; ++i)
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    seen = state;
    return state;
}

double median(double* values, int count)
{
    std::nth_element(values, values + count / 2, values + count);
    return values[count / 2];
}

double referenceSeconds(std::int64_t operations, int repetitions)
{
    std::vector<double> times;
    for (int i = 0; i < repetitions; ++i) {
        const double start = processorSeconds();
        fixedWork(operations);
        times.push_back(processorSeconds() - start);
    }
    return median(times.data(), repetitions);
}

} // namespace tasuki::testbed
