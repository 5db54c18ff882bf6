// SPDX-License-Identifier: GPL-3.0-or-later
#include "environmentdocument.h"

#include <QFile>

#include <algorithm>
#include <utility>

namespace tasuki {

namespace {

Result<std::string> bytesOf(const std::string& path)
{
    QFile file(QFile::decodeName(path.c_str()));
    if (!file.open(QIODevice::ReadOnly))
        return Error{.kind = ErrorKind::Input, .message = file.errorString().toStdString()};
    return file.readAll().toStdString();
}

/// @return the nodes that exist, ascending and each once
std::vector<std::uint32_t> placesOf(const QList<int>& nodes, std::uint32_t count)
{
    std::vector<std::uint32_t> places;
    for (const int node : nodes) {
        if (node >= 0 && static_cast<std::uint32_t>(node) < count)
            places.push_back(static_cast<std::uint32_t>(node));
    }
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
}

QList<int> asList(const std::vector<std::uint32_t>& places)
{
    QList<int> list;
    for (const std::uint32_t place : places)
        list << static_cast<int>(place);
    return list;
}

} // namespace

EnvironmentDocument::EnvironmentDocument(QObject* parent)
    : FileDocument(fileFormat(bytesOf, plan::readEnvironmentFile, plan::readEnvironmentText,
                              &plan::EnvironmentReading::environment),
                   parent)
{}

std::uint32_t EnvironmentDocument::nodeCount() const
{
    return static_cast<std::uint32_t>(m_environment.nodes.size());
}

std::string EnvironmentDocument::textToSave() const { return plan::environmentText(m_environment); }

Result<void> EnvironmentDocument::write(const std::string& path) const
{
    if (isEmpty()) {
        return Error{.kind = ErrorKind::Input,
                     .message = tr("there are no nodes").toStdString(),
                     .remedy = tr("add a node first").toStdString()};
    }
    return plan::writeEnvironmentFile(path, m_environment);
}

void EnvironmentDocument::setContent(std::any content)
{
    Q_EMIT aboutToReset();
    m_environment = contentAs<plan::Environment>(std::move(content));
    completeLinks(m_environment);
    Q_EMIT reset({});
    Q_EMIT changed();
}

void EnvironmentDocument::replace(plan::Environment environment, const QString& name)
{
    exchangeContent(name, std::move(environment));
}

std::optional<std::uint32_t> EnvironmentDocument::addNode()
{
    const std::uint32_t place = nodeCount();
    if (place >= plan::limits::mostNodes)
        return std::nullopt;
    NodeExcerpt excerpt;
    excerpt.places = {place};
    excerpt.nodes = {freshNode(m_environment.nodes)};
    push(tr("Add a node"), std::move(excerpt), true);
    return place;
}

bool EnvironmentDocument::duplicateNodes(const QList<int>& nodes)
{
    const std::uint32_t count = nodeCount();
    const std::vector<std::uint32_t> originals = placesOf(nodes, count);
    if (originals.empty() || count + originals.size() > plan::limits::mostNodes)
        return false;
    NodeExcerpt excerpt;
    std::vector<plan::NodeSpec> all = m_environment.nodes;
    // Where the copy of a node is, or the node itself.
    std::vector<std::vector<std::uint32_t>> copies(count);
    for (const std::uint32_t original : originals) {
        const auto place = static_cast<std::uint32_t>(all.size());
        plan::NodeSpec copy = all[original];
        copy.name = freeName(all, copy.name);
        all.push_back(copy);
        excerpt.places.push_back(place);
        excerpt.nodes.push_back(std::move(copy));
        copies[original].push_back(place);
    }
    const auto link = [&](std::uint32_t from, std::uint32_t to) {
        return m_environment.links[std::size_t{from} * count + to];
    };
    for (const std::uint32_t original : originals) {
        const std::uint32_t copy = copies[original].front();
        if (const auto inside = link(original, original))
            excerpt.links.push_back({.from = copy, .to = copy, .link = *inside});
        for (std::uint32_t other = 0; other < count; ++other) {
            if (other == original)
                continue;
            const auto out = link(original, other);
            const auto in = link(other, original);
            if (out)
                excerpt.links.push_back({.from = copy, .to = other, .link = *out});
            if (in)
                excerpt.links.push_back({.from = other, .to = copy, .link = *in});
            if (out && !copies[other].empty())
                excerpt.links.push_back({.from = copy, .to = copies[other].front(), .link = *out});
        }
    }
    push(tr("Duplicate %n node(s)", nullptr, static_cast<int>(originals.size())),
         std::move(excerpt), true);
    return true;
}

void EnvironmentDocument::removeNodes(const QList<int>& nodes)
{
    NodeExcerpt excerpt;
    excerpt.places = placesOf(nodes, nodeCount());
    if (excerpt.places.empty())
        return;
    const auto number = static_cast<int>(excerpt.places.size());
    push(tr("Remove %n node(s)", nullptr, number), std::move(excerpt), false);
}

QString EnvironmentDocument::problem(const NodeCell& cell) const
{
    return tasuki::problem(m_environment, cell);
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
    return take(tasuki::setCells(m_environment, cells));
}

std::optional<CellFault> EnvironmentDocument::setCells(const QList<LinkCell>& cells, bool bothWays)
{
    return take(tasuki::setCells(m_environment, cells, bothWays));
}

QString EnvironmentDocument::setGeneral(GeneralField field, const QString& text)
{
    const auto fault = take(setCell(m_environment, field, text));
    return fault ? fault->reason : QString();
}

void EnvironmentDocument::clearLinks(const QList<NodePair>& pairs, bool bothWays)
{
    take(tasuki::clearLinks(m_environment, pairs, bothWays));
}

std::optional<CellFault> EnvironmentDocument::take(EnvironmentOutcome outcome)
{
    if (const auto* fault = std::get_if<CellFault>(&outcome))
        return *fault;
    auto& change = std::get<EnvironmentChange>(outcome);
    if (change.added.places.empty()) {
        push(change.name, std::move(change.edit));
        return std::nullopt;
    }
    undoStack().beginMacro(change.name);
    push(change.name, std::move(change.edit));
    push(change.name, std::move(change.added), true);
    undoStack().endMacro();
    return std::nullopt;
}

void EnvironmentDocument::push(const QString& name, EnvironmentEdit edit)
{
    if (!edit.isVoid()) {
        undoStack().push(new ValueStep<EnvironmentEdit>(
            name, std::move(edit),
            [this](const EnvironmentEdit& one, bool forwards) { apply(one, forwards); }));
    }
}

/// @param insert  else the nodes go
void EnvironmentDocument::push(const QString& name, NodeExcerpt excerpt, bool insert)
{
    undoStack().push(
        new EditStep(name, [this, insert, excerpt = std::move(excerpt)](bool forwards) mutable {
            Q_EMIT aboutToReset();
            if (insert == forwards)
                putNodes(m_environment, excerpt);
            else
                excerpt = takeNodes(m_environment, excerpt.places);
            Q_EMIT reset(insert == forwards ? asList(excerpt.places) : QList<int>());
            Q_EMIT changed();
        }));
}

void EnvironmentDocument::apply(const EnvironmentEdit& edit, bool forwards)
{
    const auto set = [forwards](auto& target, const auto& value) {
        target = forwards ? value.after : value.before;
    };
    const auto& nodes = edit.of<plan::NodeSpec>();
    const auto& links = edit.of<std::optional<plan::LinkSpec>>();
    for (const auto& node : nodes)
        set(m_environment.nodes[node.place], node);
    for (const auto& link : links)
        set(m_environment.links[link.place], link);
    for (const auto& general : edit.of<GeneralSpec>()) {
        tasuki::setGeneral(m_environment, forwards ? general.after : general.before);
        Q_EMIT generalEdited();
    }
    if (!nodes.empty()) {
        Q_EMIT nodesEdited(static_cast<int>(nodes.front().place),
                           static_cast<int>(nodes.back().place));
    }
    if (!links.empty())
        Q_EMIT linksEdited();
    Q_EMIT changed();
}

} // namespace tasuki
