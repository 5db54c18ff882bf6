// SPDX-License-Identifier: GPL-3.0-or-later
#include "recordage.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>

namespace tasuki {

namespace {

std::string localTimeText(WallTime at)
{
    const std::time_t seconds = std::chrono::system_clock::to_time_t(
        std::chrono::floor<std::chrono::seconds>(at));
    std::tm local{};
    ::localtime_r(&seconds, &local);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &local);
    return text.data();
}

} // namespace

std::string recordAgeText(const std::string& runFile, const RecordAge& age, WallTime now)
{
    const auto passed = std::max(now - age.asOf, WallTime::duration::zero());
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(passed).count();
    std::string text = runFile + " as of " + localTimeText(age.asOf) + ", "
        + std::to_string(seconds) + " s ago";
    text += age.writer.empty() ? "; another host may be writing it" : ", written by " + age.writer;
    if (age.closed)
        text += "; that has ended, nothing is missing";
    else if (passed > recordSilence)
        text += ", of which nothing newer is seen here: it was killed, or this is outdated";
    return text;
}

} // namespace tasuki
