// SPDX-License-Identifier: GPL-3.0-or-later
#include "exitreport.h"

#include <charconv>

namespace tasuki {

namespace {

constexpr std::string_view mark = "tasuki-exit-report ";

} // namespace

std::string exitReportLine(std::string_view token, int exitCode)
{
    return std::string(mark) + std::string(token) + ' ' + std::to_string(exitCode) + '\n';
}

std::optional<int> parseExitReport(std::string_view line, std::string_view token)
{
    const std::string expected = std::string(mark) + std::string(token) + ' ';
    const auto place = line.find(expected);
    if (token.empty() || place == std::string_view::npos)
        return std::nullopt;
    const std::string_view digits = line.substr(place + expected.size());
    int code = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code);
    if (error != std::errc{} || end == digits.data())
        return std::nullopt;
    return code;
}

} // namespace tasuki
