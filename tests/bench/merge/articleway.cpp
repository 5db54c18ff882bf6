// SPDX-License-Identifier: GPL-3.0-or-later
#include "merge/digest.h"
#include "ways.h"

#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>
#include <boost/serialization/map.hpp>
#include <boost/serialization/string.hpp>

#include <mpi.h>

#include <sstream>

namespace tasuki::bench {

namespace {

using Map = std::map<std::string, std::string>;

std::string serialised(const Map& map)
{
    std::ostringstream stream;
    boost::archive::binary_oarchive archive(stream, boost::archive::no_header);
    archive << map;
    return std::move(stream).str();
}

void mergeInto(Map& map, std::string bytes)
{
    std::istringstream stream(std::move(bytes));
    boost::archive::binary_iarchive archive(stream, boost::archive::no_header);
    Map other;
    archive >> other;
    map.merge(other);
}

/// Sizes first, then the bytes, as the article does it: both as int.
std::string exchanged(const std::string& mine, int peer)
{
    int mySize = static_cast<int>(mine.size());
    int theirSize = 0;
    MPI_Sendrecv(&mySize, 1, MPI_INT, peer, 0, &theirSize, 1, MPI_INT, peer, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    std::string theirs(static_cast<std::size_t>(theirSize), '\0');
    MPI_Sendrecv(mine.data(), mySize, MPI_BYTE, peer, 0, theirs.data(), theirSize, MPI_BYTE, peer,
                 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return theirs;
}

} // namespace

Outcome articleWay(const std::vector<Pair>& load)
{
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    Map map;
    for (const Pair& pair : load)
        map.emplace(pair.key, pair.value);
    Outcome outcome;
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int distance = 1; distance < ranks; distance *= 2) {
        const std::string mine = serialised(map);
        outcome.sentBytes += mine.size();
        mergeInto(map, exchanged(mine, rank ^ distance));
    }
    outcome.seconds = MPI_Wtime() - begin;
    merge::Digester digester;
    for (const auto& [key, value] : map) {
        digester.add(key);
        digester.add(value);
    }
    outcome.entries = map.size();
    outcome.checkSum = digester.digest().low;
    return outcome;
}

} // namespace tasuki::bench
