// SPDX-License-Identifier: GPL-3.0-or-later
#include "decisionlog.h"

namespace tasuki::hierarchy {

void DecisionLog::stamped(const SupportBook& support)
{
    const auto stamp = support.newest();
    if (m_listener == nullptr || !stamp || stamp == m_stamp)
        return;
    m_stamp = stamp;
    m_listener->stamped(*stamp);
}

void DecisionLog::acknowledged(const SupportBook& support)
{
    if (m_listener == nullptr)
        return;
    const auto given = support.acknowledged();
    const auto made = support.acknowledgedMade();
    const auto newest = support.newest();
    if (!given || !made || !newest || (given == m_acknowledged && made == m_acknowledgedMade))
        return;
    m_acknowledged = given;
    m_acknowledgedMade = made;
    const auto& [stamp, alone] = *given;
    m_listener->acknowledged({.leader = stamp.leader, .when = stamp.when, .table = newest->table},
                             *made, alone);
}

void DecisionLog::counted(const Situation& at, const Lease& lease, const Electorate& electorate,
                          const SupportBook& support)
{
    if (m_listener == nullptr || !at.started())
        return;
    for (const auto& [processor, since] : electorate.endedSince()) {
        if (m_ended.insert(processor).second)
            m_listener->countsAsEnded(processor, since);
    }
    const bool leads = at.position.systemMaster;
    Words words{.lease = lease.lease().given(),
                .grant = lease.grant().given(),
                .alone = lease.sole(),
                .leaseBy = lease.leaseBy(),
                .from = support.leader()};
    if ((words.from == at.self) != leads) // it begins, or has ended, to follow itself
        words.from = leads ? std::optional(at.self) : std::nullopt;
    // The lease of a system master is always of now.
    const bool news = words.grant != m_words.grant || words.alone != m_words.alone
        || words.from != m_words.from || (!leads && words.lease != m_words.lease);
    if (!news)
        return;
    m_words = words;
    m_listener->counted(words);
}

void DecisionLog::became(Part part, Standing standing)
{
    if (m_listener == nullptr || (m_part == part && m_standing == standing))
        return;
    m_part = part;
    m_standing = standing;
    m_listener->became(part, standing);
}

void DecisionLog::renounced(const Stamp& upTo)
{
    if (m_listener != nullptr)
        m_listener->renounced(upTo);
}

void DecisionLog::adopted(const SystemTable& table)
{
    if (m_listener != nullptr)
        m_listener->adopted(table);
}

void DecisionLog::adopted(const ClusterTable& table)
{
    if (m_listener != nullptr)
        m_listener->adopted(table);
}

void DecisionLog::wrote(const SystemTable& table)
{
    if (m_listener != nullptr)
        m_listener->wrote(table);
}

void DecisionLog::wrote(const ClusterTable& table)
{
    if (m_listener != nullptr)
        m_listener->wrote(table);
}

void DecisionLog::holds(const std::optional<Holding>& holding)
{
    if (m_listener == nullptr || holding == m_holding)
        return;
    m_holding = holding;
    m_listener->holds(holding);
}

void DecisionLog::beganLife(Life life)
{
    if (m_listener != nullptr)
        m_listener->beganLife(life);
}

} // namespace tasuki::hierarchy
