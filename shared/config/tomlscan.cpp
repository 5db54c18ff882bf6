// SPDX-License-Identifier: GPL-3.0-or-later
#include "tomlscan.h"

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

bool belongsToBareKey(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    constexpr unsigned char firstBeyondAscii = 0x80;
    return c == '_' || c == '-' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z') || byte >= firstBeyondAscii;
}

/// @return the place behind the part of a key, or what may be one, that begins at `begin`; the same
///         place: none does
std::size_t behindPart(std::string_view text, std::size_t begin)
{
    if (text[begin] == '"' || text[begin] == '\'')
        return behindString(text, begin);
    const auto* const end = std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                             text.end(), belongsToBareKey);
    return static_cast<std::size_t>(end - text.begin());
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

std::optional<std::size_t> longTomlKey(std::string_view text, std::size_t mostParts)
{
    std::size_t begin = 0;
    std::size_t parts = 0; // of the key that ends here; 0: none
    bool dot = false;      // behind them, if there are any
    for (std::size_t at = 0; at < text.size();) {
        if (const std::size_t end = behindPart(text, at); end != at) {
            const bool goesOn = dot && parts > 0;
            begin = goesOn ? begin : at;
            parts = goesOn ? parts + 1 : 1;
            dot = false;
            if (parts > mostParts)
                return begin;
            at = end;
            continue;
        }
        if (text[at] == '.')
            dot = true;
        else if (text[at] != ' ' && text[at] != '\t')
            parts = 0;
        at = text[at] == '#' ? std::min(text.find('\n', at), text.size()) : at + 1;
    }
    return std::nullopt;
}

} // namespace tasuki::config
