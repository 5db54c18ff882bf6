// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/timewindow.h"

#include <cmath>

namespace tasuki {

/// @param us  microseconds since the log's zero; what is out of all reason is taken for the bound
inline Nanoseconds toNanoseconds(double us)
{
    constexpr auto bound = static_cast<double>(latestMicrosecond);
    if (!(us > -bound))
        return -latestMicrosecond * nanosecondsPerMicrosecond;
    if (us > bound)
        return latestMicrosecond * nanosecondsPerMicrosecond;
    return std::llround(us * static_cast<double>(nanosecondsPerMicrosecond));
}

constexpr double toMicroseconds(Nanoseconds time)
{
    return static_cast<double>(time) / static_cast<double>(nanosecondsPerMicrosecond);
}

} // namespace tasuki
