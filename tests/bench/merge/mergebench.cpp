// SPDX-License-Identifier: GPL-3.0-or-later
//
// mpirun -n RANKS mergebench ENTRIES [REPEATS]: for maps of so many entries a rank, identical, half
// overlapping and disjoint, the time until all ranks hold the merged map, three ways in turn. Prints
// medians of the slowest rank's times, bytes sent by one rank, and ratios. Exit code 0: all ways came
// to the same map.
#include "transport/mpi/mpiruntime.h"
#include "transport/mpi/mpitransport.h"
#include "ways.h"

#include <mpi.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>

using namespace tasuki;
using namespace tasuki::bench;

namespace {

struct Way {
    const char* name;
    std::function<Outcome(const std::vector<Pair>&)> run;
    std::vector<double> seconds;
    Outcome latest;
};

/// All ranks call it together. @return the slowest rank's time; the others' outcome is this one's
Outcome slowest(Outcome outcome)
{
    double mine = outcome.seconds;
    MPI_Allreduce(&mine, &outcome.seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return outcome;
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

bool everywhere(bool here)
{
    int mine = here ? 1 : 0;
    int all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all == 1;
}

bool compare(const MpiRuntime& mpi, std::uint64_t entries, Overlap overlap, int repeats)
{
    const auto ranks = static_cast<int>(mpi.size());
    const std::vector<Pair> load = loadOf(static_cast<int>(mpi.self().value()), entries, overlap);
    MpiTransport transport(mpi);
    std::vector<Way> ways;
    ways.push_back({.name = "Tasuki",
                    .run = [&](const auto& pairs) { return ownWay(pairs, transport); },
                    .seconds = {},
                    .latest = {}});
    if (std::has_single_bit(mpi.size()))
        ways.push_back({.name = "article", .run = articleWay, .seconds = {}, .latest = {}});
    ways.push_back({.name = "allgatherv", .run = allgatherWay, .seconds = {}, .latest = {}});
    for (int repeat = 0; repeat < repeats; ++repeat) {
        for (Way& way : ways) {
            way.latest = slowest(way.run(load));
            way.seconds.push_back(way.latest.seconds);
        }
    }
    bool agree = true;
    for (const Way& way : ways) {
        agree = agree && way.latest.entries == keysInAll(ranks, entries, overlap)
            && way.latest.checkSum == ways.front().latest.checkSum;
    }
    agree = everywhere(agree);
    if (mpi.self() == ProcessorId(0)) {
        const double own = median(ways.front().seconds);
        for (const Way& way : ways) {
            std::printf("%5d %9llu %-9s %-10s %10.4f s %12llu bytes  %6.2f\n", ranks,
                        static_cast<unsigned long long>(entries), overlapName(overlap), way.name,
                        median(way.seconds), static_cast<unsigned long long>(way.latest.sentBytes),
                        median(way.seconds) / own);
        }
        if (!agree)
            std::printf("the ways came to different maps\n");
        std::fflush(stdout);
    }
    return agree;
}

} // namespace

int main(int argc, char** argv)
{
    auto mpi = MpiRuntime::start(argc, argv);
    const auto entries = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 0;
    const int repeats = argc > 2 ? std::atoi(argv[2]) : 5;
    if (!mpi || entries == 0 || repeats < 1) {
        std::fprintf(stderr, "usage: mpirun -n RANKS mergebench ENTRIES [REPEATS]\n");
        return EXIT_FAILURE;
    }
    bool agree = true;
    for (const Overlap overlap : {Overlap::Identical, Overlap::Half, Overlap::Disjoint})
        agree = compare(**mpi, entries, overlap, repeats) && agree;
    const int code = agree ? EXIT_SUCCESS : EXIT_FAILURE;
    (*mpi)->leave(LeaveMode::Together, code);
    return code;
}
