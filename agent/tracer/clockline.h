// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace tasuki::tracer {

/// One trip from rank 0 to another rank and back. Nanoseconds.
struct ClockSample {
    std::int64_t sentNs = 0;     ///< by the clock of rank 0
    std::int64_t remoteNs = 0;   ///< by the other clock, between the two
    std::int64_t receivedNs = 0; ///< by the clock of rank 0
};

/// How far a clock was ahead of that of rank 0.
struct ClockOffset {
    std::int64_t atNs = 0;     ///< by that clock
    std::int64_t offsetNs = 0; ///< that clock - clock of rank 0
    std::int64_t errorNs = 0;  ///< the truth is not farther away
    bool operator==(const ClockOffset&) const = default;
};

/// Cristian's way: in the quickest round trip the other clock was read somewhere between sending and
/// receiving; the middle is wrong by half of it at most.
/// @return nothing without samples
std::optional<ClockOffset> estimateOffset(std::span<const ClockSample> samples);

/// How the times of one clock become those of rank 0: offsets at the beginning and at the end of a run,
/// and a line between them and beyond.
class ClockLine {
public:
    /// The clock of rank 0 itself, or one that its host shares.
    ClockLine() = default;
    ClockLine(const ClockOffset& first, const ClockOffset& last);

    [[nodiscard]] std::int64_t toCommon(std::int64_t localNs) const;
    /// The larger of the two errors.
    [[nodiscard]] std::int64_t errorNs() const { return m_errorNs; }
    /// Of the first measurement.
    [[nodiscard]] std::int64_t offsetNs() const { return m_offsetNs; }
    /// Nanoseconds that the clock gains in one second.
    [[nodiscard]] double driftNsPerSecond() const { return m_slope * 1e9; }

private:
    std::int64_t m_atNs = 0;
    std::int64_t m_offsetNs = 0;
    std::int64_t m_errorNs = 0;
    double m_slope = 0.0; ///< of the offset
};

} // namespace tasuki::tracer
