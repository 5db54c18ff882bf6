// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "clock.h"

#include <chrono>

/// Which times of messages and records are believed. They are checked where they are decoded, so that
/// whoever reckons with them need not fear overflows: nanoseconds since 1970 fit in 64 bits, too.
namespace tasuki {

/// 1970 to 2199.
inline constexpr WallTime endOfTimes = std::chrono::sys_days(std::chrono::year(2200) / 1 / 1);
inline constexpr std::chrono::microseconds longestTime = endOfTimes.time_since_epoch();

constexpr bool isBelievable(WallTime time) { return time >= WallTime{} && time < endOfTimes; }

/// @param time  how long something took, or is to take
constexpr bool isBelievable(std::chrono::nanoseconds time)
{
    return time.count() >= 0 && time <= longestTime;
}
constexpr bool isBelievable(std::chrono::microseconds time)
{
    return time.count() >= 0 && time <= longestTime;
}
constexpr bool isBelievable(std::chrono::milliseconds time)
{
    return time.count() >= 0 && time <= std::chrono::floor<std::chrono::milliseconds>(longestTime);
}

/// @return the sum of two times that are not negative, or the longest that there is
constexpr std::chrono::microseconds sumOf(std::chrono::microseconds one,
                                          std::chrono::microseconds other)
{
    using std::chrono::microseconds;
    return one > microseconds::max() - other ? microseconds::max() : one + other;
}

inline constexpr const char* unbelievableTime = "a time that is not between 1970 and 2200";
inline constexpr const char* unbelievableDuration = "a duration that is negative or over 230 years";

} // namespace tasuki
