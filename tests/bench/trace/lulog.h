// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace tasuki::bench {

/// Writes the log of an LU decomposition by four tasks as MPE would: in each step one of them sends the
/// pivot's column to the others, then all compute; steps until the log is so long.
/// @return the number of records; 0: the file could not be written
std::uint64_t writeLuLog(const std::string& path, std::uint64_t bytes);

} // namespace tasuki::bench
