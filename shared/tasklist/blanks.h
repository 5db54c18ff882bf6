// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

namespace tasuki {

/// Whether the shell takes this byte as a separator of words within a line.
inline bool isBlank(char c) { return c == ' ' || c == '\t'; }

inline std::string_view trimBlanksLeft(std::string_view text)
{
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    return text;
}

/// Whether a text ends in a backslash that is not itself escaped by one.
inline bool endsInBackslash(std::string_view text)
{
    const std::size_t last = text.find_last_not_of('\\');
    const std::size_t count = last == std::string_view::npos ? text.size() : text.size() - last - 1;
    return count % 2 == 1;
}

/// Takes blanks off the end of a command, but not one that a backslash escapes.
inline std::string_view trimBlanksRight(std::string_view text)
{
    std::size_t size = text.size();
    while (size > 0 && isBlank(text[size - 1]))
        --size;
    if (size < text.size() && endsInBackslash(text.substr(0, size)))
        ++size;
    return text.substr(0, size);
}

/// Whether a command has nothing but blanks and continued lines, so that it is none.
inline bool isBlankCommand(std::string_view text)
{
    while (!text.empty()) {
        if (isBlank(text.front()))
            text.remove_prefix(1);
        else if (text.starts_with("\\\n"))
            text.remove_prefix(2);
        else
            return false;
    }
    return true;
}

} // namespace tasuki
