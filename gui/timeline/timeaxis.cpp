// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeaxis.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace tasuki {

namespace {

constexpr Nanoseconds microsecond = 1'000;
constexpr Nanoseconds millisecond = 1'000'000;
constexpr Nanoseconds second = 1'000'000'000;
constexpr Nanoseconds minute = 60 * second;
constexpr Nanoseconds hour = 60 * minute;
constexpr Nanoseconds day = 24 * hour;

constexpr TickStep fraction(Nanoseconds major, Nanoseconds minor, int decimals)
{
    return {major, minor, TickUnit::Fractions, decimals};
}

constexpr std::array steps{
    fraction(microsecond, microsecond / 5, 6),
    fraction(2 * microsecond, microsecond, 6),
    fraction(5 * microsecond, microsecond, 6),
    fraction(10 * microsecond, 2 * microsecond, 5),
    fraction(20 * microsecond, 10 * microsecond, 5),
    fraction(50 * microsecond, 10 * microsecond, 5),
    fraction(100 * microsecond, 20 * microsecond, 4),
    fraction(200 * microsecond, 100 * microsecond, 4),
    fraction(500 * microsecond, 100 * microsecond, 4),
    fraction(millisecond, millisecond / 5, 3),
    fraction(2 * millisecond, millisecond, 3),
    fraction(5 * millisecond, millisecond, 3),
    fraction(10 * millisecond, 2 * millisecond, 2),
    fraction(20 * millisecond, 10 * millisecond, 2),
    fraction(50 * millisecond, 10 * millisecond, 2),
    fraction(100 * millisecond, 20 * millisecond, 1),
    fraction(200 * millisecond, 100 * millisecond, 1),
    fraction(500 * millisecond, 100 * millisecond, 1),
    TickStep{second, second / 5, TickUnit::Seconds},
    TickStep{2 * second, second, TickUnit::Seconds},
    TickStep{5 * second, second, TickUnit::Seconds},
    TickStep{10 * second, 2 * second, TickUnit::Seconds},
    TickStep{15 * second, 5 * second, TickUnit::Seconds},
    TickStep{30 * second, 10 * second, TickUnit::Seconds},
    TickStep{minute, 10 * second, TickUnit::Minutes},
    TickStep{2 * minute, 30 * second, TickUnit::Minutes},
    TickStep{5 * minute, minute, TickUnit::Minutes},
    TickStep{10 * minute, 2 * minute, TickUnit::Minutes},
    TickStep{15 * minute, 5 * minute, TickUnit::Minutes},
    TickStep{30 * minute, 10 * minute, TickUnit::Minutes},
    TickStep{hour, 15 * minute, TickUnit::Minutes},
    TickStep{2 * hour, 30 * minute, TickUnit::Minutes},
    TickStep{3 * hour, hour, TickUnit::Minutes},
    TickStep{6 * hour, hour, TickUnit::Minutes},
    TickStep{12 * hour, 3 * hour, TickUnit::Minutes},
    TickStep{day, 6 * hour, TickUnit::Days},
    TickStep{2 * day, 12 * hour, TickUnit::Days},
    TickStep{5 * day, day, TickUnit::Days},
    TickStep{10 * day, 2 * day, TickUnit::Days},
    TickStep{20 * day, 10 * day, TickUnit::Days},
    TickStep{50 * day, 10 * day, TickUnit::Days},
    TickStep{100 * day, 20 * day, TickUnit::Days},
    TickStep{200 * day, 100 * day, TickUnit::Days},
    TickStep{500 * day, 100 * day, TickUnit::Days},
    TickStep{1000 * day, 200 * day, TickUnit::Days},
    TickStep{5000 * day, 1000 * day, TickUnit::Days},
    TickStep{20000 * day, 5000 * day, TickUnit::Days},
};

/// Ticks of a window without sense are not made.
constexpr std::size_t mostTicks = 2000;

Nanoseconds floorTo(Nanoseconds time, Nanoseconds step)
{
    const Nanoseconds rest = time % step;
    return time - rest - (rest < 0 ? step : 0);
}

/// A number with zeros before it.
std::string padded(Nanoseconds number, std::size_t digits)
{
    const std::string text = std::to_string(number);
    return text.size() < digits ? std::string(digits - text.size(), '0') + text : text;
}

/// ".125", or nothing without decimals.
std::string decimalsOf(Nanoseconds time, int decimals)
{
    if (decimals <= 0)
        return {};
    Nanoseconds unit = second;
    for (int i = 0; i < decimals; ++i)
        unit /= 10;
    return '.' + padded(time % second / unit, static_cast<std::size_t>(decimals));
}

} // namespace

TickStep chooseStep(const TimeWindow& window, double width,
                    const std::function<double(const TickStep&)>& labelWidth)
{
    const double pixelsPerNanosecond = width / static_cast<double>(window.span);
    const auto found = std::find_if(steps.begin(), steps.end(), [&](const TickStep& step) {
        return static_cast<double>(step.major) * pixelsPerNanosecond >= labelWidth(step);
    });
    return found == steps.end() ? steps.back() : *found;
}

std::vector<AxisTick> ticksOf(const TimeWindow& window, const TickStep& step,
                              const AxisClock& clock)
{
    std::vector<AxisTick> ticks;
    Nanoseconds offset = clock(window.begin);
    Nanoseconds local = floorTo(window.begin + offset, step.minor);
    while (ticks.size() < mostTicks) {
        // Where the clock is put forward or back the offset at the tick itself counts.
        offset = clock(local - offset);
        const Nanoseconds time = local - offset;
        if (time >= window.end())
            break;
        if (time >= window.begin && (ticks.empty() || time > ticks.back().time))
            ticks.push_back({time, local, floorTo(local, step.major) == local});
        local += step.minor;
    }
    return ticks;
}

std::string clockLabel(Nanoseconds local, const TickStep& step)
{
    const Nanoseconds ofDay = local - floorTo(local, day);
    const std::string hours = padded(ofDay / hour, 2);
    const std::string minutes = padded(ofDay % hour / minute, 2);
    const std::string seconds = padded(ofDay % minute / second, 2);
    switch (step.unit) {
    case TickUnit::Days: break;
    case TickUnit::Minutes: return hours + ':' + minutes;
    case TickUnit::Seconds: return hours + ':' + minutes + ':' + seconds;
    case TickUnit::Fractions:
        return hours + ':' + minutes + ':' + seconds + decimalsOf(ofDay, step.decimals);
    }
    return {};
}

std::string elapsedLabel(Nanoseconds elapsed, const TickStep& step)
{
    const std::string sign = elapsed < 0 ? "\u2212" : "";
    const Nanoseconds time = std::abs(elapsed);
    const Nanoseconds days = time / day;
    if (step.unit == TickUnit::Days)
        return sign + std::to_string(days) + 'd';
    const std::string head = sign + (days > 0 ? std::to_string(days) + "d " : std::string());
    const Nanoseconds hours = time % day / hour;
    const std::string minutes = padded(time % hour / minute, 2);
    const std::string seconds = padded(time % minute / second, 2);
    if (step.unit == TickUnit::Minutes)
        return head + std::to_string(hours) + ':' + minutes;
    return head + std::to_string(hours) + ':' + minutes + ':' + seconds
        + decimalsOf(time, step.decimals);
}

} // namespace tasuki
