// SPDX-License-Identifier: GPL-3.0-or-later
#include "environmentdocument.h"

#include "cells/freename.h"
#include "environmentcommands.h"

#include <QFile>
#include <QPromise>
#include <QThreadPool>

#include <algorithm>
#include <memory>
#include <numeric>

namespace tasuki {

namespace {

std::string fileName(const QString& path) { return QFile::encodeName(path).toStdString(); }

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

EnvironmentDocument::EnvironmentDocument(QObject* parent) : QObject(parent)
{
    connect(&m_undo, &QUndoStack::cleanChanged, this, &EnvironmentDocument::cleanChanged);
    connect(&m_reading, &QFutureWatcherBase::finished, this, [this] {
        // Told late, it may be of a reading that another one has replaced.
        if (!m_isOpening || m_reading.future().resultCount() == 0)
            return;
        m_isOpening = false;
        const std::shared_ptr<FileReading> file = m_reading.result();
        const bool taken = file->reading.environment.has_value();
        const QString path = m_readingPath;
        const auto diagnostics = take(std::move(*file), path);
        Q_EMIT openingChanged();
        Q_EMIT opened(path, taken, diagnostics);
    });
}

EnvironmentDocument::~EnvironmentDocument() { disconnect(&m_undo, nullptr, this, nullptr); }

std::uint32_t EnvironmentDocument::nodeCount() const
{
    return static_cast<std::uint32_t>(m_environment.nodes.size());
}

std::vector<Diagnostic> EnvironmentDocument::load(const QString& path)
{
    stopOpening();
    return take(readFile(fileName(path)), path);
}

void EnvironmentDocument::open(const QString& path)
{
    auto promise = std::make_shared<QPromise<std::shared_ptr<FileReading>>>();
    m_readingPath = path;
    m_isOpening = true;
    promise->start();
    m_reading.setFuture(promise->future());
    Q_EMIT openingChanged();
    QThreadPool::globalInstance()->start([promise, name = fileName(path)] {
        promise->addResult(std::make_shared<FileReading>(readFile(name)));
        promise->finish();
    });
}

/// What is being read is of no interest any more.
void EnvironmentDocument::stopOpening()
{
    if (!m_isOpening)
        return;
    m_isOpening = false;
    m_reading.setFuture({});
    Q_EMIT openingChanged();
}

EnvironmentDocument::FileReading EnvironmentDocument::readFile(const std::string& path)
{
    // In this order: what is written in between is noticed as another file, and not overlooked.
    FileReading file;
    if (Result<std::string> text = bytesOf(path))
        file.text = std::move(*text);
    file.reading = plan::readEnvironmentFile(path);
    return file;
}

std::vector<Diagnostic> EnvironmentDocument::take(FileReading file, const QString& path)
{
    if (file.reading.environment) {
        m_undo.clear();
        m_knownFile.know(std::move(file.text));
        setPath(path);
        setAll(std::move(*file.reading.environment));
    }
    return std::move(file.reading.diagnostics);
}

FileOnDisk EnvironmentDocument::lookAtFile() const { return m_knownFile.look(m_path, bytesOf); }

std::vector<Diagnostic> EnvironmentDocument::takeFile(const FileOnDisk& file)
{
    plan::EnvironmentReading reading = plan::readEnvironmentText(file.text, fileName(m_path));
    if (reading.environment) {
        m_knownFile.know(file.text);
        replace(std::move(*reading.environment), tr("Take the file as it is on disk"));
        m_undo.setClean();
    }
    return std::move(reading.diagnostics);
}

void EnvironmentDocument::overruleFile(const FileOnDisk& file)
{
    m_knownFile.overrule(file);
    m_undo.resetClean();
    Q_EMIT cleanChanged(false);
}

Result<void> EnvironmentDocument::save(const QString& path)
{
    if (isEmpty()) {
        return Error{.kind = ErrorKind::Input,
                     .message = tr("there are no nodes").toStdString(),
                     .remedy = tr("add a node first").toStdString()};
    }
    Result<void> written = plan::writeEnvironmentFile(fileName(path), m_environment);
    if (written) {
        m_knownFile.know(plan::environmentText(m_environment));
        setPath(path);
        m_undo.setClean();
    }
    return written;
}

void EnvironmentDocument::clear()
{
    stopOpening();
    m_undo.clear();
    setPath({});
    setAll({});
}

void EnvironmentDocument::replace(plan::Environment environment, const QString& name)
{
    m_undo.push(new ReplaceCommand(*this, name, std::move(environment)));
}

void EnvironmentDocument::setAll(plan::Environment environment)
{
    Q_EMIT aboutToReset();
    m_environment = std::move(environment);
    completeLinks(m_environment);
    Q_EMIT reset({});
    Q_EMIT changed();
}

void EnvironmentDocument::setPath(const QString& path)
{
    if (m_path == path)
        return;
    m_path = path;
    Q_EMIT pathChanged();
}

std::optional<std::uint32_t> EnvironmentDocument::addNode()
{
    const std::uint32_t place = nodeCount();
    if (place >= plan::limits::mostNodes)
        return std::nullopt;
    NodeExcerpt excerpt;
    excerpt.places = {place};
    excerpt.nodes = {freshNode(m_environment.nodes)};
    pushInsert(tr("Add a node"), std::move(excerpt));
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
    pushInsert(tr("Duplicate %n node(s)", nullptr, static_cast<int>(originals.size())),
               std::move(excerpt));
    return true;
}

void EnvironmentDocument::removeNodes(const QList<int>& nodes)
{
    NodeExcerpt excerpt;
    excerpt.places = placesOf(nodes, nodeCount());
    if (excerpt.places.empty())
        return;
    const auto number = static_cast<int>(excerpt.places.size());
    m_undo.push(new NodesCommand(*this, tr("Remove %n node(s)", nullptr, number),
                                 NodesCommand::Kind::Remove, std::move(excerpt)));
}

void EnvironmentDocument::push(const QString& name, EnvironmentEdit edit)
{
    if (!edit.isVoid())
        m_undo.push(new EditCommand(*this, name, std::move(edit)));
}

void EnvironmentDocument::pushInsert(const QString& name, NodeExcerpt excerpt)
{
    m_undo.push(new NodesCommand(*this, name, NodesCommand::Kind::Insert, std::move(excerpt)));
}

void EnvironmentDocument::apply(const EnvironmentEdit& edit, bool forwards)
{
    for (const auto& values : edit.nodes)
        m_environment.nodes[values.node] = forwards ? values.after : values.before;
    for (const auto& values : edit.links)
        m_environment.links[values.index] = forwards ? values.after : values.before;
    if (edit.general) {
        tasuki::setGeneral(m_environment, forwards ? edit.general->after : edit.general->before);
        Q_EMIT generalEdited();
    }
    if (!edit.nodes.empty()) {
        Q_EMIT nodesEdited(static_cast<int>(edit.nodes.front().node),
                           static_cast<int>(edit.nodes.back().node));
    }
    if (!edit.links.empty())
        Q_EMIT linksEdited();
    Q_EMIT changed();
}

void EnvironmentDocument::insert(const NodeExcerpt& excerpt)
{
    Q_EMIT aboutToReset();
    putNodes(m_environment, excerpt);
    Q_EMIT reset(asList(excerpt.places));
    Q_EMIT changed();
}

NodeExcerpt EnvironmentDocument::remove(const std::vector<std::uint32_t>& places)
{
    Q_EMIT aboutToReset();
    NodeExcerpt excerpt = takeNodes(m_environment, places);
    Q_EMIT reset({});
    Q_EMIT changed();
    return excerpt;
}

} // namespace tasuki
