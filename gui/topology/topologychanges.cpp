// SPDX-License-Identifier: GPL-3.0-or-later
#include "topologychanges.h"

#include "topologycells.h"

#include <algorithm>
#include <map>

namespace tasuki {

namespace {

using config::SubclusterSpec;
using config::Topology;
using ChangeKind = TopologyChange::Kind;

/// Finds out which subcluster became which, and what is another in them.
class Comparison {
public:
    Comparison(const Topology& before, const Topology& after) : m_before(before), m_after(after) {}

    std::vector<TopologyChange> make() &&;

private:
    void pair();
    void compareSubclusters();
    void add(TopologyChange change) { m_changes.push_back(std::move(change)); }
    template <class Fields, class Table>
    void compareCells(const Fields& fields, const std::string& subcluster, const Table& before,
                      const Table& after)
    {
        for (const config::TopologyField field : fields) {
            const QString old = editText(before, field);
            const QString fresh = editText(after, field);
            if (old != fresh) {
                add({.kind = ChangeKind::Changed,
                     .subcluster = subcluster,
                     .field = field,
                     .before = old.toStdString(),
                     .after = fresh.toStdString()});
            }
        }
    }
    /// @return the places before of those that both have and that stand elsewhere among them
    [[nodiscard]] std::vector<std::size_t> moved() const;

    const Topology& m_before;
    const Topology& m_after;
    std::vector<std::optional<std::size_t>> m_originals; ///< by place in after
    std::vector<bool> m_kept;                            ///< by place in before
    std::vector<TopologyChange> m_changes;
};

std::vector<TopologyChange> Comparison::make() &&
{
    pair();
    compareCells(systemFields, {}, m_before, m_after);
    compareSubclusters();
    return std::move(m_changes);
}

void Comparison::pair()
{
    std::map<std::string_view, std::size_t> named;
    for (std::size_t i = 0; i < m_before.subclusters.size(); ++i)
        named.try_emplace(m_before.subclusters[i].name, i);
    m_originals.resize(m_after.subclusters.size());
    m_kept.resize(m_before.subclusters.size());
    for (std::size_t i = 0; i < m_originals.size(); ++i) {
        const auto found = named.find(m_after.subclusters[i].name);
        if (found == named.end() || m_kept[found->second])
            continue;
        m_originals[i] = found->second;
        m_kept[found->second] = true;
    }
    // Renamed: all but the name is the same.
    for (std::size_t i = 0; i < std::min(m_originals.size(), m_kept.size()); ++i) {
        SubclusterSpec renamed = m_before.subclusters[i];
        renamed.name = m_after.subclusters[i].name;
        if (m_originals[i] || m_kept[i] || renamed != m_after.subclusters[i])
            continue;
        m_originals[i] = i;
        m_kept[i] = true;
    }
}

std::vector<std::size_t> Comparison::moved() const
{
    std::vector<std::size_t> order; // places in before of those that both have, as after has them
    for (const auto& original : m_originals) {
        if (original)
            order.push_back(*original);
    }
    std::vector<std::size_t> sorted = order;
    std::ranges::sort(sorted);
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (order[i] != sorted[i])
            found.push_back(order[i]);
    }
    return found;
}

void Comparison::compareSubclusters()
{
    for (std::size_t i = 0; i < m_kept.size(); ++i) {
        if (!m_kept[i])
            add({.kind = ChangeKind::Removed, .subcluster = m_before.subclusters[i].name});
    }
    const std::vector<std::size_t> elsewhere = moved();
    for (std::size_t i = 0; i < m_originals.size(); ++i) {
        const SubclusterSpec& after = m_after.subclusters[i];
        if (!m_originals[i]) {
            add({.kind = ChangeKind::Added, .subcluster = after.name});
            continue;
        }
        const SubclusterSpec& before = m_before.subclusters[*m_originals[i]];
        if (std::ranges::find(elsewhere, *m_originals[i]) != elsewhere.end())
            add({.kind = ChangeKind::Moved, .subcluster = after.name});
        compareCells(subclusterFields, after.name, before, after);
    }
}

} // namespace

std::vector<TopologyChange> topologyChanges(const Topology& before, const Topology& after)
{
    return Comparison(before, after).make();
}

} // namespace tasuki
