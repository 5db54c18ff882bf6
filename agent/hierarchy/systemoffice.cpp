// SPDX-License-Identifier: GPL-3.0-or-later
#include "systemoffice.h"

#include "orderrules.h"

#include "domain/systemevents.h"

#include <map>
#include <type_traits>
#include <utility>

namespace tasuki::hierarchy {

using std::chrono::duration_cast;
using std::chrono::microseconds;

void SystemOffice::watchStart(SteadyTime now)
{
    if (!m_participant.actsAsSystemMaster() || m_at.started())
        return;
    std::vector<ProcessorId> missing;
    bool down = false;
    for (std::uint32_t number = 0; number < m_at.view.clusterCount(); ++number) {
        const ClusterTable& table = m_at.view.cluster(SubclusterId(number));
        down = down || table.state == ClusterState::Starting;
        for (const MemberRow& row : table.members) {
            if (row.health == Health::Expected)
                missing.push_back(row.processor);
        }
    }
    // From then on it acts only by what a majority says.
    if (missing.empty() && !down && (!m_at.needsMajority() || m_state.following.hasMajority())) {
        SystemTable system = m_at.view.system();
        system.started = true;
        m_participant.writeSystem(std::move(system));
        return;
    }
    if (!m_missingSaid && now - m_begun > m_at.options.startDeadline) {
        m_missingSaid = true;
        m_observer.missing(std::move(missing));
    }
}

void SystemOffice::settleVoters(SteadyTime now)
{
    if (!m_participant.actsAsSystemMaster() || !m_at.needsMajority() || !m_at.started()
        || !m_state.lease.trusted(now))
        return;
    if (auto system = m_state.following.nextVoters(m_state.lease, now)) {
        m_participant.writeSystem(std::move(*system));
        m_state.following.forgetElectorate();
    }
}

Result<void> SystemOffice::takesOrders() const
{
    if (m_participant.actsAsSystemMaster())
        return {};
    const auto master = m_state.succession.first();
    return refusal(Phrase::tr("processor %1 is not the system master")(m_at.self.value()),
                   !m_at.fenced && master && *master != m_at.self
                       ? Phrase::tr("ask processor %1")(master->value())
                       : Phrase());
}

Result<void> SystemOffice::order(const Order& order)
{
    if (Result<void> here = takesOrders(); !here)
        return here;
    const bool others = std::visit(
        [this](const auto& wanted) {
            if constexpr (std::is_same_v<std::decay_t<decltype(wanted)>, RulesOrder>)
                return false;
            else
                return m_orders.concerns(wanted.processor);
        },
        order);
    if (Result<void> fits = orderFits(order, m_at.view, others); !fits)
        return fits;
    const SteadyTime now = m_at.clock.now();
    std::visit(
        [&](const auto& wanted) {
            // Who is to end is reported like who is lost: also a cluster master can be.
            if constexpr (std::is_same_v<std::decay_t<decltype(wanted)>, StopOrder>)
                m_participant.observe({.processor = wanted.processor,
                                       .what = Observation::Unwanted,
                                       .cause = HealthCause::Ordered},
                                      now);
            else
                m_orders.add(wanted, m_at.view);
        },
        order);
    sayOrders(now);
    return {};
}

Result<void> SystemOffice::changeSettings(const Settings& settings)
{
    if (Result<void> here = takesOrders(); !here)
        return here;
    if (Result<void> fits = settingsFit(settings); !fits)
        return fits;
    SystemTable system = m_at.view.system();
    if (system.settings == settings)
        return {};
    system.settings = settings;
    m_participant.writeSystem(std::move(system));
    m_participant.applySettings(m_at.clock.now());
    return {};
}

void SystemOffice::sayOrders(SteadyTime now)
{
    compare();
    for (auto& [subcluster, orders] : m_orders.open()) {
        const auto master = clusterMaster(m_at.view.cluster(subcluster),
                                          m_state.succession.unreachable());
        if (m_state.desk.writerOf(subcluster) != nullptr) {
            for (const NumberedOrder& order : orders)
                carryOut(m_at.self, order, now);
        } else if (master && *master != m_at.self) {
            m_messenger.send(*master, Orders{std::move(orders)});
        }
    }
    m_participant.publish();
}

/// Does what somebody wants of a table, if it is written here.
void SystemOffice::carryOut(ProcessorId issuer, const NumberedOrder& order, SteadyTime now)
{
    const SubclusterId subcluster = subclusterOf(order.wanted, m_at.view);
    TableWriter* const writer = m_state.desk.writerOf(subcluster);
    if (writer == nullptr || !writer->carryOut(issuer, order, now))
        return;
    // The run hangs on the system master: while it lives nobody goes before it, neither who is
    // promoted nor who has a role that comes earlier now.
    if (m_at.position.systemMaster && subcluster == m_at.ownSubcluster()
        && clusterMaster(writer->draft()) != m_at.self)
        writer->carryOut(PromoteOrder{m_at.self}, now);
}

void SystemOffice::carryOut(ProcessorId issuer, const Orders& orders)
{
    const SteadyTime now = m_at.clock.now();
    for (const NumberedOrder& order : orders.orders) {
        const auto* const rules = std::get_if<RulesOrder>(&order.wanted);
        const auto subject = subjectOf(order.wanted);
        if (rules != nullptr ? rules->subcluster.value() < m_at.view.clusterCount()
                             : m_at.view.knows(*subject))
            carryOut(issuer, order, now);
    }
    m_participant.publish();
}

void SystemOffice::compare()
{
    for (const OrderBook::GivenUp& given : m_orders.compare(m_at.view))
        m_observer.givenUp(given.order, given.reason);
}

void SystemOffice::recall(std::vector<RecordedSeat> seats)
{
    m_recalled = std::move(seats);
    sayRecalled();
}

void SystemOffice::sayRecalled()
{
    std::erase_if(m_recalled,
                  [this](const RecordedSeat& seat) { return !isBehind(m_at.view, seat); });
    if (m_recalled.empty() || !m_participant.actsAsSystemMaster())
        return;
    std::map<ProcessorId, Recorded> messages;
    for (const RecordedSeat& seat : m_recalled) {
        const SubclusterId subcluster = *m_at.view.subclusterOf(seat.seat);
        const auto master = clusterMaster(m_at.view.cluster(subcluster),
                                          m_state.succession.unreachable());
        if (!master)
            m_state.desk.begin(subcluster); // nobody else would
        if (TableWriter* const writer = m_state.desk.writerOf(subcluster))
            writer->recall(seat);
        else if (master && *master != m_at.self)
            messages[*master].seats.push_back(seat);
    }
    for (auto& [to, message] : messages)
        m_messenger.send(to, std::move(message));
    m_participant.publish();
}

void SystemOffice::recall(const Recorded& recorded)
{
    for (const RecordedSeat& seat : recorded.seats) {
        const auto subcluster = m_at.view.subclusterOf(seat.seat);
        TableWriter* const writer = subcluster ? m_state.desk.writerOf(*subcluster) : nullptr;
        if (writer != nullptr)
            writer->recall(seat);
    }
    m_participant.publish();
}

/// What is decided here about somebody who is not one of those that live in that life.
SystemOffice::Entry SystemOffice::entryOf(const Rejoin& plea, SteadyTime now) const
{
    const MemberRow& row = m_at.view.member(plea.processor);
    if (!m_participant.actsAsSystemMaster() || !m_state.lease.trusted(now) || !m_at.started())
        return Entry::AskOthers;
    // Who comes with a reserved number comes back from nowhere. It is one process's for ever.
    const bool mayReturn = row.reserved()
        || (m_at.settings().rejoin && row.health != Health::Left
            && arrivalOf(plea.life) == arrivalOf(row.life));
    const bool refused = !mayReturn
        || (isUnreachable(row.health) && row.cause == HealthCause::Ordered)
        || m_at.readiness == Readiness::Leaving;
    if (refused)
        return Entry::Never;
    return plea.life > row.life ? Entry::Open : Entry::OtherLife;
}

void SystemOffice::hear(ProcessorId from, const Rejoin& plea)
{
    const SteadyTime now = m_at.clock.now();
    const ProcessorId who = plea.processor;
    if (!m_at.view.knows(who) || who == m_at.self)
        return;
    const MemberRow& row = m_at.view.member(who);
    Following& following = m_state.following;
    following.hear(plea.generation, plea.renounced, now);
    if (plea.acknowledged && plea.acknowledged->leader == following.leader())
        following.note(who, plea.acknowledged->when, plea.sole);
    if (row.life == plea.life && row.health < Health::Condemned) {
        m_messenger.send(who,
                         Admission{.life = plea.life,
                                   .reply = m_messenger.replyTo(plea.number, now),
                                   .tables = newerThan({}, m_at.view),
                                   .lostFor = m_state.overlaps.lostFor(who, plea.life.previous())});
        return;
    }
    switch (entryOf(plea, now)) {
    case Entry::Open: letIn(plea, now); return;
    case Entry::OtherLife:
        m_messenger.send(
            who, Banish{.life = row.life, .lostFor = m_state.overlaps.lostFor(who, row.life)});
        return;
    case Entry::Never: m_messenger.send(who, Banish{.life = plea.life, .forGood = true}); return;
    case Entry::AskOthers: passOn(from, plea, now); return;
    }
}

void SystemOffice::letIn(const Rejoin& plea, SteadyTime now)
{
    const ProcessorId who = plea.processor;
    // Who lets it in when the tables say so may not know since when.
    if (const auto lost = m_state.overlaps.lostFor(who, plea.life.previous()))
        m_messenger.send(who, Banish{.life = plea.life.previous(), .lostFor = lost});
    const auto unheard = m_state.lookout.unheardFor(who, now);
    m_participant.observe(
        {.processor = who,
         .what = Observation::Returned,
         .cause = HealthCause::Silent,
         .since = unheard ? duration_cast<microseconds>(*unheard) : microseconds(0),
         .life = plea.life},
        now);
}

/// Tells it what is known here, and who may let it in.
void SystemOffice::passOn(ProcessorId from, const Rejoin& plea, SteadyTime now)
{
    const ProcessorId who = plea.processor;
    m_messenger.send(who, m_messenger.replyTo(plea.number, now));
    if (plea.system < m_at.view.system().version)
        m_messenger.send(who, Tables{.clusters = {}, .system = m_at.view.systemPtr()});
    // Passed on once, by whom it was said to.
    if (const auto top = m_state.succession.first();
        from == who && top && *top != m_at.self && *top != who)
        m_messenger.send(*top, plea);
}

void SystemOffice::hear(ProcessorId from, const Overlap& overlap)
{
    if (!m_at.view.knows(overlap.processor) || overlap.processor == m_at.self
        || (overlap.holding && !m_at.view.subclusterOf(overlap.holding->seat)))
        return;
    if (m_participant.actsAsSystemMaster()) {
        if (m_state.overlaps.isNew(overlap))
            m_observer.overlapTold(
                overlap, m_state.overlaps.exactlyLostFor(overlap.processor, overlap.life));
        return;
    }
    // Passed on once, by whom it was said to.
    if (const auto top = m_state.succession.first();
        from == overlap.processor && top && top != m_at.self && top != from)
        m_messenger.send(*top, overlap);
}

void SystemOffice::beginAnew()
{
    m_orders = OrderBook(m_at.self);
    m_recalled.clear();
}

} // namespace tasuki::hierarchy
