// SPDX-License-Identifier: GPL-3.0-or-later
// The system master is gone or silent: who takes its place, and when.
#include "keeper.h"

#include <algorithm>
#include <utility>

namespace tasuki::hierarchy {

using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::nanoseconds;

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
    m_lateSinceTop = {};
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
    m_lateSinceTop = {};
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

/// Those of its unit do not take its place while they hear it.
void Keeper::takeUnitForAway(ProcessorId top, SteadyTime now)
{
    const auto lost = m_picture.system().settings.lostAfter * interval();
    const bool heard = now - m_heard[top] <= lost;
    const ClusterTable& table = m_picture.cluster(m_picture.subclusterOf(top));
    for (const MemberRow& row : table.members) {
        if (row.processor == top
            || (row.unit == table.member(top)->unit && row.living()
                && m_host.isElsewhere(row.processor)
                && (heard || now - m_heard[row.processor] > lost))) {
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
        const auto silence = now - std::exchange(m_heard[from], now);
        // Who could gather no majority may now.
        if (silence > m_picture.system().settings.lostAfter * interval()
            && (m_doubtful.contains(from) || m_detector.watches(from)))
            m_passedOver.clear();
        if (m_doubtful.contains(from))
            return; // see hearAgain()
    }
    if (m_top == from) {
        m_topHeard = now;
        m_lateSinceTop = {};
    }
    if (m_away.contains(from) && !m_host.hasEnded(from)) // it may have been on its way
        putBack(from, now);
}

/// Who is elsewhere and answers is put back when a majority follows it. When none follows anybody it is
/// put back too, to gather one: those who were cut off from each other go by the order of succession.
void Keeper::hearAgain(ProcessorId doubtful, std::chrono::nanoseconds reignAge, SteadyTime now)
{
    if (!m_doubtful.contains(doubtful))
        return;
    const auto recent = m_options.recentBeats * interval();
    const bool another = reignIsRecent(now) && m_support.reign() != doubtful;
    if (reignAge <= recent && (!another || m_position.systemMaster)) {
        m_passedOver.erase(doubtful);
        putBack(doubtful, now);
        return;
    }
    const auto passedOver = m_passedOver.find(doubtful);
    if (another || (passedOver != m_passedOver.end() && passedOver->second > now))
        return;
    m_putBackAt = now;
    putBack(doubtful, now);
}

/// Those who followed this processor are told that it makes no stamps any more.
void Keeper::standDown(SteadyTime now)
{
    const auto suspect = m_picture.system().settings.suspectAfter * interval();
    for (const auto& [processor, when] : m_answered) {
        if (now - when <= suspect)
            send(processor, BeatReply{.number = 0, .digest = m_picture.digest()});
    }
}

/// Whether this processor may be one of those that a candidate buries when it is established: for it their
/// leases are over then, so none of them goes on by a word of it.
bool Keeper::mayBeBuriedBy(ProcessorId candidate) const
{
    const std::uint32_t place = placeInSuccession(m_picture, candidate);
    const ClusterTable& table = m_picture.cluster(m_picture.subclusterOf(m_self));
    const UnitId unit = table.member(m_self)->unit;
    return std::ranges::any_of(table.members, [&](const MemberRow& row) {
        return row.unit == unit && row.processor != candidate
            && placeInSuccession(m_picture, row.processor) < place;
    });
}

void Keeper::noteReign(const ReignSeen& seen)
{
    if (!m_reignSeen || m_reignSeen->reign != seen.reign)
        m_reignBefore = std::exchange(m_reignSeen, seen);
    m_reignSeen->granted = std::max(m_reignSeen->granted, seen.granted);
    m_reignSeen->followed = std::max(m_reignSeen->followed, seen.followed);
}

/// @return what is known of who is followed; long ago: it had no majority
Keeper::ReignSeen Keeper::reignSeen() const
{
    return m_reignSeen && m_reignSeen->reign == m_support.reign() ? *m_reignSeen : ReignSeen{};
}

/// Whether who is followed is heard, and has had a majority of late.
bool Keeper::reignIsRecent(SteadyTime now) const
{
    return m_reignSeen && m_reignSeen->reign == m_support.reign()
        && m_support.silentFor(now) <= m_picture.system().settings.lostAfter * interval()
        && now - m_reignSeen->granted <= m_options.recentBeats * interval();
}

/// Whether the system master is heard, but no majority follows it, and it has had the time to gather one:
/// it may reach fewer than the next one does.
bool Keeper::topIsPowerless(SteadyTime now) const
{
    const auto patience = m_options.powerlessBeats * interval();
    return m_host.isElsewhere(*m_top) && m_position.unitMaster
        && now - m_grantFrom - m_lateSinceGrant > m_options.leaseWaitBeats * interval() + patience
        && now - std::max({m_putBackAt, m_succeedFrom, m_standingSince}) > patience
        && now - reignSeen().followed > patience;
}

/// Word of a system master: it lives, and is followed. It comes from above; or, when nothing does any
/// more, from whoever looks after those below somebody that is late.
/// @param reignAge  how old the newest word is at most, by now, that a majority follows who made it
void Keeper::takeStamp(ProcessorId from, const BeatReply& reply, nanoseconds reignAge,
                       SteadyTime now)
{
    const Stamp& stamp = *reply.stamp;
    if (!m_picture.knows(stamp.reign) || stamp.reign == m_self)
        return;
    const auto suspect = m_picture.system().settings.suspectAfter * interval();
    const bool above = from == m_position.parent || m_support.silentFor(now) > suspect;
    if (!m_support.takeWord(stamp, now - reply.stampAge, now) || m_position.systemMaster)
        return;
    if (m_support.reign() != stamp.reign && m_support.reign() != m_self) {
        // Who has had a majority of late is left only when it has stood down itself, which those say
        // by whom its stamps came.
        const bool granted = reignIsRecent(now);
        const bool better = !granted && (above || reignAge <= m_options.recentBeats * interval());
        if (!better && (m_reignFrom != from || !above))
            return;
    }
    m_reignFrom = from;
    m_support.follow(stamp.reign);
    noteReign({.reign = stamp.reign, .granted = now - reignAge});
    if (reply.leaseAge < suspect) // an old word, though it is news, is no sign of life
        hearAgain(stamp.reign, reignAge, now);
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
    if (topIsPowerless(now))
        m_passedOver[*m_top] = now + m_options.passedOverBeats * interval();
    if (m_host.isElsewhere(*m_top)) {
        takeElsewhereForAway(*m_top, now);
        return;
    }
    const auto since = now - std::max({m_topLease, m_topHeard, m_succeedFrom});
    takeForAway(*m_top, now);
    condemnAway(since, now);
}

/// Those of this host that were taken for away are killed by who takes their place. While it has
/// no majority others may have gone on without it, and it is not for it to say who is lost.
void Keeper::condemnAway(std::chrono::nanoseconds since, SteadyTime now)
{
    if (!m_position.systemMaster || !mayWrite())
        return; // somebody else sees to it, or nobody yet
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
    if (now - heard <= system.settings.suspectAfter * beat + m_lateSinceTop)
        return false;
    if (const Presence presence = m_host.presence(*m_top); presence != Presence::Elsewhere) {
        // When several of them are stopped, leases must not run out one wait after the other.
        const bool nextToo = presence == Presence::Stopped && !m_away.empty();
        return now - heard
            > (nextToo ? system.settings.suspectAfter : system.settings.lostAfter) * beat
            + m_lateSinceTop;
    }
    const auto patience = m_doubtful.empty() ? system.settings.lostAfter
                                             : system.settings.suspectAfter;
    return m_position.unitMaster && now - heard > patience * beat + m_lateSinceTop
        && now - m_parentSince > system.settings.suspectAfter * beat;
}

/// Who is told nothing of the system master any more sees it by its lease: long before anybody writes
/// it into a table, when that one is elsewhere.
void Keeper::tellSilence(SteadyTime now)
{
    const SystemTable& system = m_picture.system();
    const auto patience = system.settings.lostAfter * m_rhythm.longest(now, m_options.leaseBeats)
        + m_lateSinceTop;
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
        // Nor is anybody killed that answers, when this processor has a majority.
        for (const ProcessorId silent : m_away) {
            if (m_standing != Standing::Valid && !m_doubtful.contains(silent))
                send(silent, Ask{});
        }
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
