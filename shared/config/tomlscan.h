// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tasuki::config {

/// @return what stands in the comments of a TOML file, each without its "#" and the blanks around;
///         empty ones are left out. What is no TOML gives anything, but ends.
std::vector<std::string> tomlComments(std::string_view text);

/// Keys like a.b.c are tables in each other, which the parser makes and destroys by recursion.
/// @return where a key of more than so many parts begins; none: there is none. What is no TOML gives
///         anything, but ends, and no key of it is longer than told.
std::optional<std::size_t> longTomlKey(std::string_view text, std::size_t mostParts);

} // namespace tasuki::config
