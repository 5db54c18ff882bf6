// SPDX-License-Identifier: GPL-3.0-or-later
// The system master is gone or silent: who takes its place, and when.
#include "keeper.h"

#include <algorithm>
#include <utility>

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
    if (m_picture.member(*top).health != Health::Expected && m_host.hasEnded(*top))
        m_endedBefore.push_back(*top);
}

/// Whether this processor comes right after the system master; those of its unit are cut off with
/// one that is elsewhere.
bool Keeper::isHeir() const
{
    if (!m_top || m_position.systemMaster)
        return false;
    Away without = m_away;
    without.insert(*m_top);
    if (m_host.isElsewhere(*m_top)) {
        const ClusterTable& table = m_picture.cluster(m_picture.subclusterOf(*m_top));
        for (const MemberRow& row : table.members) {
            if (row.unit == table.member(*m_top)->unit)
                without.insert(row.processor);
        }
    }
    return systemMaster(m_picture, without) == m_self;
}

/// The system master does not count any more, whatever the tables say.
void Keeper::takeForAway(ProcessorId top, SteadyTime now)
{
    m_succeedFrom = now;
    m_lateSinceLease = {};
    // Who comes first by an end that was seen has not asked those who are only silent: it gives them
    // the time to answer.
    if (m_host.hasEnded(top)
        && std::erase_if(m_away, [this](ProcessorId one) { return !m_host.hasEnded(one); }) != 0) {
        const SystemTable& system = m_picture.system();
        m_succeedFrom -= (system.settings.lostAfter - system.settings.suspectAfter) * interval();
    }
    m_away.insert(top);
    reposition(now);
    m_topHeard = m_succeedFrom;
    if (m_position.systemMaster)
        report(m_book.open(now), now); // what others were to decide
}

/// A system master elsewhere is silent. Its host may be cut off with it: then those of its unit are
/// no better heirs, and the next ones are asked at once. From then on who does not answer soon is
/// taken for away too.
void Keeper::takeElsewhereForAway(ProcessorId top, SteadyTime now)
{
    m_succeedFrom = now;
    m_lateSinceLease = {};
    const bool first = m_doubtful.empty();
    takeUnitForAway(top, now);
    if (first) {
        askThoseBefore();
    } else {
        const SteadyTime asked = now - m_picture.system().settings.suspectAfter * interval();
        for (auto next = topOfAll();
             next && *next != m_self && m_host.isElsewhere(*next) && m_heard[*next] < asked;
             next = topOfAll())
            takeUnitForAway(*next, now);
    }
    reposition(now);
    if (m_position.systemMaster)
        report(m_book.open(now), now);
}

void Keeper::takeUnitForAway(ProcessorId top, SteadyTime now)
{
    const auto lost = m_picture.system().settings.lostAfter * interval();
    const ClusterTable& table = m_picture.cluster(m_picture.subclusterOf(top));
    for (const MemberRow& row : table.members) {
        if (row.processor == top
            || (row.unit == table.member(top)->unit && row.living()
                && m_host.isElsewhere(row.processor) && now - m_heard[row.processor] > lost)) {
            m_away.insert(row.processor);
            m_doubtful.insert(row.processor);
        }
    }
}

/// Asks whoever may be heir before this processor, the first of each unit.
void Keeper::askThoseBefore()
{
    Away without = m_away;
    for (auto next = systemMaster(m_picture, without);
         next && *next != m_self && m_host.isElsewhere(*next);
         next = systemMaster(m_picture, without)) {
        send(*next, Ask{});
        const ClusterTable& table = m_picture.cluster(m_picture.subclusterOf(*next));
        const UnitId unit = table.member(*next)->unit;
        for (const MemberRow& row : table.members) {
            if (row.unit == unit)
                without.insert(row.processor);
        }
    }
}

