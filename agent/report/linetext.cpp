// SPDX-License-Identifier: GPL-3.0-or-later
#include "linetext.h"

#include "domain/visibletext.h"

#include <array>
#include <cstdarg>
#include <cstdio>

namespace tasuki {

std::string formatted(const char* format, ...)
{
    std::array<char, 256> text{};
    std::va_list parts;
    va_start(parts, format);
    std::vsnprintf(text.data(), text.size(), format, parts);
    va_end(parts);
    return text.data();
}

std::string oneLine(const std::string& command, std::size_t longest)
{
    const std::string text = visible(command.substr(0, longest), Breaks::Blanks);
    return command.size() > longest ? text + "..." : text;
}

} // namespace tasuki
