// SPDX-License-Identifier: GPL-3.0-or-later
#include "tomlcomments.h"

#include <algorithm>

namespace tasuki::config {

namespace {

/// @return the place behind the string that begins at `begin`
std::size_t behindString(std::string_view text, std::size_t begin)
{
    const char quote = text[begin];
    const std::string_view three = text.substr(begin, 3);
    const bool longOne = three.size() == 3 && three[1] == quote && three[2] == quote;
    const std::string mark(longOne ? 3 : 1, quote);
    std::size_t at = begin + mark.size();
    while (at < text.size()) {
        if (text.substr(at).starts_with(mark))
            return at + mark.size();
        if (!longOne && text[at] == '\n')
            return at; // not closed: no TOML
        at += quote == '"' && text[at] == '\\' ? 2U : 1U;
    }
    return text.size();
}

std::string_view withoutBlanks(std::string_view text)
{
    constexpr std::string_view blanks = " \t\r";
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

} // namespace

std::vector<std::string> tomlComments(std::string_view text)
{
    std::vector<std::string> comments;
    std::size_t at = 0;
    while (at < text.size()) {
        if (text[at] == '"' || text[at] == '\'') {
            at = behindString(text, at);
        } else if (text[at] == '#') {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            const std::string_view comment = withoutBlanks(text.substr(at + 1, end - at - 1));
            if (!comment.empty())
                comments.emplace_back(comment);
            at = end;
        } else {
            ++at;
        }
    }
    return comments;
}

} // namespace tasuki::config
