// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"

#include <cstddef>
#include <string>

/// How lines of tables are put together.
namespace tasuki {

/// @return the text that printf would print, cut at 255 bytes
[[gnu::format(printf, 1, 2)]] std::string formatted(const char* format, ...);

/// @return e.g. "2026-11-29 10:31:54"
std::string localTimeText(WallTime at);

/// @return a command on one line, harmless for terminals; of a longer one the beginning, with "..." behind it
std::string oneLine(const std::string& command, std::size_t longest);

} // namespace tasuki
