// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tasuki::config {

/// @return what stands in the comments of a TOML file, each without its "#" and the blanks around;
///         empty ones are left out. What is no TOML gives anything, but ends.
std::vector<std::string> tomlComments(std::string_view text);

} // namespace tasuki::config
