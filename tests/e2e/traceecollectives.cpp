// SPDX-License-Identifier: GPL-3.0-or-later
// Each collective call once, with the last rank as root and 100 numbers from each.
#include "tracee.h"

#include <algorithm>
#include <numeric>

namespace tracee {

namespace {

constexpr int share = 100;

std::vector<int> numbers(int count, int value)
{
    return std::vector<int>(static_cast<std::size_t>(count), value);
}

} // namespace

void collectives()
{
    const Ring ring{MPI_COMM_WORLD};
    const int root = ring.size - 1;
    const int sum = ring.size * (ring.size - 1) / 2;
    std::vector<int> own = numbers(share, ring.rank);
    std::vector<int> got = numbers(share, -1);
    std::vector<int> all = numbers(share * ring.size, ring.rank);

    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(own.data(), share, MPI_INT, root, MPI_COMM_WORLD);
    require(own.front() == root, "MPI_Bcast");
    std::ranges::fill(own, ring.rank);
    MPI_Reduce(own.data(), got.data(), share, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
    require(ring.rank != root || got.back() == sum, "MPI_Reduce");
    MPI_Allreduce(own.data(), got.data(), share, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    require(got.back() == sum, "MPI_Allreduce");
    const void* given = ring.rank == root ? MPI_IN_PLACE : own.data();
    // What is not significant may be anything.
    MPI_Gather(given, ring.rank == root ? -1 : share, MPI_INT, all.data(),
               ring.rank == root ? share : -1, MPI_INT, root, MPI_COMM_WORLD);
    require(ring.rank != root || all.front() == 0, "MPI_Gather");
    MPI_Scatter(all.data(), ring.rank == root ? share : -1, MPI_INT, got.data(), share, MPI_INT,
                root, MPI_COMM_WORLD);
    require(got.back() == ring.rank, "MPI_Scatter");
    MPI_Allgather(own.data(), share, MPI_INT, all.data(), share, MPI_INT, MPI_COMM_WORLD);
    require(all.back() == root, "MPI_Allgather");
    std::vector<int> turned = numbers(share * ring.size, -1);
    MPI_Alltoall(all.data(), share, MPI_INT, turned.data(), share, MPI_INT, MPI_COMM_WORLD);
    require(turned.back() == ring.rank, "MPI_Alltoall");
    MPI_Scan(own.data(), got.data(), share, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    require(got.back() == ring.rank * (ring.rank + 1) / 2, "MPI_Scan");
    MPI_Exscan(own.data(), got.data(), share, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(all.data(), got.data(), share, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    require(got.back() == ring.rank * ring.size, "MPI_Reduce_scatter_block");
}

/// Rank r gives or gets 10 (r + 1) numbers.
void vectorCollectives()
{
    const Ring ring{MPI_COMM_WORLD};
    const int root = ring.size - 1;
    const int mine = 10 * (ring.rank + 1);
    std::vector<int> counts;
    std::vector<int> places;
    for (int rank = 0; rank < ring.size; ++rank) {
        places.push_back(std::accumulate(counts.begin(), counts.end(), 0));
        counts.push_back(10 * (rank + 1));
    }
    const int total = std::accumulate(counts.begin(), counts.end(), 0);
    std::vector<int> own = numbers(mine, ring.rank);
    std::vector<int> all = numbers(total, -1);

    MPI_Gatherv(own.data(), mine, MPI_INT, all.data(), counts.data(), places.data(), MPI_INT, root,
                MPI_COMM_WORLD);
    require(ring.rank != root || all.back() == root, "MPI_Gatherv");
    MPI_Scatterv(all.data(), counts.data(), places.data(), MPI_INT,
                 ring.rank == root ? MPI_IN_PLACE : own.data(), ring.rank == root ? -1 : mine,
                 MPI_INT, root, MPI_COMM_WORLD);
    require(own.back() == ring.rank, "MPI_Scatterv");
    MPI_Allgatherv(own.data(), mine, MPI_INT, all.data(), counts.data(), places.data(), MPI_INT,
                   MPI_COMM_WORLD);
    require(all.back() == root, "MPI_Allgatherv");

    // From each 10 (r + 1) numbers to rank r.
    const std::vector<int> same(static_cast<std::size_t>(ring.size), mine);
    std::vector<int> samePlaces;
    for (int rank = 0; rank < ring.size; ++rank)
        samePlaces.push_back(rank * mine);
    std::vector<int> turned = numbers(mine * ring.size, -1);
    MPI_Alltoallv(all.data(), counts.data(), places.data(), MPI_INT, turned.data(), same.data(),
                  samePlaces.data(), MPI_INT, MPI_COMM_WORLD);
    require(turned.back() == ring.rank, "MPI_Alltoallv");
    std::vector<int> got = numbers(mine, -1);
    MPI_Reduce_scatter(all.data(), got.data(), counts.data(), MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    require(got.back() == ring.rank * ring.size, "MPI_Reduce_scatter");
}

} // namespace tracee
