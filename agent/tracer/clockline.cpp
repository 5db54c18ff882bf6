// SPDX-License-Identifier: GPL-3.0-or-later
#include "clockline.h"

#include <algorithm>
#include <cmath>

namespace tasuki::tracer {

namespace {

/// A line through measurements that are not this many times their error apart says nothing of drift.
constexpr std::int64_t errorsBetween = 1000;

} // namespace

std::optional<ClockOffset> estimateOffset(std::span<const ClockSample> samples)
{
    const auto best = std::ranges::min_element(
        samples, {}, [](const ClockSample& sample) { return sample.receivedNs - sample.sentNs; });
    if (best == samples.end())
        return std::nullopt;
    const std::int64_t trip = best->receivedNs - best->sentNs;
    return ClockOffset{.atNs = best->remoteNs,
                       .offsetNs = best->remoteNs - (best->sentNs + trip / 2),
                       .errorNs = (trip + 1) / 2};
}

ClockLine::ClockLine(const ClockOffset& first, const ClockOffset& last)
    : m_atNs(first.atNs),
      m_offsetNs(first.offsetNs),
      m_errorNs(std::max(first.errorNs, last.errorNs))
{
    const std::int64_t apart = last.atNs - first.atNs;
    if (apart > errorsBetween * (first.errorNs + last.errorNs)) {
        m_slope = static_cast<double>(last.offsetNs - first.offsetNs) / static_cast<double>(apart);
    } else if (last.errorNs < first.errorNs) {
        m_atNs = last.atNs;
        m_offsetNs = last.offsetNs;
    }
}

std::int64_t ClockLine::toCommon(std::int64_t localNs) const
{
    const double drift = m_slope * static_cast<double>(localNs - m_atNs);
    return localNs - m_offsetNs - static_cast<std::int64_t>(std::llround(drift));
}

} // namespace tasuki::tracer
