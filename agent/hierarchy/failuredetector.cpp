// SPDX-License-Identifier: GPL-3.0-or-later
#include "failuredetector.h"

#include <algorithm>

namespace tasuki::hierarchy {

using std::chrono::nanoseconds;

void FailureDetector::watch(ProcessorId processor, SteadyTime heard)
{
    m_watched.try_emplace(processor,
                          Watched{.heard = heard,
                                  .latenessThen = m_lateness,
                                  .moved = heard,
                                  .latenessThenMoved = m_lateness});
}

bool FailureDetector::late(ProcessorId processor) const
{
    const auto found = m_watched.find(processor);
    return found != m_watched.end() && found->second.state != State::Fine;
}

bool FailureDetector::hasShownLife(ProcessorId processor) const
{
    const auto found = m_watched.find(processor);
    return found != m_watched.end() && found->second.shownLife;
}

std::optional<Sign> FailureDetector::standing(ProcessorId processor) const
{
    const auto found = m_watched.find(processor);
    if (found == m_watched.end())
        return std::nullopt;
    switch (found->second.state) {
    case State::Silent: return Sign::Silent;
    case State::Late: return Sign::Late;
    case State::Fine: break;
    }
    return found->second.stuck ? std::optional(Sign::Stuck) : std::nullopt;
}

void FailureDetector::excuse(ProcessorId processor, SteadyTime heard)
{
    const auto found = m_watched.find(processor);
    if (found != m_watched.end())
        found->second.heard = std::max(found->second.heard, heard);
}

void FailureDetector::excuseAll(SteadyTime now)
{
    for (auto& [processor, watched] : m_watched) {
        watched.heard = std::max(watched.heard, now);
        watched.latenessThen = m_lateness;
    }
}

void FailureDetector::beginAnew(SteadyTime now)
{
    excuseAll(now);
    for (auto& [processor, watched] : m_watched) {
        watched.state = State::Fine;
        watched.moved = now;
        watched.latenessThenMoved = m_lateness;
    }
}

void FailureDetector::hear(ProcessorId processor, SteadyTime now)
{
    const auto found = m_watched.find(processor);
    if (found == m_watched.end())
        return;
    Watched& watched = found->second;
    if (watched.state != State::Fine) { // how its main loop was meanwhile nobody has heard
        watched.moved = now;
        watched.latenessThenMoved = m_lateness;
    }
    watched.heard = std::max(watched.heard, now);
    watched.latenessThen = m_lateness;
    watched.shownLife = true;
    watched.back = watched.back || watched.state != State::Fine;
    watched.state = State::Fine;
}

void FailureDetector::hearProgress(ProcessorId processor, std::uint64_t turns, SteadyTime now)
{
    const auto found = m_watched.find(processor);
    if (found == m_watched.end() || found->second.turns == turns)
        return;
    found->second.turns = turns;
    found->second.moved = now;
    found->second.latenessThenMoved = m_lateness;
    found->second.stuck = false;
}

nanoseconds FailureDetector::lengthened(nanoseconds threshold, const Lateness& then) const
{
    const nanoseconds longest = std::max(threshold, m_thresholds.longest);
    return std::min(longest, threshold + (m_lateness.brief - then.brief))
        + std::min(m_thresholds.longestStall, m_lateness.stalled - then.stalled);
}

std::vector<Sighting> FailureDetector::look(SteadyTime now)
{
    std::vector<Sighting> sightings;
    for (auto& [processor, watched] : m_watched) {
        const nanoseconds since = now - watched.heard;
        if (watched.back) {
            watched.back = false;
            sightings.push_back({processor, Sign::Back, since});
        }
        if (watched.state == State::Fine
            && since > lengthened(m_thresholds.suspect, watched.latenessThen)) {
            watched.state = State::Late;
            sightings.push_back({processor, Sign::Late, since});
        }
        if (watched.state == State::Late
            && since > lengthened(m_thresholds.lost, watched.latenessThen)) {
            watched.state = State::Silent;
            sightings.push_back({processor, Sign::Silent, since});
        }
        const nanoseconds still = now - watched.moved;
        if (watched.state == State::Fine && !watched.stuck
            && still > m_thresholds.stuck + (m_lateness.all() - watched.latenessThenMoved.all())) {
            watched.stuck = true;
            sightings.push_back({processor, Sign::Stuck, still});
        }
    }
    return sightings;
}

SteadyTime FailureDetector::nextSign() const
{
    SteadyTime next = SteadyTime::max();
    for (const auto& [processor, watched] : m_watched) {
        if (watched.back)
            return watched.heard;
        const nanoseconds patience = watched.state == State::Fine ? m_thresholds.suspect
                                                                  : m_thresholds.lost;
        if (watched.state != State::Silent)
            next = std::min(next, watched.heard + lengthened(patience, watched.latenessThen));
        if (watched.state == State::Fine && !watched.stuck)
            next = std::min(next,
                            watched.moved + m_thresholds.stuck
                                + (m_lateness.all() - watched.latenessThenMoved.all()));
    }
    return next;
}

nanoseconds FailureDetector::allowance() const
{
    nanoseconds most{};
    for (const auto& [processor, watched] : m_watched) {
        most = std::max(most,
                        lengthened(m_thresholds.lost, watched.latenessThen) - m_thresholds.lost);
    }
    return most;
}

} // namespace tasuki::hierarchy
