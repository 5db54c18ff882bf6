// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace tasuki {

/// @return how many processors the system lets this process use, however the launcher bound it
std::size_t usableCores();

/// Divides a host's cores among its ranks.
/// @param cores  of the host
/// @param ranks  of the host that run tasks, at least 1
/// @param index  of this rank among them, from 0
/// @return slots of this rank: at least 1; the first ranks get what does not divide evenly
std::uint32_t slotShare(std::size_t cores, std::size_t ranks, std::size_t index);

} // namespace tasuki
