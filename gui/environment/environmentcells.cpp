// SPDX-License-Identifier: GPL-3.0-or-later
// The part of EnvironmentDocument that sets cells.
#include "environmentdocument.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace tasuki {

namespace {

enum class CellKind : std::uint32_t { Node, Link, LinkBothWays, General };

EnvironmentEdit::Cell cellKey(CellKind kind, std::uint32_t first, std::uint32_t second,
                              std::uint32_t field)
{
    return {static_cast<std::uint32_t>(kind), first, second, field};
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

QString EnvironmentDocument::problem(const NodeCell& cell) const
{
    plan::NodeSpec scratch;
    if (QString wrong = setField(scratch, cell.field, cell.text); !wrong.isEmpty())
        return wrong;
    if (cell.field != NodeField::Name)
        return {};
    const auto& nodes = m_environment.nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (i != cell.node && nodes[i].name == scratch.name)
            return sameName(scratch.name);
    }
    return {};
}

QString EnvironmentDocument::problem(const LinkCell& cell) const
{
    plan::LinkSpec scratch;
    return cell.text.trimmed().isEmpty() ? QString() : setField(scratch, cell.figure, cell.text);
}

QString EnvironmentDocument::problem(GeneralField field, const QString& text) const
{
    GeneralSpec scratch;
    return setField(scratch, field, text);
}

std::optional<CellFault> EnvironmentDocument::setCells(const QList<NodeCell>& cells)
{
    std::vector<plan::NodeSpec> nodes = m_environment.nodes;
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

    const std::uint32_t before = nodeCount();
    EnvironmentEdit edit;
    NodeExcerpt added;
    for (const auto& [node, unused] : touched) {
        if (node < before)
            edit.nodes.push_back({node, m_environment.nodes[node], nodes[node]});
    }
    for (std::uint32_t node = before; node < nodes.size(); ++node) {
        added.places.push_back(node);
        added.nodes.push_back(nodes[node]);
    }
    QString name = tr("Change %n cell(s)", nullptr, static_cast<int>(cells.size()));
    if (cells.size() == 1 && cells[0].node < before) {
        edit.cell = cellKey(CellKind::Node, cells[0].node, 0,
                            static_cast<std::uint32_t>(cells[0].field));
        name = tr("%1 of %2")
                   .arg(fieldName(cells[0].field), nodeName(m_environment.nodes[cells[0].node]));
    }
    if (added.places.empty()) {
        push(name, std::move(edit));
        return std::nullopt;
    }
    m_undo.beginMacro(name);
    push(name, std::move(edit));
    pushInsert(name, std::move(added));
    m_undo.endMacro();
    return std::nullopt;
}

std::optional<CellFault> EnvironmentDocument::setCells(const QList<LinkCell>& cells, bool bothWays)
{
    std::map<std::size_t, std::optional<plan::LinkSpec>> links;
    const auto set = [&](std::uint32_t from, std::uint32_t to, const LinkCell& cell) {
        const plan::Node a(from);
        const plan::Node b(to);
        const std::size_t index = m_environment.indexOf(a, b);
        auto& link = links.try_emplace(index, m_environment.links[index]).first->second;
        const plan::LinkSpec& common = from == to ? m_environment.linkInside
                                                  : m_environment.linkDefault;
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
    EnvironmentEdit edit;
    for (const auto& [index, link] : links)
        edit.links.push_back({index, m_environment.links[index], link});
    QString name = tr("Change %n cell(s)", nullptr, static_cast<int>(cells.size()));
    if (cells.size() == 1) {
        const LinkCell& cell = cells[0];
        edit.cell = cellKey(bothWays ? CellKind::LinkBothWays : CellKind::Link, cell.from, cell.to,
                            static_cast<std::uint32_t>(cell.figure));
        const auto& nodes = m_environment.nodes;
        name = (bothWays ? tr("%1 between %2 and %3") : tr("%1 from %2 to %3"))
                   .arg(fieldName(cell.figure), nodeName(nodes[cell.from]),
                        nodeName(nodes[cell.to]));
    }
    push(name, std::move(edit));
    return std::nullopt;
}

QString EnvironmentDocument::setGeneral(GeneralField field, const QString& text)
{
    const GeneralSpec before = generalOf(m_environment);
    GeneralSpec after = before;
    if (QString wrong = setField(after, field, text); !wrong.isEmpty())
        return wrong;
    EnvironmentEdit edit;
    edit.general = {.before = before, .after = after};
    edit.cell = cellKey(CellKind::General, 0, 0, static_cast<std::uint32_t>(field));
    push(fieldName(field), std::move(edit));
    return {};
}

void EnvironmentDocument::clearLinks(const QList<NodePair>& pairs, bool bothWays)
{
    std::set<std::size_t> indexes; // of those that have something to lose: most have not
    const auto add = [&](std::uint32_t from, std::uint32_t to) {
        const std::size_t index = m_environment.indexOf(plan::Node(from), plan::Node(to));
        if (m_environment.links[index])
            indexes.insert(index);
    };
    for (const auto& [from, to] : pairs) {
        add(from, to);
        if (bothWays)
            add(to, from);
    }
    EnvironmentEdit edit;
    for (const std::size_t index : indexes)
        edit.links.push_back({index, m_environment.links[index], std::nullopt});
    const auto number = static_cast<int>(edit.links.size());
    push(tr("Default for %n link(s)", nullptr, number), std::move(edit));
}

} // namespace tasuki
