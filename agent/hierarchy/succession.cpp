// SPDX-License-Identifier: GPL-3.0-or-later
#include "succession.h"

#include <algorithm>
#include <utility>

namespace tasuki::hierarchy {

using std::chrono::nanoseconds;

std::optional<ProcessorId> Succession::newTop(SteadyTime now)
{
    const auto top = first();
    if (!top || *top == m_at.self || m_top == top)
        return std::nullopt;
    m_top = top;
    m_topHeard = now;
    return top;
}

void Succession::addUnit(ProcessorId one, Unreachable& unreachable) const
{
    const ClusterTable& table = m_at.view.cluster(m_at.view.subclusterOf(one));
    const UnitId unit = table.member(one)->unit;
    for (const MemberRow& row : table.members) {
        if (row.unit == unit)
            unreachable.insert(row.processor);
    }
}

/// Whether this processor comes right after the system master; those of its unit are cut off with
/// one that is elsewhere.
bool Succession::isSuccessor() const
{
    if (!m_top || m_at.position.systemMaster)
        return false;
    Unreachable without = m_unreachable;
    without.insert(*m_top);
    if (m_at.host.isElsewhere(*m_top))
        addUnit(*m_top, without);
    return systemMaster(m_at.view, without) == m_at.self;
}

void Succession::takeForUnreachable(ProcessorId top, SteadyTime now)
{
    m_succeedFrom = now;
    m_topLease.forgetLateness();
    // Who comes first by an end that was seen has not asked those who are only silent: it gives them
    // the time to answer.
    if (m_at.host.hasEnded(top)
        && std::erase_if(m_unreachable,
                         [this](ProcessorId one) { return !m_at.host.hasEnded(one); })
            != 0)
        m_succeedFrom -= m_at.lostTime() - m_at.suspectTime();
    m_unreachable.insert(top);
}

std::vector<ProcessorId> Succession::takeElsewhereForUnreachable(ProcessorId top, SteadyTime now)
{
    m_succeedFrom = now;
    m_topLease.forgetLateness();
    const bool isFirst = m_doubtful.empty();
    takeUnitForUnreachable(top, now);
    if (isFirst)
        return thoseBefore();
    const SteadyTime asked = now - m_at.suspectTime();
    for (auto next = first();
         next && *next != m_at.self && m_at.host.isElsewhere(*next) && m_heard[*next] < asked;
         next = first())
        takeUnitForUnreachable(*next, now);
    return {};
}

/// Those of its unit do not take its place while they hear it.
void Succession::takeUnitForUnreachable(ProcessorId top, SteadyTime now)
{
    const bool heard = now - m_heard[top] <= m_at.lostTime();
    const ClusterTable& table = m_at.view.cluster(m_at.view.subclusterOf(top));
    for (const MemberRow& row : table.members) {
        if (row.processor == top
            || (row.unit == table.member(top)->unit && row.living()
                && m_at.host.isElsewhere(row.processor)
                && (heard || now - m_heard[row.processor] > m_at.lostTime()))) {
            m_unreachable.insert(row.processor);
            m_doubtful.insert(row.processor);
        }
    }
}

/// @return whoever may be successor before this processor, the first of each unit
std::vector<ProcessorId> Succession::thoseBefore() const
{
    std::vector<ProcessorId> before;
    Unreachable without = m_unreachable;
    for (auto next = systemMaster(m_at.view, without);
         next && *next != m_at.self && m_at.host.isElsewhere(*next);
         next = systemMaster(m_at.view, without)) {
        before.push_back(*next);
        addUnit(*next, without);
    }
    return before;
}

bool Succession::putBack(ProcessorId processor)
{
    const bool unreachable = m_unreachable.erase(processor) != 0;
    if (m_doubtful.erase(processor) != 0) {
        const std::uint32_t place = placeInSuccession(m_at.view, processor);
        const Unreachable before = std::exchange(m_doubtful, {});
        for (const ProcessorId one : before) {
            if (placeInSuccession(m_at.view, one) < place)
                m_doubtful.insert(one);
            else
                m_unreachable.erase(one);
        }
    }
    return unreachable;
}

bool Succession::forgetDead()
{
    const auto dead = [this](ProcessorId one) { return !m_at.view.member(one).living(); };
    std::erase_if(m_unreachable, dead);
    return std::erase_if(m_doubtful, dead) != 0;
}

bool Succession::hear(ProcessorId from, bool beats, bool watched, SteadyTime now)
{
    if (m_at.host.isElsewhere(from)) {
        if (!beats)
            return false;
        const auto silence = now - std::exchange(m_heard[from], now);
        // Who could gather no majority may now.
        if (silence > m_at.lostTime() && (m_doubtful.contains(from) || watched))
            m_passedOver.clear();
        if (m_doubtful.contains(from))
            return false; // see hearDoubtful()
    }
    if (m_top == from) {
        m_topHeard = now;
        m_topLease.forgetLateness();
    }
    return m_unreachable.contains(from) && !m_at.host.hasEnded(from); // it may have been on its way
}

bool Succession::hearDoubtful(ProcessorId doubtful, nanoseconds majorityAge, SteadyTime now)
{
    if (!m_doubtful.contains(doubtful))
        return false;
    const auto recent = m_at.options.recentBeats * m_at.interval();
    const bool another = m_following.isRecent(now) && m_following.leader() != doubtful;
    if (majorityAge <= recent && (!another || m_at.position.systemMaster)) {
        m_passedOver.erase(doubtful);
        return true;
    }
    const auto passedOver = m_passedOver.find(doubtful);
    if (another || (passedOver != m_passedOver.end() && passedOver->second > now))
        return false;
    m_putBackAt = now;
    return true;
}

void Succession::takeTopLease(const BeatReply& reply, SteadyTime given)
{
    // That somebody after it is followed does not say that the system master lives.
    if (!reply.stamp || !m_top || !m_at.view.knows(reply.stamp->leader)
        || placeInSuccession(m_at.view, reply.stamp->leader)
            <= placeInSuccession(m_at.view, *m_top))
        m_topLease.renew(given);
}

/// Whether the system master is heard, but no majority follows it, and it has had the time to gather one:
/// it may reach fewer than the next one does.
bool Succession::isPowerless(SteadyTime now) const
{
    const MembershipOptions& options = m_at.options;
    const auto patience = options.powerlessBeats * m_at.interval();
    return m_at.host.isElsewhere(*m_top) && m_at.position.unitMaster
        && m_lease.grant().excusedAge(now) > options.leaseWaitBeats * m_at.interval() + patience
        && now - std::max({m_putBackAt, m_succeedFrom, m_lease.standingSince()}) > patience
        && now - m_following.seen().followed > patience;
}

void Succession::judgePower(SteadyTime now)
{
    if (isPowerless(now))
        m_passedOver[*m_top] = now + m_at.options.passedOverBeats * m_at.interval();
}

bool Succession::isSilent(SteadyTime now) const
{
    if (!m_at.options.replacesSilentMaster || !m_top || m_at.position.systemMaster
        || !m_at.started())
        return false;
    if (isPowerless(now))
        return true;
    const Settings& settings = m_at.settings();
    const auto beat = m_at.rhythm.longest(now, m_at.options.leaseBeats);
    const nanoseconds silent = silentFor(now) - m_topLease.late();
    if (silent <= settings.suspectAfter * beat)
        return false;
    if (const Presence presence = m_at.host.presence(*m_top); presence != Presence::Elsewhere) {
        // When several of them are stopped, leases must not run out one wait after the other.
        const bool nextToo = presence == Presence::Stopped && !m_unreachable.empty();
        return silent > (nextToo ? settings.suspectAfter : settings.lostAfter) * beat;
    }
    const auto patience = m_doubtful.empty() ? settings.lostAfter : settings.suspectAfter;
    return m_at.position.unitMaster && silent > patience * beat
        && now - m_parentSince > settings.suspectAfter * beat;
}

std::optional<bool> Succession::silenceChanged(SteadyTime now)
{
    const auto patience = m_at.settings().lostAfter
        * m_at.rhythm.longest(now, m_at.options.leaseBeats);
    const bool silent = m_at.started() && !m_at.position.systemMaster
        && m_topLease.excusedAge(now) > patience;
    return std::exchange(m_silenceSaid, silent) != silent ? std::optional(silent) : std::nullopt;
}

std::vector<ProcessorId> Succession::toAsk(SteadyTime now) const
{
    std::vector<ProcessorId> asked;
    const bool leads = m_at.position.systemMaster;
    const nanoseconds silent = m_topLease.age(now);
    if (leads || m_doubtful.empty()) {
        asked.assign(m_doubtful.begin(), m_doubtful.end());
        // Nor is anybody killed that answers, when this processor has a majority.
        if (m_lease.standing() != Standing::Valid)
            std::ranges::set_difference(m_unreachable, m_doubtful, std::back_inserter(asked));
    } else if (m_at.position.unitMaster && silent > m_at.interval()) {
        asked = thoseBefore();
    }
    if (silent <= m_at.suspectTime() || !isSuccessor())
        return asked;
    asked.insert(asked.end(), m_unreachable.begin(), m_unreachable.end());
    if (m_top != m_at.position.parent)
        asked.push_back(*m_top);
    return asked;
}

bool Succession::mayDecide(const Observed& observed, SteadyTime now) const
{
    switch (observed.what) {
    case Observation::Silent:
    case Observation::LeaseOver: break;
    case Observation::Late:
        if (!m_doubtful.empty())
            break;
        return true;
    default: return true;
    }
    if (!m_at.host.isElsewhere(observed.processor))
        return true;
    const bool since = observed.what != Observation::Silent
        || m_lease.sole() > now - observed.since + m_at.interval();
    return m_lease.trusted(now) && since;
}

void Succession::forget(ProcessorId processor)
{
    m_heard.erase(processor);
    m_unreachable.erase(processor);
    m_doubtful.erase(processor);
    if (m_top == processor)
        m_top.reset();
}

void Succession::beginAnew(SteadyTime now)
{
    m_passedOver.clear();
    m_heard.clear();
    m_unreachable.clear();
    m_doubtful.clear();
    m_top.reset();
    m_topHeard = m_succeedFrom = m_parentSince = now;
}

} // namespace tasuki::hierarchy
