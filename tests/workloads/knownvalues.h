// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>

namespace tasuki::workloads {

/// @return a number that looks random and depends on both arguments alone: every rank comes to the
///         same values of a matrix without a message
constexpr std::uint32_t scrambled(int row, int column)
{
    std::uint64_t bits = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(row)) << 32)
        | static_cast<std::uint32_t>(column);
    // Odd multipliers and shifts by about half of the bits: every bit of both arguments counts.
    bits = (bits + 1) * 0x9e3779b97f4a7c15U;
    bits = (bits ^ (bits >> 29)) * 0xd1342543de82ef95U;
    return static_cast<std::uint32_t>(bits >> 32);
}

/// @return the larger one; not-a-number when one of them is, so that no failure is lost in a maximum
inline double larger(double one, double other)
{
    return std::isnan(one) || one >= other ? one : other;
}

} // namespace tasuki::workloads
