// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace tasuki::testbed {

/// Computes the same each time: a chain of operations in a core's registers, about a nanosecond
/// each.
/// @return something that depends on every one of them
std::uint64_t fixedWork(std::int64_t operations);

/// @return the processor seconds that fixedWork(operations) takes: the median of several times.
///         Before MPI_Init a node's speed does not hold yet, so that this is the machine's.
double referenceSeconds(std::int64_t operations, int repetitions);

/// @return the middle one of some values; changes their order
double median(double* values, int count);

} // namespace tasuki::testbed
