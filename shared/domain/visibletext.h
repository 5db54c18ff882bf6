// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tasuki {

/// What becomes of the ends of lines and of tabs.
enum class Breaks : std::uint8_t {
    Shown,  ///< as other control characters
    Kept,   ///< they stay: of a text of several lines
    Blanks, ///< blanks stand for them: of a command in a line of a table
};

/// For terminals, which obey control characters: whatever has come from elsewhere goes through this.
/// Not for formats that programs read, and not for what tasks print.
/// @return the text with its control characters, those beyond 0x7f in UTF-8 too, as "\x1b"
std::string visible(std::string_view text, Breaks breaks = Breaks::Shown);

} // namespace tasuki
