// SPDX-License-Identifier: GPL-3.0-or-later
#include "editedtopology.h"

#include "cells/freename.h"
#include "topologycells.h"

#include <algorithm>
#include <set>

namespace tasuki {

namespace {

using config::SubclusterSpec;
using config::Topology;
using config::TopologyFault;
using config::TopologyField;

std::string freeSubclusterName(const std::vector<SubclusterSpec>& subclusters,
                               const std::string& name)
{
    return freeName(name, config::limits::longestSubclusterName,
                    [&subclusters](const std::string& candidate) {
                        return std::ranges::find(subclusters, candidate, &SubclusterSpec::name)
                            != subclusters.end();
                    });
}

/// Stands for the row of a cell of the system.
constexpr std::size_t noRow = static_cast<std::size_t>(-1);

TopologyEdit::Cell cellKey(std::size_t row, TopologyField field)
{
    return {row, static_cast<std::size_t>(field), 0, 0};
}

/// @return whether a fault is one of a cell's own value, or of the name that it shares
bool isOf(const TopologyFault& fault, std::optional<std::size_t> row, TopologyField field)
{
    return fault.field == field
        && (fault.subcluster == row || (fault.same.has_value() && fault.same == row));
}

/// @return what is wrong with a cell, for people; empty: nothing
QString problemOf(const Topology& topology, std::optional<std::size_t> row, TopologyField field)
{
    for (const TopologyFault& fault : config::topologyFaults(topology)) {
        if (isOf(fault, row, field))
            return sentence(fault);
    }
    return {};
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
                             EditedTopology::tr("There can be %1 subclusters at most.")
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

SubclusterSpec freshSubcluster(const std::vector<SubclusterSpec>& subclusters)
{
    SubclusterSpec fresh;
    fresh.name = freeSubclusterName(subclusters,
                                    subclusters.empty() ? "system" : subclusters.back().name);
    return fresh;
}

EditedTopology::EditedTopology(QUndoStack& steps, QObject* parent)
    : QObject(parent), m_steps(steps), m_faults(config::topologyFaults({}))
{}

void EditedTopology::put(Topology topology, const QList<int>& pointed)
{
    Q_EMIT aboutToReset();
    m_topology = std::move(topology);
    m_faults = config::topologyFaults(m_topology);
    Q_EMIT reset(pointed);
    Q_EMIT changed();
}

QString EditedTopology::faultAt(const TopologyPlace& place) const
{
    const auto fault = std::ranges::find_if(m_faults, [&place](const TopologyFault& one) {
        return one.subcluster == place.subcluster && one.field == place.field;
    });
    return fault == m_faults.end() ? QString() : sentence(*fault);
}

/// @return those that exist, ascending and each once
QList<int> EditedTopology::rowsOf(const QList<int>& rows) const
{
    std::set<int> found;
    for (const int row : rows) {
        if (row >= 0 && static_cast<std::size_t>(row) < count())
            found.insert(row);
    }
    return {found.begin(), found.end()};
}

std::optional<std::size_t> EditedTopology::addSubcluster()
{
    if (!hasRoom())
        return std::nullopt;
    Topology topology = m_topology;
    const std::size_t row = count();
    topology.subclusters.push_back(freshSubcluster(topology.subclusters));
    exchange(tr("Add a subcluster"), std::move(topology), {static_cast<int>(row)}, {});
    return row;
}

bool EditedTopology::duplicate(const QList<int>& rows)
{
    const QList<int> originals = rowsOf(rows);
    const auto more = static_cast<std::size_t>(originals.size());
    if (more == 0 || isOfRunningSystem() || count() + more > config::limits::mostSubclusters)
        return false;
    Topology topology = m_topology;
    std::set<std::string> taken;
    for (const SubclusterSpec& spec : m_topology.subclusters)
        taken.insert(spec.name);
    int place = originals.back() + 1;
    QList<int> came;
    for (const int original : originals) {
        SubclusterSpec copy = m_topology.subclusters[static_cast<std::size_t>(original)];
        copy.name = freeName(copy.name, config::limits::longestSubclusterName,
                             [&taken](const std::string& name) { return taken.contains(name); });
        taken.insert(copy.name);
        topology.subclusters.insert(topology.subclusters.begin() + place, std::move(copy));
        came << place++;
    }
    exchange(tr("Duplicate %n subcluster(s)", nullptr, static_cast<int>(originals.size())),
             std::move(topology), came, originals);
    return true;
}

void EditedTopology::remove(const QList<int>& rows)
{
    const QList<int> gone = rowsOf(rows);
    if (gone.isEmpty() || isOfRunningSystem())
        return;
    Topology topology = m_topology;
    for (auto row = gone.crbegin(); row != gone.crend(); ++row)
        topology.subclusters.erase(topology.subclusters.begin() + *row);
    exchange(tr("Remove %n subcluster(s)", nullptr, static_cast<int>(gone.size())),
             std::move(topology), {}, gone);
}

bool EditedTopology::canMove(const QList<int>& rows, bool up) const
{
    const QList<int> moved = rowsOf(rows);
    if (moved.isEmpty() || isOfRunningSystem())
        return false;
    return up ? moved.front() > 0 : static_cast<std::size_t>(moved.back()) + 1 < count();
}

bool EditedTopology::move(const QList<int>& rows, bool up)
{
    if (!canMove(rows, up))
        return false;
    const QList<int> from = rowsOf(rows);
    Topology topology = m_topology;
    QList<int> to;
    const auto step = [&](int row) {
        const int other = up ? row - 1 : row + 1;
        std::swap(topology.subclusters[static_cast<std::size_t>(row)],
                  topology.subclusters[static_cast<std::size_t>(other)]);
        to << other;
    };
    if (up)
        std::for_each(from.cbegin(), from.cend(), step);
    else
        std::for_each(from.crbegin(), from.crend(), step);
    std::ranges::sort(to);
    const auto number = static_cast<int>(from.size());
    exchange(up ? tr("Move %n subcluster(s) up", nullptr, number)
                : tr("Move %n subcluster(s) down", nullptr, number),
             std::move(topology), to, from);
    return true;
}

void EditedTopology::exchange(const QString& name, Topology topology, const QList<int>& came,
                              const QList<int>& gone)
{
    m_steps.push(
        new EditStep(name, [this, other = std::move(topology), came, gone](bool forwards) mutable {
            Topology before = m_topology;
            put(std::exchange(other, std::move(before)), forwards ? came : gone);
        }));
}

void EditedTopology::push(const QString& name, TopologyEdit edit)
{
    if (!edit.isVoid()) {
        m_steps.push(new ValueStep<TopologyEdit>(
            name, std::move(edit),
            [this](const TopologyEdit& one, bool forwards) { apply(one, forwards); }));
    }
}

void EditedTopology::apply(const TopologyEdit& edit, bool forwards)
{
    const auto& subclusters = edit.of<SubclusterSpec>();
    const auto& system = edit.of<SystemSettings>();
    for (const auto& spec : subclusters)
        m_topology.subclusters[spec.place] = forwards ? spec.after : spec.before;
    for (const auto& settings : system)
        settingsOf(m_topology) = forwards ? settings.after : settings.before;
    m_faults = config::topologyFaults(m_topology);
    if (!system.empty())
        Q_EMIT systemEdited();
    if (!subclusters.empty()) {
        Q_EMIT subclustersEdited(static_cast<int>(subclusters.front().place),
                                 static_cast<int>(subclusters.back().place));
    }
    Q_EMIT changed();
}

QString EditedTopology::problem(const SubclusterCell& cell) const
{
    if (QString fixed = fixedReason(cell.field); !fixed.isEmpty())
        return fixed;
    Topology topology = m_topology;
    if (const auto wrong = setIn(topology, {cell}))
        return wrong->reason;
    return problemOf(topology, cell.subcluster, cell.field);
}

QString EditedTopology::problem(TopologyField field, const QString& text) const
{
    Topology topology = m_topology;
    if (QString wrong = setField(topology, field, text); !wrong.isEmpty())
        return wrong;
    return problemOf(topology, {}, field);
}

std::optional<CellFault> EditedTopology::setCells(const QList<SubclusterCell>& cells)
{
    for (qsizetype i = 0; i < cells.size() && isOfRunningSystem(); ++i) {
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
        edit.of<SubclusterSpec>().push_back(
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

QString EditedTopology::setSystem(TopologyField field, const QString& text)
{
    if (QString wrong = problem(field, text); !wrong.isEmpty())
        return wrong;
    Topology topology = m_topology;
    setField(topology, field, text);
    TopologyEdit edit;
    edit.of<SystemSettings>().push_back({0, settingsOf(m_topology), settingsOf(topology)});
    edit.cell = cellKey(noRow, field);
    push(fieldName(field), std::move(edit));
    return {};
}

} // namespace tasuki
