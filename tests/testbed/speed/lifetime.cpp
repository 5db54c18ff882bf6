// SPDX-License-Identifier: GPL-3.0-or-later
// The speed of a rank holds from MPI_Init to MPI_Finalize.
#include "clocks.h"
#include "next.h"
#include "pace.h"
#include "report.h"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace {

using namespace tasuki::testbed;

constexpr int exitWrongUsage = 2;

/// The faster a node, the shorter its computations: they go first. From 1 to 20.
int priorityOf(double dilation)
{
    constexpr int highest = 20;
    return std::clamp(highest - static_cast<int>(std::lround(2 * std::log2(dilation))), 1, highest);
}

/// Without $TASUKI_TESTBED_DILATION the program goes on at full speed.
void begin()
{
    const char* const text = std::getenv("TASUKI_TESTBED_DILATION");
    if (text == nullptr)
        return;
    char* end = nullptr;
    const double dilation = std::strtod(text, &end);
    if (end == text || *end != '\0' || !(dilation >= 1) || dilation > 1e6) {
        std::fprintf(stderr,
                     "testbed: error: TASUKI_TESTBED_DILATION is '%s', expected a number from 1\n",
                     text);
        std::exit(exitWrongUsage);
    }
    // A tracer before this library would take what is slept for time inside the call.
    if (dlsym(RTLD_DEFAULT, "MPI_Send") != reinterpret_cast<void*>(&MPI_Send)) {
        std::fprintf(stderr, "testbed: error: LD_PRELOAD must name $TASUKI_TESTBED_SPEED first\n");
        std::exit(exitWrongUsage);
    }
    findClocks();
    thisPace().begin(dilation, priorityOf(dilation), RecordedWork::fromEnvironment());
}

} // namespace

extern "C" {

int MPI_Init(int* count, char*** words)
{
    static const auto next = nextSymbol<decltype(&MPI_Init)>("MPI_Init");
    const MpiCall call;
    const int result = next(count, words);
    begin();
    return result;
}

int MPI_Init_thread(int* count, char*** words, int required, int* provided)
{
    static const auto next = nextSymbol<decltype(&MPI_Init_thread)>("MPI_Init_thread");
    const MpiCall call;
    const int result = next(count, words, required, provided);
    begin();
    return result;
}

double MPI_Wtime()
{
    static const auto next = nextSymbol<decltype(&MPI_Wtime)>("MPI_Wtime");
    const MpiCall call;
    return next();
}

int MPI_Finalize()
{
    static const auto next = nextSymbol<decltype(&MPI_Finalize)>("MPI_Finalize");
    const MpiCall call;
    report(thisPace().account());
    const int result = next();
    thisPace().end();
    return result;
}

} // extern "C"
