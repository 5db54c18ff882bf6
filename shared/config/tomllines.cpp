// SPDX-License-Identifier: GPL-3.0-or-later
#include "tomllines.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace tasuki::config {

std::string tomlNumber(double value)
{
    std::array<char, 40> buffer{};
    constexpr double leastFixed = 1e-6;
    constexpr double mostFixed = 1e15;
    const auto format = value == 0.0 || (value >= leastFixed && value < mostFixed)
        ? std::chars_format::fixed
        : std::chars_format::scientific;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format).ptr;
    std::string text(buffer.data(), end);
    if (text.find_first_not_of("-0123456789") == std::string::npos)
        text += ".0";
    return text;
}

std::string tomlString(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        constexpr unsigned char firstPrintable = 0x20;
        constexpr unsigned char deleted = 0x7F;
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte < firstPrintable || byte == deleted) {
            constexpr std::string_view digits = "0123456789ABCDEF";
            out += "\\u00";
            out += digits[byte >> 4U];
            out += digits[byte & 15U];
        } else {
            out += c;
        }
    }
    return out + '"';
}

void TomlLines::put(std::string_view key, const std::string& value, std::string_view comment)
{
    constexpr std::size_t commentColumn = 26;
    std::string text = std::string(key) + " = " + value;
    if (!comment.empty()) {
        text.resize(std::max(text.size() + 2, commentColumn), ' ');
        text += "# ";
        text += comment;
    }
    line(text);
}

} // namespace tasuki::config
