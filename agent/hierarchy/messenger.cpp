// SPDX-License-Identifier: GPL-3.0-or-later
#include "messenger.h"

#include <algorithm>
#include <utility>

namespace tasuki::hierarchy {

using std::chrono::microseconds;

namespace {

/// How exactly beats say how old a stamp is.
constexpr int supportStepsPerBeat = 4;

} // namespace

void Messenger::send(ProcessorId to, ControlMessage message)
{
    if (!m_at.fenced)
        m_control.send(to, std::move(message));
}

void Messenger::send(Mail mail)
{
    for (auto& [to, message] : mail)
        send(to, std::move(message));
}

void Messenger::ask(const std::vector<ProcessorId>& whom)
{
    for (const ProcessorId one : whom)
        send(one, Ask{});
}

void Messenger::beat(ProcessorId to, bool forLease)
{
    const SteadyTime now = m_at.clock.now();
    const std::uint64_t number = m_state.correspondence.nextNumber(now, forLease);
    m_state.following.acknowledge(now);
    send(to,
         Beat{.number = number,
              .digest = m_at.view.digest(),
              .own = m_at.ownCluster().version,
              .turns = m_at.turns,
              .readiness = m_at.readiness,
              .holding = m_state.seat.last(),
              .support = m_state.following.report(m_at.ownCluster(),
                                                  m_at.interval() / supportStepsPerBeat),
              .system = m_at.view.system().version,
              .lapsed = m_state.lease.standing() == Standing::Lapsed,
              .generation = m_state.latestGeneration(),
              .renounced = m_state.following.support().renounced(now, m_at.soleTime(now))});
}

BeatReply Messenger::replyTo(std::uint64_t number, SteadyTime now)
{
    const auto since = [now](SteadyTime then) {
        return std::chrono::ceil<microseconds>(now - then);
    };
    const bool leads = m_at.position.systemMaster;
    if (leads)
        m_state.following.stampHere(now);
    const Lease& lease = m_state.lease;
    const SupportBook& support = m_state.following.support();
    const Following::Seen seen = m_state.following.seen();
    return {.number = number,
            .digest = m_at.view.digest(),
            .leaseAge = since(leads ? now : lease.lease().given()),
            .grantAge = since(lease.grant().given()),
            .soleAge = since(lease.sole()),
            .stamp = support.newest(),
            .stampAge = std::min(std::chrono::floor<microseconds>(now - support.newestMade()),
                                 longestAge),
            .majorityAge = std::min(since(seen.granted), longestAge),
            .followedAge = std::min(since(seen.followed), longestAge),
            .generation = m_state.latestGeneration(),
            .renounced = support.renounced(now, m_at.soleTime(now))};
}

void Messenger::standDown(SteadyTime now)
{
    for (const ProcessorId processor : m_state.correspondence.beatLately(now))
        send(processor, BeatReply{.number = 0, .digest = m_at.view.digest()});
}

void Messenger::sayHolding(const HeldSeat::Look& look, bool again)
{
    const SteadyTime now = m_at.clock.now();
    const auto master = clusterMaster(m_at.ownCluster(), m_state.succession.unreachable());
    TableWriter* const writer = master == m_at.self ? m_state.desk.writerOf(m_at.ownSubcluster())
                                                    : nullptr;
    if (look.vacated && writer != nullptr)
        writer->vacated(m_at.self, *look.vacated, now);
    else if (look.vacated && master && again)
        send(*master, Vacated{*look.vacated});
    if (look.toSayTaken && writer != nullptr)
        writer->taken(m_at.self, *look.toSayTaken, now);
    else if (look.toSayTaken && master && (look.taken || again))
        send(*master, Taken{*look.toSayTaken});
}

void Messenger::sayOverlap()
{
    if (const auto saying = m_state.overlaps.due())
        m_control.send(saying->first, saying->second);
}

void Messenger::plead(ProcessorId to, SteadyTime now)
{
    const SupportBook& support = m_state.following.support();
    Rejoin plea{.processor = m_at.self,
                .life = m_at.life,
                .number = m_state.correspondence.nextNumber(now),
                .system = m_at.view.system().version,
                .generation = m_state.latestGeneration(),
                .renounced = support.renounced(now, m_at.soleTime(now))};
    if (const auto acknowledged = support.acknowledged()) {
        plea.acknowledged = acknowledged->first;
        plea.sole = acknowledged->second;
    }
    m_control.send(to, plea);
}

void Messenger::beginLife(Life life)
{
    m_at.life = life;
    m_state.correspondence.forgetSent();
    m_control.beginLife(life);
    m_state.log.beganLife(life);
}

} // namespace tasuki::hierarchy
