// SPDX-License-Identifier: GPL-3.0-or-later
#include "linetext.h"

#include "domain/visibletext.h"

#include <array>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <ctime>

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

std::string localTimeText(WallTime at)
{
    const std::time_t seconds = std::chrono::system_clock::to_time_t(
        std::chrono::floor<std::chrono::seconds>(at));
    std::tm local{};
    ::localtime_r(&seconds, &local);
    std::array<char, 64> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &local);
    return text.data();
}

std::string oneLine(const std::string& command, std::size_t longest)
{
    const std::string text = visible(command.substr(0, longest), Breaks::Blanks);
    return command.size() > longest ? text + "..." : text;
}

} // namespace tasuki
