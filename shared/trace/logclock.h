// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

namespace tasuki::trace {

/// Makes times of cycles and timestamps, of which a timer of limited width has begun anew.
class LogClock {
public:
    /// What a log without header -11 is taken to have: a timer of 32 bits.
    static constexpr std::int64_t usualRolloverUs = std::int64_t{1} << 32U;
    /// Times stay below it, so that sums of some of them fit.
    static constexpr std::int64_t limitUs = std::int64_t{1} << 53U;

    /// @param rolloverUs  at which the timer begins anew; 0: never, as the log says
    explicit LogClock(std::optional<std::int64_t> rolloverUs) : m_rolloverUs(rolloverUs) {}

    [[nodiscard]] std::optional<std::int64_t> rolloverUs() const { return m_rolloverUs; }
    void setRollover(std::int64_t rolloverUs) { m_rolloverUs = rolloverUs; }

    /// @return the time of a record, if it is within the limit on both sides of 0
    [[nodiscard]] std::optional<std::int64_t> timeOf(std::int64_t cycle,
                                                     std::int64_t timestamp) const
    {
        if (cycle == 0 && m_modulusUs == 0) [[likely]]
            return within(timestamp);
        return slowTimeOf(cycle, timestamp);
    }

    /// To be told the time of every record in turn. A fall from near the end of the timer's range to
    /// near its begin without a new cycle is taken for a roll-over, unless the log says that there is
    /// none; from there on the times are those nearest to the latest one.
    /// @param timeUs  of timeOf(); what the record's time is becomes
    /// @return whether this is the first record after such a fall
    bool advance(std::int64_t cycle, std::int64_t& timeUs)
    {
        const bool fell = cycle == 0 && m_modulusUs == 0 && timeUs < m_latestUs && fall(timeUs);
        m_latestUs = timeUs;
        return fell;
    }
    /// @return where the timer began anew without saying so; 0: it did not
    [[nodiscard]] std::int64_t modulusUs() const { return m_modulusUs; }

private:
    [[nodiscard]] static std::optional<std::int64_t> within(std::int64_t timeUs)
    {
        if (timeUs <= -limitUs || timeUs >= limitUs)
            return std::nullopt;
        return timeUs;
    }
    [[nodiscard]] std::optional<std::int64_t> slowTimeOf(std::int64_t cycle,
                                                         std::int64_t timestamp) const;
    bool fall(std::int64_t& timeUs);

    std::optional<std::int64_t> m_rolloverUs;
    std::int64_t m_modulusUs = 0;
    std::int64_t m_latestUs = 0;
};

} // namespace tasuki::trace