/// Who was taken for away is not, nor are those who were only because it was.
void Keeper::putBack(ProcessorId processor, SteadyTime now)
{
    const bool away = m_away.erase(processor) != 0;
    if (m_doubtful.erase(processor) != 0) {
        const std::uint32_t place = placeInSuccession(m_picture, processor);
        const Away before = std::exchange(m_doubtful, {});
        for (const ProcessorId one : before) {
            if (placeInSuccession(m_picture, one) < place)
                m_doubtful.insert(one);
            else
                m_away.erase(one);
        }
    }
    if (away)
        reposition(now);
}

/// What comes from somebody that was taken for away puts it back, unless it is too late for that. Who
/// is elsewhere may be deaf: only what it says to be heard counts.
void Keeper::hearFromAbove(ProcessorId from, bool beats)
{
    const SteadyTime now = m_clock.now();
    if (m_host.isElsewhere(from)) {
        if (!beats)
            return;
        m_heard[from] = now;
        if (m_doubtful.contains(from))
            return; // see hearAgain()
    }
    if (m_top == from)
        m_topHeard = now;
    if (m_away.contains(from))
        putBack(from, now);
}

/// Who is elsewhere and answers is put back when a majority follows it. When none follows anybody it is
/// put back too, to gather one: those who were cut off from each other go by the order of succession.
void Keeper::hearAgain(ProcessorId doubtful, std::chrono::nanoseconds reignAge, SteadyTime now)
{
    if (!m_doubtful.contains(doubtful))
        return;
    const auto recent = m_options.recentBeats * interval();
    if (reignAge <= recent) {
        m_passedOver.erase(doubtful);
        putBack(doubtful, now);
        return;
    }
    const auto passedOver = m_passedOver.find(doubtful);
    if (now - reignGranted() <= recent
        || (passedOver != m_passedOver.end() && passedOver->second > now))
        return;
    m_putBackAt = now;
    putBack(doubtful, now);
}

void Keeper::noteReign(ProcessorId reign, SteadyTime granted)
{
    if (!m_reignGrant || m_reignGrant->first != reign)
        m_reignGrant = {reign, granted};
    m_reignGrant->second = std::max(m_reignGrant->second, granted);
}

/// @return since when who is followed is known to have had a majority last; long ago: it had none
SteadyTime Keeper::reignGranted() const
{
    return m_reignGrant && m_reignGrant->first == m_support.reign() ? m_reignGrant->second
                                                                    : SteadyTime{};
}

/// Whether the system master is heard, but has no majority, and has had the time to gather one: it may
/// reach fewer than the next one does.
bool Keeper::topIsPowerless(SteadyTime now) const
{
    const auto patience = m_options.powerlessBeats * interval();
    return m_host.isElsewhere(*m_top) && m_position.unitMaster
        && now - m_grantFrom - m_lateSinceGrant > m_options.leaseWaitBeats * interval() + patience
        && now - std::max({m_putBackAt, m_succeedFrom, m_standingSince}) > patience;
}

/// Word of a system master: it lives, and is followed. It comes from above; or, when nothing does any
/// more, from whoever looks after those below somebody that is late.
void Keeper::takeStamp(ProcessorId from, const BeatReply& reply, SteadyTime now)
{
    const Stamp& stamp = *reply.stamp;
    if (!m_picture.knows(stamp.reign) || stamp.reign == m_self)
        return;
    const auto suspect = m_picture.system().settings.suspectAfter * interval();
    const bool above = from == m_position.parent || m_support.silentFor(now) > suspect;
    if (!m_support.takeWord(stamp, now) || m_position.systemMaster || !above)
        return;
    m_support.follow(stamp.reign);
    if (reply.leaseAge < suspect) // an old word, though it is news, is no sign of life
        hearAgain(stamp.reign, reply.reignAge, now);
}

