// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timewindow.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tasuki {

/// How much of a time the ticks of an axis tell.
enum class TickUnit : std::uint8_t {
    Days,      ///< ticks at midnights
    Minutes,   ///< hours and minutes
    Seconds,   ///< hours, minutes and seconds
    Fractions, ///< hours, minutes and seconds with decimals
};

/// How far apart ticks are, and how they are labelled.
struct TickStep {
    Nanoseconds major = 0;
    Nanoseconds minor = 0; ///< divides major
    TickUnit unit = TickUnit::Seconds;
    int decimals = 0; ///< of the seconds, for Fractions
    bool operator==(const TickStep&) const = default;
};

/// One tick: where it is, and what its place on the axis's own clock is.
struct AxisTick {
    Nanoseconds time = 0;
    Nanoseconds local = 0; ///< nanoseconds of local time, or since the start
    bool major = false;
};

/// What the clock of an axis shows minus UTC, in nanoseconds, at a moment. Local time: the offset of
/// the time zone; elapsed time: minus the start.
using AxisClock = std::function<Nanoseconds(Nanoseconds time)>;

/// @param width       of the axis in pixels
/// @param labelWidth  says how many pixels a label with such a step takes, space around it included
/// @return the smallest step whose labels do not touch
TickStep chooseStep(const TimeWindow& window, double width,
                    const std::function<double(const TickStep&)>& labelWidth);

/// @return the ticks within a window, in order; major ones are at round times of the clock
std::vector<AxisTick> ticksOf(const TimeWindow& window, const TickStep& step,
                              const AxisClock& clock);

/// The label of a tick by a time of day: "14:05", "14:05:07", "14:05:07.125". For Days: empty, a date is
/// for somebody who knows the language.
std::string clockLabel(Nanoseconds local, const TickStep& step);
/// The label of a tick by the time since the start: "0:05:07", "2d 14:05", "-0:00:07.125".
std::string elapsedLabel(Nanoseconds elapsed, const TickStep& step);

} // namespace tasuki
