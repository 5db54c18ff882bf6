// SPDX-License-Identifier: GPL-3.0-or-later
#include "environmentcells.h"

#include "cells/freename.h"
#include "environmentdocument.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace tasuki {

namespace {

using OwnLink = std::optional<plan::LinkSpec>;

enum class CellKind : std::uint8_t { Node, Link, LinkBothWays, General };

template <class Field>
EnvironmentEdit::Cell cellKey(CellKind kind, std::uint32_t first, std::uint32_t second, Field field)
{
    return {static_cast<std::size_t>(kind), first, second, static_cast<std::size_t>(field)};
}

QString changeCells(qsizetype count)
{
    return EnvironmentDocument::tr("Change %n cell(s)", nullptr, static_cast<int>(count));
}

QString nodeName(const plan::NodeSpec& node) { return QString::fromStdString(node.name); }

QString tooManyNodes()
{
    return EnvironmentDocument::tr("There can be %1 nodes at most.").arg(plan::limits::mostNodes);
}

QString sameName(const std::string& name)
{
    return EnvironmentDocument::tr(
               "Two nodes have the name \"%1\". Slots says how many tasks a node takes.")
        .arg(QString::fromStdString(name));
}

} // namespace

plan::NodeSpec freshNode(const std::vector<plan::NodeSpec>& nodes)
{
    plan::NodeSpec node;
    node.name = freeName(nodes, nodes.empty() ? "node00" : nodes.back().name);
    return node;
}

std::string freeName(const std::vector<plan::NodeSpec>& nodes, const std::string& name)
{
    return freeName(name, plan::limits::longestName, [&nodes](const std::string& candidate) {
        return std::ranges::find(nodes, candidate, &plan::NodeSpec::name) != nodes.end();
    });
}

QString problem(const plan::Environment& environment, const NodeCell& cell)
{
    plan::NodeSpec scratch;
    if (QString wrong = setField(scratch, cell.field, cell.text); !wrong.isEmpty())
        return wrong;
    if (cell.field != NodeField::Name)
        return {};
    const auto& nodes = environment.nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (i != cell.node && nodes[i].name == scratch.name)
            return sameName(scratch.name);
    }
    return {};
}

EnvironmentOutcome setCells(const plan::Environment& environment, const QList<NodeCell>& cells)
{
    std::vector<plan::NodeSpec> nodes = environment.nodes;
    std::map<std::uint32_t, std::size_t> named; // nodes that get a name, and by which cell
    std::map<std::uint32_t, bool> touched;
    for (qsizetype i = 0; i < cells.size(); ++i) {
        const NodeCell& cell = cells[i];
        const auto place = static_cast<std::size_t>(i);
        if (cell.node >= plan::limits::mostNodes)
            return CellFault{place, tooManyNodes()};
        while (nodes.size() <= cell.node)
            nodes.push_back(freshNode(nodes));
        if (QString wrong = setField(nodes[cell.node], cell.field, cell.text); !wrong.isEmpty())
            return CellFault{place, wrong};
        if (cell.field == NodeField::Name)
            named[cell.node] = place;
        touched[cell.node] = true;
    }
    // Names may be exchanged between nodes: only what they come to counts.
    std::unordered_map<std::string, std::uint32_t> owners;
    for (std::uint32_t node = 0; node < nodes.size() && !named.empty(); ++node) {
        const auto [owner, fresh] = owners.try_emplace(nodes[node].name, node);
        if (fresh)
            continue;
        const auto cell = named.contains(node) ? named.find(node) : named.find(owner->second);
        return CellFault{cell != named.end() ? cell->second : 0, sameName(nodes[node].name)};
    }

    const auto before = static_cast<std::uint32_t>(environment.nodes.size());
    EnvironmentChange change{.name = changeCells(cells.size())};
    for (const auto& [node, unused] : touched) {
        if (node < before)
            change.edit.of<plan::NodeSpec>().push_back(
                {node, environment.nodes[node], nodes[node]});
    }
    for (std::uint32_t node = before; node < nodes.size(); ++node) {
        change.added.places.push_back(node);
        change.added.nodes.push_back(nodes[node]);
    }
    if (cells.size() == 1 && cells[0].node < before) {
        change.edit.cell = cellKey(CellKind::Node, cells[0].node, 0, cells[0].field);
        change.name = EnvironmentDocument::tr("%1 of %2")
                          .arg(fieldName(cells[0].field),
                               nodeName(environment.nodes[cells[0].node]));
    }
    return change;
}

