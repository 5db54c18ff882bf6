// SPDX-License-Identifier: GPL-3.0-or-later
#include "recordage.h"

#include "report/linetext.h"

#include <algorithm>
#include <chrono>

namespace tasuki {

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
