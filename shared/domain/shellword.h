// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace tasuki {

/// Whether the shell can name this variable: only those are of use to a command.
inline bool isVariableName(std::string_view name)
{
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    constexpr std::string_view digits = "0123456789";
    return !name.empty() && letters.find(name.front()) != std::string_view::npos
        && std::ranges::all_of(name, [&](char c) {
               return letters.find(c) != std::string_view::npos
                   || digits.find(c) != std::string_view::npos;
           });
}

/// @return a word as the shell reads it back: quoted where it must be
inline std::string shellWord(std::string_view word)
{
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%^";
    if (!word.empty() && word.find_first_not_of(plain) == std::string_view::npos)
        return std::string(word);
    std::string quoted = "'";
    for (const char c : word) {
        if (c == '\'')
            quoted += "'\\''";
        else
            quoted += c;
    }
    return quoted + '\'';
}

} // namespace tasuki
