// SPDX-License-Identifier: GPL-3.0-or-later
// link REPETITIONS BYTES...: rank 0 sends to every other rank in turn and gets as much back.
// Prints for each rank and size the median seconds of one way, and bytes a second.
#include "fixedwork.h"

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

/// @return the median of half the times there and back; what rank 0 measured
double oneWay(int rank, int peer, std::vector<char>& bytes, int count, int repetitions)
{
    std::vector<double> times;
    for (int i = 0; i < repetitions; ++i) {
        const double start = MPI_Wtime();
        if (rank == 0)
            MPI_Send(bytes.data(), count, MPI_CHAR, peer, 0, MPI_COMM_WORLD);
        MPI_Recv(bytes.data(), count, MPI_CHAR, rank == 0 ? peer : 0, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        if (rank != 0)
            MPI_Send(bytes.data(), count, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        times.push_back((MPI_Wtime() - start) / 2);
    }
    return tasuki::testbed::median(times.data(), repetitions);
}

} // namespace

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    const int repetitions = argc > 1 ? std::atoi(argv[1]) : 0;
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int word = 2; word < argc && repetitions > 0; ++word) {
        const int count = std::atoi(argv[word]);
        std::vector<char> bytes(static_cast<std::size_t>(count > 0 ? count : 0));
        for (int peer = 1; peer < size; ++peer) {
            MPI_Barrier(MPI_COMM_WORLD);
            if (rank != 0 && rank != peer)
                continue;
            const double seconds = oneWay(rank, peer, bytes, count, repetitions);
            if (rank == 0)
                std::printf("peer=%d bytes=%d seconds=%.9f\n", peer, count, seconds);
        }
    }
    std::fflush(stdout);
    MPI_Finalize();
    return 0;
}
