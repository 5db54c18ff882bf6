// SPDX-License-Identifier: GPL-3.0-or-later
// What operators want: taken by the system master, carried out by who writes the table.
#include "keeper.h"

#include "orderrules.h"

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>

namespace tasuki::hierarchy {

Result<void> Keeper::takesOrders() const
{
    if (actsAsSystemMaster())
        return {};
    const auto master = topOfAll();
    return Error{.kind = ErrorKind::Input,
                 .message = "processor " + std::to_string(m_self.value())
                     + " is not the system master",
                 .remedy = !m_fenced && master && *master != m_self
                     ? "ask processor " + std::to_string(master->value())
                     : std::string()};
}

Result<void> Keeper::order(const Order& order)
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
    if (Result<void> fits = orderFits(order, m_picture, others); !fits)
        return fits;
    const SteadyTime now = m_clock.now();
    std::visit(
        [&](const auto& wanted) {
            // Who is to end is reported like who is lost: also a cluster master can be.
            if constexpr (std::is_same_v<std::decay_t<decltype(wanted)>, StopOrder>)
                observe({.processor = wanted.processor,
                         .what = Observation::Unwanted,
                         .cause = HealthCause::Ordered},
                        now);
            else
                m_orders.add(wanted, m_picture);
        },
        order);
    sayOrders(now);
    announce();
    return {};
}

Result<void> Keeper::changeSettings(const Settings& settings)
{
    if (Result<void> here = takesOrders(); !here)
        return here;
    if (Result<void> fits = settingsFit(settings); !fits)
        return fits;
    SystemTable system = m_picture.system();
    if (system.settings == settings)
        return {};
    system.settings = settings;
    writeSystem(std::move(system));
    applySettings(m_clock.now());
    announce();
    return {};
}

/// Makes another state of the system table known. Each new writer begins a new term: it may not know
/// what the last one has said.
void Keeper::writeSystem(SystemTable system)
{
    if (system.writer != m_self) {
        system.version = {
            .term = termBeyond(system.version.term, placeInSuccession(m_picture, m_self)),
            .revision = 0};
    }
    system.writer = m_self;
    ++system.version.revision;
    // Whoever has only an earlier table that lists voters to be may take another one's for newer.
    m_votersSince = system.votersToBe.empty() ? 0 : stampTime(m_clock.now());
    m_picture.adopt(std::make_shared<const SystemTable>(std::move(system)));
    tellWrote(m_picture.system());
    m_flow.systemChanged(std::nullopt);
    m_changed = true;
}

/// Carries out what is open, or tells who does.
void Keeper::sayOrders(SteadyTime now)
{
    for (auto& [subcluster, orders] : m_orders.open()) {
        const auto master = clusterMaster(m_picture.cluster(subcluster), m_away);
        if (writerOf(subcluster) != nullptr) {
            for (const NumberedOrder& order : orders)
                carryOut(m_self, order, now);
        } else if (master && *master != m_self) {
            send(*master, Orders{std::move(orders)});
        }
    }
    publish();
}

/// Does what somebody wants of a table, if it is written here.
void Keeper::carryOut(ProcessorId issuer, const NumberedOrder& order, SteadyTime now)
{
    const SubclusterId subcluster = subclusterOf(order.wanted, m_picture);
    ClusterKeeper* const writer = writerOf(subcluster);
    if (writer == nullptr || !writer->carryOut(issuer, order, now))
        return;
    // The run hangs on the system master: while it lives nobody goes before it, neither who is
    // promoted nor who has a role that comes earlier now.
    if (m_position.systemMaster && subcluster == m_picture.subclusterOf(m_self)
        && clusterMaster(writer->draft()) != m_self)
        writer->carryOut(PromoteOrder{m_self}, now);
}

void Keeper::on(ProcessorId from, const Orders& orders)
{
    const SteadyTime now = m_clock.now();
    for (const NumberedOrder& order : orders.orders) {
        const auto* const rules = std::get_if<RulesOrder>(&order.wanted);
        const auto subject = subjectOf(order.wanted);
        if (rules != nullptr ? rules->subcluster.value() < m_picture.clusterCount()
                             : m_picture.knows(*subject))
            carryOut(from, order, now);
    }
    publish();
}

/// Forgets what the tables show, of what was seen and of what was wanted.
void Keeper::compareBooks()
{
    m_book.compare(m_picture);
    for (const OrderBook::GivenUp& given : m_orders.compare(m_picture))
        m_observer.givenUp(given.order, given.reason);
}

} // namespace tasuki::hierarchy
