// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules.h"

#include <algorithm>
#include <charconv>

namespace tasuki::config {

namespace {

/// @return the text without blanks around it and without the sign that from_chars() does not know
std::string_view bareNumber(std::string_view text)
{
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos)
        return {};
    text = text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
    if (text.size() > 1 && text[0] == '+' && text[1] != '-')
        text.remove_prefix(1);
    return text;
}

template <class Number>
std::optional<Number> wholeText(std::string_view text)
{
    const std::string_view bare = bareNumber(text);
    Number value{};
    const auto [end, error] = std::from_chars(bare.data(), bare.data() + bare.size(), value);
    if (error != std::errc() || end != bare.data() + bare.size())
        return std::nullopt;
    return value;
}

} // namespace

std::optional<double> parseNumber(std::string_view text, const NumberRule& rule)
{
    const auto value = wholeText<double>(text);
    return value && rule.allows(*value) ? value : std::nullopt;
}

std::optional<std::uint64_t> parseWhole(std::string_view text, const WholeRule& rule)
{
    const auto value = wholeText<std::uint64_t>(text);
    return value && rule.allows(*value) ? value : std::nullopt;
}

std::optional<Phrase> hostNameFault(std::string_view name)
{
    constexpr unsigned char firstPrintable = 0x20;
    constexpr unsigned char deleted = 0x7F;
    if (name.empty())
        return Phrase::tr("is empty");
    if (name.size() > longestHostName)
        return Phrase::tr("is longer than %1 bytes")(longestHostName);
    if (name.find(' ') != std::string_view::npos)
        return Phrase::tr("has a blank in it");
    const bool control = std::ranges::any_of(name, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < firstPrintable || byte == deleted;
    });
    if (control)
        return Phrase::tr("has a control character in it");
    return std::nullopt;
}

std::string quotedExcerpt(std::string_view text)
{
    constexpr std::size_t longest = 40;
    std::size_t length = std::min(text.size(), longest);
    while (length < text.size() && length > 0 && continuesUtf8(text[length]))
        --length;
    std::string out(text.substr(0, length));
    std::ranges::replace_if(
        out,
        [](char c) {
            const auto byte = static_cast<unsigned char>(c);
            return byte < 0x20U || byte == 0x7FU;
        },
        '?');
    return '"' + out + (length < text.size() ? "...\"" : "\"");
}

} // namespace tasuki::config
