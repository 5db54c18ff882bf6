// SPDX-License-Identifier: GPL-3.0-or-later
#include "tabledesk.h"

#include <algorithm>

namespace tasuki::hierarchy {

TableWriter* TableDesk::writerOf(SubclusterId subcluster)
{
    const auto found = m_writing.find(subcluster);
    return found == m_writing.end() ? nullptr : &found->second;
}

bool TableDesk::lacksMaster(SubclusterId subcluster) const
{
    const auto master = clusterMaster(m_at.view.cluster(subcluster));
    return !master || m_succession.unreachable().contains(*master)
        || m_at.view.member(*master).health == Health::Condemned;
}

std::optional<ProcessorId> TableDesk::whoDecides(ProcessorId about) const
{
    const SubclusterId subcluster = m_at.view.subclusterOf(about);
    const auto master = clusterMaster(m_at.view.cluster(subcluster), m_succession.unreachable());
    const auto to = master && *master != m_at.self && *master != about ? master
                                                                       : m_succession.first();
    if (!to || *to == m_at.self || *to == about)
        return std::nullopt;
    // Who is on the host of a former system master sees its end as this processor does.
    const bool seesIt = m_succession.unreachable().contains(about)
        && m_at.host.presence(*to) != Presence::Elsewhere
        && m_at.host.presence(about) != Presence::Elsewhere;
    return seesIt ? std::nullopt : to;
}

/// Who was made cluster master by a table goes on from that one; else others may have begun terms.
/// @return the term to begin; none: the next one
std::optional<TableTerm> TableDesk::nextTerm(SubclusterId subcluster) const
{
    if (m_succession.unreachable().empty() && subcluster == m_at.ownSubcluster())
        return std::nullopt;
    return termBeyond(generationOf(m_at.view.cluster(subcluster).version.term),
                      placeInSuccession(m_at.view, m_at.self));
}

void TableDesk::begin(SubclusterId subcluster)
{
    if (!m_lease.mayWrite())
        return; // takePlace() begins when it may again
    const auto [place, added] = m_writing.try_emplace(subcluster, m_at.self,
                                                      m_at.view.cluster(subcluster),
                                                      adoptedAt(subcluster), nextTerm(subcluster));
    m_resync = m_resync || added;
}

void TableDesk::takePlace()
{
    const SubclusterId own = m_at.ownSubcluster();
    const Position& position = m_at.position;
    const bool doubtful = !m_succession.doubtful().empty();
    // While it is not sure that those who come before are no more, only what the tables say counts.
    const bool sure = !doubtful || clusterMaster(m_at.view.cluster(own)) == m_at.self;
    if (position.clusterMaster && sure && !m_writing.contains(own)
        && m_at.view.member(m_at.self).health < Health::Condemned)
        begin(own);
    // A subcluster that has a cluster master again decides for itself.
    std::erase_if(m_writing, [&](const auto& item) {
        if (item.first == own)
            return !position.clusterMaster;
        return !position.systemMaster || !lacksMaster(item.first);
    });
    if (!position.systemMaster || doubtful)
        return;
    // Nobody else would see the end of a cluster master that is condemned.
    for (const ProcessorId child : position.children) {
        const SubclusterId theirs = m_at.view.subclusterOf(child);
        if (theirs != own && m_at.view.member(child).health == Health::Condemned
            && !m_writing.contains(theirs))
            begin(theirs);
    }
}

std::vector<SubclusterId> TableDesk::before(Generation generation) const
{
    std::vector<SubclusterId> old;
    for (const auto& [subcluster, writer] : m_writing) {
        if (generationOf(writer.draft().version.term) < generation)
            old.push_back(subcluster);
    }
    return old;
}

void TableDesk::renew(SubclusterId subcluster, Generation generation)
{
    m_writing.erase(subcluster);
    m_writing.try_emplace(
        subcluster, m_at.self, m_at.view.cluster(subcluster), adoptedAt(subcluster),
        termBeyond(generation.previous(), placeInSuccession(m_at.view, m_at.self)));
    m_resync = true;
}

std::vector<ClusterTablePtr> TableDesk::publish(SteadyTime now, WallTime wall)
{
    std::vector<ClusterTablePtr> published;
    for (auto& [subcluster, writer] : m_writing) {
        if (writer.changed())
            published.push_back(writer.publish(now, wall));
    }
    return published;
}

std::vector<ProcessorId> TableDesk::concerned(const ClusterTablePtr& table)
{
    TableWriter* const writer = writerOf(table->subcluster);
    if (writer == nullptr)
        return {};
    std::vector<ProcessorId> concerned = writer->takeSeated();
    const bool urgent = writer->takeUrgent();
    // Another one is master there from now on: it goes on from this table.
    const auto master = clusterMaster(*table);
    if (master && (m_at.position.clusterMaster || table->subcluster != m_at.ownSubcluster()))
        concerned.push_back(*master);
    std::erase(concerned, m_at.self);
    // First who would go on from there if this processor were lost with what it has decided, and
    // records what has happened.
    if ((urgent || !concerned.empty()) && m_at.position.parent)
        concerned.insert(concerned.begin(), *m_at.position.parent);
    return concerned;
}

bool TableDesk::condemns() const
{
    return std::ranges::any_of(m_writing,
                               [](const auto& item) { return !item.second.condemned().empty(); });
}

std::vector<ProcessorId> TableDesk::condemned() const
{
    std::vector<ProcessorId> all;
    for (const auto& [subcluster, writer] : m_writing) {
        const auto here = writer.condemned();
        all.insert(all.end(), here.begin(), here.end());
    }
    return all;
}

std::optional<ProcessorId> TableDesk::executioner(const MemberRow& condemned,
                                                  const Lookout& lookout) const
{
    const SubclusterId subcluster = m_at.view.subclusterOf(condemned.processor);
    const MemberRow* first = nullptr;
    for (const MemberRow& row : m_at.view.cluster(subcluster).members) {
        if (row.unit == condemned.unit && row.processor != condemned.processor
            && row.processor != m_at.self && row.health == Health::Alive
            && !lookout.isLate(row.processor) && (first == nullptr || precedes(row, *first)))
            first = &row;
    }
    return first == nullptr ? std::nullopt : std::optional(first->processor);
}

std::vector<ProcessorId> TableDesk::leasesOver(SteadyTime now)
{
    const auto wait = m_at.options.leaseWaitBeats
        * m_at.rhythm.longest(now, m_at.options.leaseWaitBeats);
    std::vector<ProcessorId> over;
    for (auto& [subcluster, writer] : m_writing) {
        writer.trustReturned(now, wait);
        const auto found = writer.leasesOver(now, wait);
        over.insert(over.end(), found.begin(), found.end());
    }
    return over;
}

Mail TableDesk::resync()
{
    const bool first = std::exchange(m_resync, false);
    Mail mail;
    for (const auto& [subcluster, writer] : m_writing) {
        for (const ProcessorId processor : writer.unsynced()) {
            if (first)
                mail.emplace_back(
                    processor,
                    Tables{.clusters = {m_at.view.clusterPtr(subcluster)}, .system = nullptr});
            else if (!std::ranges::binary_search(m_at.position.children, processor))
                mail.emplace_back(processor, Ask{});
        }
    }
    return mail;
}

void TableDesk::changed(const ClusterTable& table, std::optional<ProcessorId> origin)
{
    m_adoptedAt[table.subcluster.value()] = m_at.clock.now();
    m_flow.changed(table.subcluster, origin);
    if (origin)
        m_writing.erase(table.subcluster); // somebody else has decided: begin with that
}

Mail TableDesk::toPass()
{
    Mail mail;
    if (m_flow.empty())
        return mail;
    std::vector<ProcessorId> neighbours = m_at.position.children;
    if (m_at.position.clusterMaster && m_at.position.parent)
        neighbours.push_back(*m_at.position.parent);
    for (const ProcessorId neighbour : neighbours) {
        Tables tables = m_flow.tablesFor(neighbour, m_at.view);
        if (!isEmpty(tables))
            mail.emplace_back(neighbour, std::move(tables));
    }
    m_flow.clear();
    return mail;
}

void TableDesk::beginAnew(SteadyTime now)
{
    m_writing.clear();
    m_flow = {};
    m_adoptedAt.assign(m_at.view.clusterCount(), now);
    m_resync = false;
}

} // namespace tasuki::hierarchy
