// SPDX-License-Identifier: GPL-3.0-or-later
// The system master is gone or silent: who takes its place, and when.
#include "keeper.h"

#include <algorithm>

namespace tasuki::hierarchy {

using std::chrono::duration_cast;
using std::chrono::microseconds;

/// @return the first in the order of succession that is not taken for away here
std::optional<ProcessorId> Keeper::topOfAll() const { return systemMaster(m_picture, m_away); }

/// Sees the end of the system master's process, if it is on this host: nobody above would.
void Keeper::watchTop()
{
    const auto top = topOfAll();
    if (!top || *top == m_self || m_top == top)
        return;
    m_top = top;
    m_topHeard = m_clock.now();
    m_host.watch(*top);
    if (m_picture.member(*top).health != Health::Expected
        && m_host.presence(*top) == Presence::Gone)
        m_endedBefore.push_back(*top);
}

/// Whether this processor comes right after the system master.
bool Keeper::isHeir() const
{
    if (!m_top || m_position.systemMaster)
        return false;
    Away without = m_away;
    without.insert(*m_top);
    return systemMaster(m_picture, without) == m_self;
}

/// The system master does not count any more, whatever the tables say.
void Keeper::takeForAway(ProcessorId top, SteadyTime now)
{
    m_succeedFrom = now;
    m_lateSinceLease = {};
    // Who comes first by an end that was seen has not asked those who are only silent: it gives them
    // the time to answer.
    if (m_host.presence(top) == Presence::Gone
        && std::erase_if(m_away,
                         [this](ProcessorId one) { return m_host.presence(one) != Presence::Gone; })
            != 0) {
        const SystemTable& system = m_picture.system();
        m_succeedFrom -= (system.lostAfter - system.suspectAfter) * interval();
    }
    m_away.insert(top);
    reposition(now);
    m_topHeard = m_succeedFrom;
    if (m_position.systemMaster)
        report(m_book.open(now), now); // what others were to decide
}

/// What comes from somebody that was taken for away puts it back, unless it is too late for that.
void Keeper::hearFromAbove(ProcessorId from, SteadyTime now)
{
    if (m_top == from)
        m_topHeard = now;
    if (m_away.erase(from) != 0)
        reposition(now);
}

/// Silence of the system master shows in the age of the lease: it comes down from there. On its own
/// host it can be killed, so that it acts no more when another one does; who is elsewhere waits for
/// tables that say who is master.
void Keeper::judgeTop(SteadyTime now)
{
    std::erase_if(m_away, [this](ProcessorId one) { return !m_picture.member(one).living(); });
    if (!m_options.replacesSilentMaster || !m_top || m_position.systemMaster
        || !m_picture.system().started || m_host.presence(*m_top) == Presence::Elsewhere)
        return;
    const SteadyTime heard = std::max({m_leaseFrom, m_topHeard, m_succeedFrom});
    const auto lost = m_picture.system().lostAfter * m_rhythm.longest(now, m_options.leaseBeats);
    if (now - heard <= lost + m_lateSinceLease)
        return;
    takeForAway(*m_top, now);
    if (!m_position.systemMaster)
        return; // somebody else sees to it
    for (const ProcessorId silent : Away(m_away)) {
        observe({.processor = silent,
                 .what = Observation::Silent,
                 .cause = m_host.presence(silent) == Presence::Stopped ? HealthCause::Stopped
                                                                       : HealthCause::Silent,
                 .since = duration_cast<microseconds>(now - heard)},
                now);
    }
}

/// Before the heir takes the system master for silent it asks it: that those between are silent is
/// no proof.
void Keeper::askTop(SteadyTime now)
{
    const auto suspect = m_picture.system().suspectAfter * interval();
    if (now - m_leaseFrom <= suspect || !isHeir())
        return;
    for (const ProcessorId silent : m_away)
        send(silent, Ask{});
    if (m_top != m_position.parent)
        send(*m_top, Ask{});
}

} // namespace tasuki::hierarchy
