// SPDX-License-Identifier: GPL-3.0-or-later
// What is told of what is decided here, to the processor and to who listens to decisions: each thing once.
#include "keeper.h"

#include <utility>

namespace tasuki::hierarchy {

void Keeper::announce()
{
    tellPart();
    m_doing = {.holding = m_holding, .leads = actsAsSystemMaster()};
    if (std::exchange(m_changed, false))
        m_observer.changed(m_picture);
}

void Keeper::tellStamp()
{
    if (m_observer.decisions == nullptr)
        return;
    const auto stamp = m_support.newest();
    if (!stamp || stamp == m_told.stamp)
        return;
    m_told.stamp = stamp;
    m_observer.decisions->stamped(*stamp);
}

void Keeper::tellAcknowledged()
{
    if (m_observer.decisions == nullptr)
        return;
    const auto given = m_support.acknowledged();
    const auto made = m_support.acknowledgedMade();
    const auto newest = m_support.newest();
    if (!given || !made || !newest
        || (given == m_told.acknowledged && made == m_told.acknowledgedMade))
        return;
    m_told.acknowledged = given;
    m_told.acknowledgedMade = made;
    const auto& [stamp, alone] = *given;
    m_observer.decisions->acknowledged(
        {.reign = stamp.reign, .when = stamp.when, .table = newest->table}, *made, alone);
}

void Keeper::tellWords()
{
    if (m_observer.decisions == nullptr || m_fenced || !m_picture.system().started)
        return;
    for (const auto& [processor, since] : m_electorate.endedSince()) {
        if (m_told.ended.insert(processor).second)
            m_observer.decisions->countsAsEnded(processor, since);
    }
    Words words{.lease = m_leaseFrom,
                .grant = m_grantFrom,
                .alone = m_soleFrom,
                .leaseBy = m_told.leaseBy,
                .from = m_support.reign()};
    if ((words.from == m_self)
        != m_position.systemMaster) // it begins, or has ended, to follow itself
        words.from = m_position.systemMaster ? std::optional(m_self) : std::nullopt;
    // The lease of a system master is always of now.
    const bool news = words.grant != m_told.words.grant || words.alone != m_told.words.alone
        || words.from != m_told.words.from
        || (!m_position.systemMaster && words.lease != m_told.words.lease);
    if (!news)
        return;
    m_told.words = words;
    m_observer.decisions->counted(words);
}

void Keeper::tellPart()
{
    if (m_observer.decisions == nullptr)
        return;
    const Part part = m_wayBack.state() == WayBack::State::Over ? Part::Over
        : m_fenced                                              ? Part::Fenced
        : actsAsSystemMaster()                                  ? Part::Acts
        : m_position.systemMaster                               ? Part::Leads
                                                                : Part::Member;
    if (m_told.part == part && m_told.standing == m_standing)
        return;
    m_told.part = part;
    m_told.standing = m_standing;
    m_observer.decisions->became(part, m_standing);
}

void Keeper::tellRenounced(const Stamp& upTo)
{
    if (m_observer.decisions != nullptr)
        m_observer.decisions->renounced(upTo);
}

void Keeper::tellAdopted(const SystemTable& table)
{
    if (m_observer.decisions != nullptr)
        m_observer.decisions->adopted(table);
}

void Keeper::tellAdopted(const ClusterTable& table)
{
    if (m_observer.decisions != nullptr)
        m_observer.decisions->adopted(table);
}

/// By which words it is written comes first.
void Keeper::tellWrote(const SystemTable& table)
{
    tellWords();
    if (m_observer.decisions != nullptr)
        m_observer.decisions->wrote(table);
}

void Keeper::tellWrote(const ClusterTable& table)
{
    tellWords();
    if (m_observer.decisions != nullptr)
        m_observer.decisions->wrote(table);
}

/// This processor holds another seat, or none.
void Keeper::hold(std::optional<Holding> holding)
{
    m_holding = holding;
    m_observer.holding(holding);
    if (m_observer.decisions != nullptr)
        m_observer.decisions->holds(holding);
}

} // namespace tasuki::hierarchy
