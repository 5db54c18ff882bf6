// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace tasuki {

/// @return a hash of what `seed` stands for followed by `value`
inline std::size_t combineHash(std::size_t seed, std::size_t value)
{
    return seed ^ (value + 0x9E3779B97F4A7C15U + (seed << 6U) + (seed >> 2U));
}

inline std::size_t combineHash(std::size_t seed, std::string_view value)
{
    return combineHash(seed, std::hash<std::string_view>{}(value));
}

} // namespace tasuki
