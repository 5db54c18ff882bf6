// SPDX-License-Identifier: GPL-3.0-or-later
#include "logclock.h"

#include <array>

namespace tasuki::trace {

namespace {

/// A clock that falls by an eighth of its range or less has errors; one that rises by more than the
/// rest may have rolled over.
constexpr std::int64_t parts = 8;

/// Where timers of 31 and 32 bits begin anew.
constexpr std::array usualEnds{LogClock::usualRolloverUs / 2, LogClock::usualRolloverUs};

bool fallsOver(std::int64_t end, std::int64_t before, std::int64_t now)
{
    return end >= parts && before < end && before >= end - end / parts && now >= 0
        && now < end / parts;
}

/// @return the number congruent to a time that lies at most an eighth before the latest
std::int64_t unrolled(std::int64_t timeUs, std::int64_t end, std::int64_t latestUs)
{
    const std::int64_t earliest = latestUs - end / parts;
    if (timeUs >= earliest)
        return timeUs;
    const std::int64_t rounds = (earliest - timeUs + end - 1) / end;
    return timeUs + rounds * end;
}

} // namespace

std::optional<std::int64_t> LogClock::slowTimeOf(std::int64_t cycle, std::int64_t timestamp) const
{
    if (!within(timestamp))
        return std::nullopt;
    if (cycle == 0)
        return within(unrolled(timestamp, m_modulusUs, m_latestUs));
    std::int64_t rolled = 0;
    const std::int64_t known = m_rolloverUs.value_or(0);
    if (__builtin_mul_overflow(cycle, known != 0 ? known : usualRolloverUs, &rolled)
        || !within(rolled))
        return std::nullopt;
    return within(rolled + timestamp);
}

bool LogClock::fall(std::int64_t& timeUs)
{
    const auto over = [&](std::int64_t end) {
        if (!fallsOver(end, m_latestUs, timeUs))
            return false;
        m_modulusUs = end;
        timeUs = unrolled(timeUs, end, m_latestUs);
        return true;
    };
    if (m_rolloverUs)
        return over(*m_rolloverUs);
    for (const std::int64_t end : usualEnds) {
        if (over(end))
            return true;
    }
    return false;
}

} // namespace tasuki::trace
