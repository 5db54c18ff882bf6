// SPDX-License-Identifier: GPL-3.0-or-later
#include "topologydocument.h"

#include "cells/freename.h"
#include "topologycommands.h"

#include <algorithm>
#include <set>

namespace tasuki {

namespace {

using config::SubclusterSpec;
using config::Topology;

std::string freeSubclusterName(const std::vector<SubclusterSpec>& subclusters,
                               const std::string& name)
{
    return freeName(name, config::limits::longestSubclusterName,
                    [&subclusters](const std::string& candidate) {
                        return std::ranges::find(subclusters, candidate, &SubclusterSpec::name)
                            != subclusters.end();
                    });
}

} // namespace

SubclusterSpec freshSubcluster(const std::vector<SubclusterSpec>& subclusters)
{
    SubclusterSpec fresh;
    fresh.name = freeSubclusterName(subclusters,
                                    subclusters.empty() ? "system" : subclusters.back().name);
    return fresh;
}

TopologyDocument::TopologyDocument(QObject* parent, Of of)
    : QObject(parent), m_of(of), m_faults(config::topologyFaults({}))
{
    connect(&m_undo, &QUndoStack::cleanChanged, this, &TopologyDocument::cleanChanged);
    connect(&m_reading, &QFutureWatcherBase::finished, this, &TopologyDocument::takeOpened);
}

TopologyDocument::~TopologyDocument() { disconnect(&m_undo, nullptr, this, nullptr); }

void TopologyDocument::clear()
{
    stopOpening();
    m_undo.clear();
    setKnown({}, {});
    setPath({});
    setAll({}, {});
}

void TopologyDocument::setAll(Topology topology, const QList<int>& pointed)
{
    Q_EMIT aboutToReset();
    m_topology = std::move(topology);
    m_faults = config::topologyFaults(m_topology);
    Q_EMIT reset(pointed);
    Q_EMIT changed();
}

void TopologyDocument::setKnown(std::string text, Topology topology)
{
    m_knownFile.know(std::move(text));
    m_known = std::move(topology);
}

void TopologyDocument::setPath(const QString& path)
{
    if (m_path == path)
        return;
    m_path = path;
    Q_EMIT pathChanged();
}

/// @return those that exist, ascending and each once
QList<int> TopologyDocument::rowsOf(const QList<int>& rows) const
{
    std::set<int> found;
    for (const int row : rows) {
        if (row >= 0 && static_cast<std::size_t>(row) < count())
            found.insert(row);
    }
    return {found.begin(), found.end()};
}

std::optional<std::size_t> TopologyDocument::addSubcluster()
{
    if (!hasRoom())
        return std::nullopt;
    Topology topology = m_topology;
    const std::size_t row = count();
    topology.subclusters.push_back(freshSubcluster(topology.subclusters));
    exchange(tr("Add a subcluster"), std::move(topology), {static_cast<int>(row)}, {});
    return row;
}

bool TopologyDocument::duplicate(const QList<int>& rows)
{
    const QList<int> originals = rowsOf(rows);
    const auto more = static_cast<std::size_t>(originals.size());
    if (more == 0 || m_of == Of::RunningSystem || count() + more > config::limits::mostSubclusters)
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

void TopologyDocument::remove(const QList<int>& rows)
{
    const QList<int> gone = rowsOf(rows);
    if (gone.isEmpty() || m_of == Of::RunningSystem)
        return;
    Topology topology = m_topology;
    for (auto row = gone.crbegin(); row != gone.crend(); ++row)
        topology.subclusters.erase(topology.subclusters.begin() + *row);
    exchange(tr("Remove %n subcluster(s)", nullptr, static_cast<int>(gone.size())),
             std::move(topology), {}, gone);
}

bool TopologyDocument::canMove(const QList<int>& rows, bool up) const
{
    const QList<int> moved = rowsOf(rows);
    if (moved.isEmpty() || m_of == Of::RunningSystem)
        return false;
    return up ? moved.front() > 0 : static_cast<std::size_t>(moved.back()) + 1 < count();
}

bool TopologyDocument::move(const QList<int>& rows, bool up)
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

void TopologyDocument::exchange(const QString& name, Topology topology, const QList<int>& came,
                                const QList<int>& gone)
{
    m_undo.push(new ExchangeCommand(*this, name, std::move(topology), came, gone));
}

void TopologyDocument::push(const QString& name, TopologyEdit edit)
{
    if (!edit.isVoid())
        m_undo.push(new EditCommand(*this, name, std::move(edit)));
}

void TopologyDocument::apply(const TopologyEdit& edit, bool forwards)
{
    for (const auto& values : edit.subclusters)
        m_topology.subclusters[values.subcluster] = forwards ? values.after : values.before;
    if (edit.system)
        setSettings(m_topology, forwards ? edit.system->after : edit.system->before);
    m_faults = config::topologyFaults(m_topology);
    if (edit.system)
        Q_EMIT systemEdited();
    if (!edit.subclusters.empty()) {
        Q_EMIT subclustersEdited(static_cast<int>(edit.subclusters.front().subcluster),
                                 static_cast<int>(edit.subclusters.back().subcluster));
    }
    Q_EMIT changed();
}

void TopologyDocument::setLaunchText(const QString& text)
{
    if (m_launchText == text)
        return;
    m_launchText = text;
    Q_EMIT launchChanged();
}

} // namespace tasuki
