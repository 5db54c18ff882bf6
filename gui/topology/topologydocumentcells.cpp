// SPDX-License-Identifier: GPL-3.0-or-later
// The part of TopologyDocument that sets cells.
#include "topologycells.h"
#include "topologydocument.h"

#include <algorithm>
#include <set>

namespace tasuki {

namespace {

using config::SubclusterSpec;
using config::Topology;
using config::TopologyFault;
using config::TopologyField;

/// Stands for the row of a cell of the system.
constexpr std::size_t noRow = static_cast<std::size_t>(-1);

TopologyEdit::Cell cellKey(std::size_t row, TopologyField field)
{
    return {row, static_cast<std::size_t>(field)};
}

/// @return whether a fault is one of a cell's own value, or of the name that it shares
bool isOf(const TopologyFault& fault, std::optional<std::size_t> row, TopologyField field)
{
    return fault.field == field
        && (fault.subcluster == row || (fault.same.has_value() && fault.same == row));
}

/// Sets cells in a copy of a topology.
/// @return the first that is wrong by itself
std::optional<CellFault> setIn(Topology& topology, const QList<SubclusterCell>& cells)
{
    for (qsizetype i = 0; i < cells.size(); ++i) {
        const SubclusterCell& cell = cells[i];
        const auto place = static_cast<std::size_t>(i);
        if (cell.subcluster >= config::limits::mostSubclusters) {
            return CellFault{place,
                             TopologyDocument::tr("There can be %1 subclusters at most.")
                                 .arg(config::limits::mostSubclusters)};
        }
        while (topology.subclusters.size() <= cell.subcluster)
            topology.subclusters.push_back(freshSubcluster(topology.subclusters));
        QString wrong = setField(topology.subclusters[cell.subcluster], cell.field, cell.text);
        if (!wrong.isEmpty())
            return CellFault{place, wrong};
    }
    return std::nullopt;
}

} // namespace

QString TopologyDocument::problem(const SubclusterCell& cell) const
{
    if (QString fixed = fixedReason(cell.field); !fixed.isEmpty())
        return fixed;
    Topology topology = m_topology;
    if (const auto wrong = setIn(topology, {cell}))
        return wrong->reason;
    const std::vector<TopologyFault> faults = config::topologyFaults(topology);
    const auto found = std::ranges::find_if(faults, [&cell](const TopologyFault& fault) {
        return isOf(fault, cell.subcluster, cell.field);
    });
    return found == faults.end() ? QString() : sentence(*found);
}

QString TopologyDocument::problem(TopologyField field, const QString& text) const
{
    Topology topology = m_topology;
    if (QString wrong = setField(topology, field, text); !wrong.isEmpty())
        return wrong;
    const std::vector<TopologyFault> faults = config::topologyFaults(topology);
    const auto found = std::ranges::find_if(
        faults, [field](const TopologyFault& fault) { return isOf(fault, {}, field); });
    return found == faults.end() ? QString() : sentence(*found);
}

std::optional<CellFault> TopologyDocument::setCells(const QList<SubclusterCell>& cells)
{
    for (qsizetype i = 0; i < cells.size() && m_of == Of::RunningSystem; ++i) {
        QString fixed = fixedReason(cells[i].field);
        if (fixed.isEmpty() && cells[i].subcluster >= count())
            fixed = fixedReason(TopologyField::Name);
        if (!fixed.isEmpty())
            return CellFault{static_cast<std::size_t>(i), fixed};
    }
    Topology topology = m_topology;
    if (auto wrong = setIn(topology, cells))
        return wrong;
    // Values may be exchanged between cells: only what they come to counts.
    for (const TopologyFault& fault : config::topologyFaults(topology)) {
        for (qsizetype i = 0; i < cells.size(); ++i) {
            if (isOf(fault, cells[i].subcluster, cells[i].field))
                return CellFault{static_cast<std::size_t>(i), sentence(fault)};
        }
    }
    QString name = tr("Change %n cell(s)", nullptr, static_cast<int>(cells.size()));
    std::set<std::size_t> touched;
    for (const SubclusterCell& cell : cells)
        touched.insert(cell.subcluster);
    if (topology.subclusters.size() > count()) {
        QList<int> came;
        for (const std::size_t row : touched)
            came << static_cast<int>(row);
        exchange(name, std::move(topology), came, {});
        return std::nullopt;
    }
    TopologyEdit edit;
    for (const std::size_t row : touched)
        edit.subclusters.push_back(
            {row, m_topology.subclusters[row], std::move(topology.subclusters[row])});
    if (cells.size() == 1) {
        const SubclusterCell& cell = cells[0];
        edit.cell = cellKey(cell.subcluster, cell.field);
        name = tr("%1 of %2")
                   .arg(fieldName(cell.field),
                        QString::fromStdString(m_topology.subclusters[cell.subcluster].name));
    }
    push(name, std::move(edit));
    return std::nullopt;
}

QString TopologyDocument::setSystem(TopologyField field, const QString& text)
{
    if (QString wrong = problem(field, text); !wrong.isEmpty())
        return wrong;
    Topology topology = m_topology;
    setField(topology, field, text);
    TopologyEdit edit;
    edit.system = {.before = settingsOf(m_topology), .after = settingsOf(topology)};
    edit.cell = cellKey(noRow, field);
    push(fieldName(field), std::move(edit));
    return {};
}

} // namespace tasuki
