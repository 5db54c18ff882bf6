// SPDX-License-Identifier: GPL-3.0-or-later
#include "merge/chunk.h"
#include "merge/mapmerger.h"
#include "ways.h"

#include <mpi.h>

#include <cstdio>
#include <numeric>

namespace tasuki::bench {

namespace {

/// All of a map as one chunk.
std::string wholeChunk(const merge::MergeMap& map)
{
    merge::ChunkWriter writer(map);
    return writer.next(map.bytes() + 1).value_or(std::string());
}

} // namespace

Outcome allgatherWay(const std::vector<Pair>& load)
{
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    auto map = std::make_shared<const merge::MergeMap>(mergeMapOf(load));
    Outcome outcome;
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    const std::string mine = wholeChunk(*map);
    const int mySize = static_cast<int>(mine.size());
    std::vector<int> sizes(static_cast<std::size_t>(ranks));
    MPI_Allgather(&mySize, 1, MPI_INT, sizes.data(), 1, MPI_INT, MPI_COMM_WORLD);
    std::vector<int> places(sizes.size(), 0);
    std::partial_sum(sizes.begin(), std::prev(sizes.end()), std::next(places.begin()));
    std::string all(static_cast<std::size_t>(places.back() + sizes.back()), '\0');
    MPI_Allgatherv(mine.data(), mySize, MPI_BYTE, all.data(), sizes.data(), places.data(), MPI_BYTE,
                   MPI_COMM_WORLD);
    for (int other = 0; other < ranks; ++other) {
        const auto index = static_cast<std::size_t>(other);
        if (other == rank || sizes[index] == 0)
            continue;
        merge::MapMerger merger(std::move(map));
        const auto added = merger.add(std::make_shared<const std::string>(
            all, static_cast<std::size_t>(places[index]), static_cast<std::size_t>(sizes[index])));
        if (!added)
            std::fprintf(stderr, "mergebench: %s\n", added.error().text().c_str());
        map = merger.finish();
    }
    outcome.seconds = MPI_Wtime() - begin;
    outcome.sentBytes = mine.size() * static_cast<std::size_t>(ranks - 1);
    measure(*map, outcome);
    return outcome;
}

} // namespace tasuki::bench