/// Silence of the system master shows in the age of the lease: it comes down from there. On its own
/// host it can be killed, so that it acts no more when another one does. Who is elsewhere is taken for
/// away by those who are masters, but nobody acts for it before a majority has heard nothing of it for
/// longer than leases last.
void Keeper::judgeTop(SteadyTime now)
{
    const auto dead = [this](ProcessorId one) { return !m_picture.member(one).living(); };
    std::erase_if(m_away, dead);
    if (std::erase_if(m_doubtful, dead) != 0)
        reposition(now);
    if (!topIsSilent(now))
        return;
    if (m_host.isElsewhere(*m_top) && topIsPowerless(now))
        m_passedOver[*m_top] = now + m_options.passedOverBeats * interval();
    if (m_host.isElsewhere(*m_top)) {
        takeElsewhereForAway(*m_top, now);
        return;
    }
    const auto since = now - std::max({m_topLease, m_topHeard, m_succeedFrom});
    takeForAway(*m_top, now);
    if (!m_position.systemMaster)
        return; // somebody else sees to it
    for (const ProcessorId silent : Away(m_away)) {
        if (m_doubtful.contains(silent))
            continue;
        observe({.processor = silent,
                 .what = Observation::Silent,
                 .cause = m_host.presence(silent) == Presence::Stopped ? HealthCause::Stopped
                                                                       : HealthCause::Silent,
                 .since = duration_cast<microseconds>(since)},
                now);
    }
}

bool Keeper::topIsSilent(SteadyTime now) const
{
    if (!m_options.replacesSilentMaster || !m_top || m_position.systemMaster
        || !m_picture.system().started)
        return false;
    if (topIsPowerless(now))
        return true;
    const SystemTable& system = m_picture.system();
    const auto beat = m_rhythm.longest(now, m_options.leaseBeats);
    const SteadyTime heard = std::max({m_topLease, m_topHeard, m_succeedFrom});
    if (now - heard <= system.settings.suspectAfter * beat + m_lateSinceLease)
        return false;
    if (const Presence presence = m_host.presence(*m_top); presence != Presence::Elsewhere) {
        // When several of them are stopped, leases must not run out one wait after the other.
        const bool nextToo = presence == Presence::Stopped && !m_away.empty();
        return now - heard
            > (nextToo ? system.settings.suspectAfter : system.settings.lostAfter) * beat
            + m_lateSinceLease;
    }
    const auto patience = m_doubtful.empty() ? system.settings.lostAfter
                                             : system.settings.suspectAfter;
    return m_position.unitMaster && now - heard > patience * beat + m_lateSinceLease
        && now - m_parentSince > system.settings.suspectAfter * beat;
}

/// Who is told nothing of the system master any more sees it by its lease: long before anybody writes
/// it into a table, when that one is elsewhere.
void Keeper::tellSilence(SteadyTime now)
{
    const SystemTable& system = m_picture.system();
    const auto patience = system.settings.lostAfter * m_rhythm.longest(now, m_options.leaseBeats)
        + m_lateSinceLease;
    const bool silent = system.started && !m_position.systemMaster && now - m_topLease > patience;
    if (std::exchange(m_silenceSaid, silent) != silent)
        m_observer.masterSilent(silent);
}

/// Before the heir takes the system master for silent it asks it: that those between are silent is
/// no proof. Who was taken for away is asked as long as nobody acts for it.
void Keeper::askTop(SteadyTime now)
{
    if (m_position.systemMaster || m_doubtful.empty()) {
        for (const ProcessorId doubtful : m_doubtful)
            send(doubtful, Ask{});
    } else if (m_position.unitMaster && now - m_topLease > interval()) {
        askThoseBefore();
    }
    const auto suspect = m_picture.system().settings.suspectAfter * interval();
    if (now - m_topLease <= suspect || !isHeir())
        return;
    for (const ProcessorId silent : m_away)
        send(silent, Ask{});
    if (m_top != m_position.parent)
        send(*m_top, Ask{});
}

} // namespace tasuki::hierarchy
