// SPDX-License-Identifier: GPL-3.0-or-later
#include "lookout.h"

#include <algorithm>

namespace tasuki::hierarchy {

using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::nanoseconds;

namespace {

/// A poll that is later than this share of a beat counts as own lateness.
constexpr int toleratedLateness = 5;
/// Between two beats it is looked so often who is late, when somebody may be.
constexpr int looksPerBeat = 4;

HealthCause causeOf(Sign sign, Presence presence)
{
    switch (sign) {
    case Sign::Late:
    case Sign::Back: return HealthCause::Late;
    case Sign::Silent:
        return presence == Presence::Stopped ? HealthCause::Stopped : HealthCause::Silent;
    case Sign::Stuck: return HealthCause::Stuck;
    }
    return HealthCause::None;
}

Observation observationOf(Sign sign)
{
    switch (sign) {
    case Sign::Late: return Observation::Late;
    case Sign::Back: return Observation::Back;
    case Sign::Silent: return Observation::Silent;
    case Sign::Stuck: return Observation::Stuck;
    }
    return Observation::Late;
}

} // namespace

std::optional<nanoseconds> Lookout::noteLateness(SteadyTime now)
{
    const nanoseconds late = now - m_due;
    if (late <= m_at.interval() / toleratedLateness)
        return std::nullopt;
    m_detector.wasLate(late);
    m_due = now;
    return late;
}

void Lookout::judgeLater(SteadyTime now)
{
    if (now - m_judgeFrom >= m_at.interval())
        m_judgeFrom = now + m_at.interval() / looksPerBeat;
}

SteadyTime Lookout::nextLook(bool settling, SteadyTime quietUntil, SteadyTime now) const
{
    const nanoseconds look = m_at.interval() / looksPerBeat;
    if (settling || !judges(now))
        return now + look;
    return std::max(now + look, std::min(m_detector.nextSign(), quietUntil) - look);
}

void Lookout::applySettings(SteadyTime now)
{
    m_detector.setThresholds({.suspect = m_at.suspectTime(),
                              .lost = m_at.lostTime(),
                              .stall = m_at.suspectTime(),
                              .stuck = m_at.options.stuckAfter});
    m_detector.excuseAll(now);
}

void Lookout::changeChildren(const std::vector<ProcessorId>& before,
                             const std::vector<ProcessorId>& after, SteadyTime now)
{
    for (const ProcessorId child : before) {
        if (!std::ranges::binary_search(after, child) && !m_adopted.contains(child))
            m_detector.unwatch(child);
    }
    for (const ProcessorId child : after)
        watch(child, now);
}

/// Watches a processor, whose process may have ended before.
/// @param heard  when it is taken as heard of
void Lookout::watch(ProcessorId processor, SteadyTime heard)
{
    if (m_detector.watches(processor))
        return;
    m_detector.watch(processor, heard);
    watchEnd(processor);
}

void Lookout::watchEnd(ProcessorId processor)
{
    m_at.host.watch(processor);
    if (m_at.view.member(processor).health != Health::Expected && m_at.host.hasEnded(processor))
        m_endedBefore.push_back(processor);
}

void Lookout::hear(ProcessorId from, SteadyTime now)
{
    const bool wasLate = m_detector.late(from);
    m_detector.hear(from, now);
    if (!wasLate)
        return;
    for (const ProcessorId child :
         positionOf(m_at.view, from, m_succession.unreachable()).children) {
        if (m_adopted.contains(child))
            m_detector.excuse(child, now - m_at.suspectTime());
    }
}

std::vector<ProcessorId> Lookout::adoptChildrenOfTheLate(SteadyTime now)
{
    std::vector<ProcessorId> late;
    const auto addIfLate = [&](ProcessorId processor) {
        if (m_detector.late(processor) || m_correspondence.staysLapsed(processor, now)
            || m_at.view.member(processor).health == Health::Condemned)
            late.push_back(processor);
    };
    std::ranges::for_each(m_at.position.children, addIfLate);
    std::ranges::for_each(m_adopted, addIfLate);
    // They have the time from here to Silent to answer.
    const SteadyTime latest = now - m_at.suspectTime();
    std::vector<ProcessorId> added;
    for (const ProcessorId processor : late) {
        for (const ProcessorId child :
             positionOf(m_at.view, processor, m_succession.unreachable()).children) {
            if (child == m_at.self || m_detector.watches(child))
                continue;
            watch(child, std::max(m_detector.heard(processor), latest));
            m_adopted.insert(child);
            added.push_back(child);
        }
    }
    return added;
}

void Lookout::dropAdopted(SteadyTime now)
{
    std::erase_if(m_adopted, [this, now](ProcessorId processor) {
        const MemberRow& row = m_at.view.member(processor);
        const auto parent = positionOf(m_at.view, processor, m_succession.unreachable()).parent;
        const bool mine = parent == m_at.self;
        const bool below = parent && m_detector.watches(*parent); // else somebody else's
        const bool inStep = below && !m_detector.late(*parent)
            && !m_correspondence.staysLapsed(*parent, now)
            && m_at.view.member(*parent).health != Health::Condemned
            && m_correspondence.isInStep(*parent);
        if (row.living() && !mine && below && !inStep)
            return false;
        if (!mine)
            m_detector.unwatch(processor);
        return true;
    });
}

Observed Lookout::observed(const Sighting& sighting) const
{
    return {.processor = sighting.processor,
            .what = observationOf(sighting.sign),
            .cause = causeOf(sighting.sign, m_at.host.presence(sighting.processor)),
            .since = duration_cast<microseconds>(sighting.since)};
}

std::vector<ProcessorId> Lookout::watched() const
{
    std::vector<ProcessorId> watched = m_at.position.children;
    watched.insert(watched.end(), m_adopted.begin(), m_adopted.end());
    return watched;
}

std::optional<Observed> Lookout::missingInTable(ProcessorId processor, SteadyTime now) const
{
    const Health health = m_at.view.member(processor).health;
    const auto sign = m_detector.standing(processor);
    if (!sign) {
        if (health != Health::Suspect || !m_detector.hasShownLife(processor))
            return std::nullopt;
        return Observed{.processor = processor, .what = Observation::Back};
    }
    const Presence presence = m_at.host.presence(processor);
    const auto since = duration_cast<microseconds>(now - m_detector.heard(processor));
    if (presence == Presence::Gone && health != Health::Expected)
        return Observed{.processor = processor,
                        .what = Observation::Gone,
                        .cause = HealthCause::Gone,
                        .since = since};
    if (actionFor(observationOf(*sign), health) == Action::None)
        return std::nullopt;
    return Observed{.processor = processor,
                    .what = observationOf(*sign),
                    .cause = causeOf(*sign, presence),
                    .since = since};
}

std::optional<nanoseconds> Lookout::unheardFor(ProcessorId one, SteadyTime now) const
{
    return m_detector.watches(one) ? std::optional(now - m_detector.heard(one)) : std::nullopt;
}

void Lookout::forget(ProcessorId processor)
{
    m_detector.unwatch(processor);
    m_adopted.erase(processor);
    std::erase(m_endedBefore, processor);
}

void Lookout::beginAnew(SteadyTime now)
{
    m_detector = FailureDetector(Thresholds{});
    m_adopted.clear();
    m_endedBefore.clear();
    m_due = m_judgeFrom = now;
}

} // namespace tasuki::hierarchy
