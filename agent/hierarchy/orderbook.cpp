// SPDX-License-Identifier: GPL-3.0-or-later
#include "orderbook.h"

#include "orderrules.h"
#include "tree.h"

#include <algorithm>

namespace tasuki::hierarchy {

namespace {

/// @return what keeps an order from ever being carried out; empty: nothing
Phrase obstacle(const TableOrder& order, const ClusterTable& table)
{
    if (!clusterMaster(table))
        return Phrase::tr("nobody of its subcluster lives");
    const auto subject = subjectOf(order);
    if (subject && table.member(*subject)->health >= Health::Condemned)
        return Phrase::tr("processor %1 was lost before")(subject->value());
    return {};
}

} // namespace

void OrderBook::add(const TableOrder& order, const MembershipView& view)
{
    const SubclusterId subcluster = subclusterOf(order, view);
    const OrderMark& mark = view.cluster(subcluster).ordered;
    // Beyond what an earlier life of this processor may have wanted.
    m_latest = 1 + std::max(m_latest, mark.issuer == m_self ? mark.number : 0);
    m_entries.push_back({.subcluster = subcluster, .order = {.number = m_latest, .wanted = order}});
}

std::vector<OrderBook::GivenUp> OrderBook::compare(const MembershipView& view)
{
    std::vector<GivenUp> out;
    std::vector<Entry> open;
    for (const Entry& entry : m_entries) {
        const ClusterTable& table = view.cluster(entry.subcluster);
        const OrderMark& mark = table.ordered;
        const bool handled = mark.issuer == m_self && mark.number >= entry.order.number;
        if (handled && (shows(entry.order.wanted, table) || overtaken(entry)))
            continue;
        Phrase reason = obstacle(entry.order.wanted, table);
        if (handled && reason.empty())
            reason = Phrase::tr("there is no vacant place for it any more");
        if (reason.empty())
            open.push_back(entry);
        else
            out.push_back({.order = entry.order.wanted, .reason = std::move(reason)});
    }
    m_entries = std::move(open);
    return out;
}

/// Whether a later order wants something else of the same.
bool OrderBook::overtaken(const Entry& entry) const
{
    return std::ranges::any_of(m_entries, [&](const Entry& other) {
        return other.order.number > entry.order.number && other.subcluster == entry.subcluster
            && other.order.wanted.index() == entry.order.wanted.index()
            && subjectOf(other.order.wanted) == subjectOf(entry.order.wanted);
    });
}

std::map<SubclusterId, std::vector<NumberedOrder>> OrderBook::open() const
{
    std::map<SubclusterId, std::vector<NumberedOrder>> out;
    for (const Entry& entry : m_entries)
        out[entry.subcluster].push_back(entry.order);
    return out;
}

bool OrderBook::concerns(ProcessorId processor) const
{
    return std::ranges::any_of(m_entries, [processor](const Entry& entry) {
        return subjectOf(entry.order.wanted) == processor;
    });
}

} // namespace tasuki::hierarchy
