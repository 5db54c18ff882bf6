// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace tasuki {

/// @return the text as a field of a CSV file (RFC 4180): in quotation marks where it needs them
std::string csvField(std::string_view text);

} // namespace tasuki
