// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tasuki {

/// @return the numbers of the processors that the system lets this process use, however the launcher bound it
std::vector<std::uint32_t> usableCoreNumbers();
std::size_t usableCores();
/// @return those of a rank among the ranks of its host, none of which shares one with another; empty: there are not enough, or
///         it is none of them
std::vector<std::uint32_t> coreShare(const std::vector<std::uint32_t>& cores, std::size_t ranks,
                                     std::size_t index);

/// Divides a host's cores among its ranks.
/// @param cores  of the host
/// @param ranks  of the host that run tasks, at least 1
/// @param index  of this rank among them, from 0
/// @return slots of this rank: at least 1; the first ranks get what does not divide evenly
std::uint32_t slotShare(std::size_t cores, std::size_t ranks, std::size_t index);

} // namespace tasuki
