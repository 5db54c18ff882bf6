// SPDX-License-Identifier: GPL-3.0-or-later
// compute REPETITIONS OPERATIONS: every rank does the same work at the same time, again and again.
// Each prints its host, the seconds (median) that the work takes the node, and how many times the
// machine's own that is.
#include "fixedwork.h"

#include <mpi.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

int main(int argc, char** argv)
{
    const int repetitions = argc > 1 ? std::atoi(argv[1]) : 0;
    const long long operations = argc > 2 ? std::atoll(argv[2]) : 0;
    if (argc != 3 || repetitions < 1 || operations < 1) {
        std::fprintf(stderr, "Usage: compute REPETITIONS OPERATIONS, numbers from 1\n");
        return 2;
    }
    const double reference = tasuki::testbed::referenceSeconds(operations, repetitions);
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::vector<double> times;
    MPI_Barrier(MPI_COMM_WORLD);
    // Work of the same length would begin at the same moments on all nodes again and again.
    std::minstd_rand random(static_cast<unsigned>(rank) + 1);
    std::uniform_int_distribution<unsigned> pause(0, 10'000);
    for (int i = 0; i < repetitions; ++i) {
        usleep(pause(random));
        const double start = MPI_Wtime();
        tasuki::testbed::fixedWork(operations);
        times.push_back(MPI_Wtime() - start);
    }
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    const double seconds = tasuki::testbed::median(times.data(), repetitions);
    std::printf("rank=%d host=%s seconds=%.6f factor=%.4f\n", rank, host.data(), seconds,
                seconds / reference);
    std::fflush(stdout);
    MPI_Finalize();
    return 0;
}
