// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace tasuki {

/// @return bytes as people write them, in powers of 1000: "999 bytes", "1.5 kB", "12 MB"
std::string sizeText(std::uint64_t bytes);

} // namespace tasuki
