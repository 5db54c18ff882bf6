// SPDX-License-Identifier: GPL-3.0-or-later
#include "sizetext.h"

#include <array>
#include <cstdio>

namespace tasuki {

std::string sizeText(std::uint64_t bytes)
{
    constexpr double thousand = 1000;
    constexpr double small = 9.95; // below, one decimal
    constexpr std::array units{"kB", "MB", "GB", "TB", "PB", "EB"};
    if (bytes < std::uint64_t{1000})
        return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
    double size = static_cast<double>(bytes) / thousand;
    std::size_t unit = 0;
    for (; size >= thousand - 0.5 && unit + 1 < units.size(); ++unit)
        size /= thousand;
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), size < small ? "%.1f %s" : "%.0f %s", size,
                  units[unit]);
    return text.data();
}

} // namespace tasuki