EnvironmentOutcome setCells(const plan::Environment& environment, const QList<LinkCell>& cells,
                            bool bothWays)
{
    std::map<std::size_t, OwnLink> links;
    const auto set = [&](std::uint32_t from, std::uint32_t to, const LinkCell& cell) {
        const plan::Node a(from);
        const plan::Node b(to);
        const std::size_t index = environment.indexOf(a, b);
        auto& link = links.try_emplace(index, environment.links[index]).first->second;
        const plan::LinkSpec& common = from == to ? environment.linkInside
                                                  : environment.linkDefault;
        if (cell.text.trimmed().isEmpty()) {
            // Without a0 or a1 it is no link; without a burst what was measured of it stays.
            if (cell.figure != LinkFigure::Burst)
                link.reset();
            else if (link)
                link->burstBytes = common.burstBytes;
            return QString();
        }
        // The figures that are not typed stay what they are: the default's, if the link had none.
        plan::LinkSpec figures = link.value_or(common);
        QString wrong = setField(figures, cell.figure, cell.text);
        if (wrong.isEmpty())
            link = figures;
        return wrong;
    };
    std::set<std::pair<std::uint32_t, std::uint32_t>> given;
    for (const LinkCell& cell : cells)
        given.emplace(cell.from, cell.to);
    for (qsizetype i = 0; i < cells.size(); ++i) {
        const LinkCell& cell = cells[i];
        if (QString wrong = set(cell.from, cell.to, cell); !wrong.isEmpty())
            return CellFault{static_cast<std::size_t>(i), wrong};
        if (bothWays && !given.contains({cell.to, cell.from}))
            set(cell.to, cell.from, cell);
    }
    EnvironmentChange change{.name = changeCells(cells.size())};
    for (const auto& [index, link] : links)
        change.edit.of<OwnLink>().push_back({index, environment.links[index], link});
    if (cells.size() == 1) {
        const LinkCell& cell = cells[0];
        change.edit.cell = cellKey(bothWays ? CellKind::LinkBothWays : CellKind::Link, cell.from,
                                   cell.to, cell.figure);
        const auto& nodes = environment.nodes;
        change.name = (bothWays ? EnvironmentDocument::tr("%1 between %2 and %3")
                                : EnvironmentDocument::tr("%1 from %2 to %3"))
                          .arg(fieldName(cell.figure), nodeName(nodes[cell.from]),
                               nodeName(nodes[cell.to]));
    }
    return change;
}

EnvironmentOutcome setCell(const plan::Environment& environment, GeneralField field,
                           const QString& text)
{
    const GeneralSpec before = generalOf(environment);
    GeneralSpec after = before;
    if (QString wrong = setField(after, field, text); !wrong.isEmpty())
        return CellFault{0, wrong};
    EnvironmentChange change{.name = fieldName(field)};
    change.edit.of<GeneralSpec>().push_back({0, before, after});
    change.edit.cell = cellKey(CellKind::General, 0, 0, field);
    return change;
}

EnvironmentChange clearLinks(const plan::Environment& environment, const QList<NodePair>& pairs,
                             bool bothWays)
{
    std::set<std::size_t> indexes; // of those that have something to lose: most have not
    const auto add = [&](std::uint32_t from, std::uint32_t to) {
        const std::size_t index = environment.indexOf(plan::Node(from), plan::Node(to));
        if (environment.links[index])
            indexes.insert(index);
    };
    for (const auto& [from, to] : pairs) {
        add(from, to);
        if (bothWays)
            add(to, from);
    }
    EnvironmentChange change{.name = EnvironmentDocument::tr("Default for %n link(s)", nullptr,
                                                             static_cast<int>(indexes.size()))};
    for (const std::size_t index : indexes)
        change.edit.of<OwnLink>().push_back({index, environment.links[index], std::nullopt});
    return change;
}

} // namespace tasuki
