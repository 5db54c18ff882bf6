// SPDX-License-Identifier: GPL-3.0-or-later
#include "visibletext.h"

namespace tasuki {

namespace {

void appendHexadecimal(std::string& out, unsigned char byte)
{
    constexpr std::string_view digits = "0123456789abcdef";
    constexpr unsigned base = 16;
    out += "\\x";
    out += digits[byte / base];
    out += digits[byte % base];
}

} // namespace

std::string visible(std::string_view text, Breaks breaks)
{
    constexpr unsigned char blank = 0x20;
    constexpr unsigned char deleted = 0x7F;
    constexpr unsigned char leadsSecondSet = 0xC2; // and a byte of 0x80 to 0x9f follows
    constexpr unsigned char secondSet = 0x80;
    constexpr unsigned char afterSecondSet = 0xA0;
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : '\0');
        const bool breaksText = text[i] == '\n' || text[i] == '\t' || text[i] == '\r';
        if (breaks == Breaks::Blanks && breaksText) {
            out += ' ';
        } else if (breaks == Breaks::Kept && breaksText && text[i] != '\r') {
            out += text[i];
        } else if (byte < blank || byte == deleted) {
            appendHexadecimal(out, byte);
        } else if (byte == leadsSecondSet && next >= secondSet && next < afterSecondSet) {
            appendHexadecimal(out, next);
            ++i;
        } else {
            out += text[i];
        }
    }
    return out;
}

} // namespace tasuki
