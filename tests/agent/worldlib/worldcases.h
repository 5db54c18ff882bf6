// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <mpi.h>

#include <functional>
#include <numeric>
#include <vector>

/// What a case knows of its surroundings.
namespace worldcases {

inline const MPI_Comm all = MPI_COMM_WORLD;

/// Known from MPI_Init on.
extern int rank;
extern int size;

inline int next() { return (rank + 1) % size; }
inline int before() { return (rank - 1 + size) % size; }

inline std::vector<int> numbers(int count, int seed)
{
    std::vector<int> values(static_cast<std::size_t>(count));
    std::iota(values.begin(), values.end(), seed * 1000);
    return values;
}

inline bool isFrom(const std::vector<int>& values, int seed)
{
    return values == numbers(static_cast<int>(values.size()), seed);
}

struct Case {
    const char* name;
    std::function<bool()> holds;
};

/// Messages between two ranks, and requests.
std::vector<Case> messageCases();
/// Collective operations, communicators, groups, topologies, errors.
std::vector<Case> groupCases();

} // namespace worldcases
