// SPDX-License-Identifier: GPL-3.0-or-later
// The part of TopologyDocument that reads and writes files.
#include "config/tomlscan.h"
#include "config/topologyfile.h"
#include "topologycells.h"
#include "topologydocument.h"

#include <QFile>
#include <QPromise>
#include <QThreadPool>

#include <set>

namespace tasuki {

namespace {

std::string nativePath(const QString& path) { return QFile::encodeName(path).toStdString(); }

} // namespace

/// A file as it was read.
struct TopologyDocument::FileReading {
    std::string text;
    config::TopologyReading reading;
};

TopologyDocument::FileReading TopologyDocument::readFile(const QString& path)
{
    FileReading file;
    const std::string name = nativePath(path);
    const Result<std::string> text = config::readTopologyBytes(name);
    if (text) {
        file.text = *text;
        file.reading = config::readTopologyText(file.text, name);
    } else {
        Diagnostic told;
        told.place.file = name;
        told.message = text.error().message;
        told.remedy = text.error().remedy;
        file.reading.diagnostics.push_back(std::move(told));
    }
    return file;
}

std::vector<Diagnostic> TopologyDocument::load(const QString& path)
{
    stopOpening();
    return take(readFile(path), path);
}

void TopologyDocument::open(const QString& path)
{
    auto promise = std::make_shared<QPromise<std::shared_ptr<FileReading>>>();
    m_readingPath = path;
    m_isOpening = true;
    promise->start();
    m_reading.setFuture(promise->future());
    Q_EMIT openingChanged();
    QThreadPool::globalInstance()->start([promise, path] {
        promise->addResult(std::make_shared<FileReading>(readFile(path)));
        promise->finish();
    });
}

void TopologyDocument::takeOpened()
{
    // Told late, it may be of a reading that another one has replaced.
    if (!m_isOpening || m_reading.future().resultCount() == 0)
        return;
    m_isOpening = false;
    const std::shared_ptr<FileReading> reading = m_reading.result();
    const bool taken = reading->reading.topology.has_value();
    const QString path = m_readingPath;
    const auto diagnostics = take(std::move(*reading), path);
    Q_EMIT openingChanged();
    Q_EMIT opened(path, taken, diagnostics);
}

/// What is being read is of no interest any more.
void TopologyDocument::stopOpening()
{
    if (!m_isOpening)
        return;
    m_isOpening = false;
    m_reading.setFuture({});
    Q_EMIT openingChanged();
}

std::vector<Diagnostic> TopologyDocument::take(FileReading reading, const QString& path)
{
    if (reading.reading.topology) {
        m_undo.clear();
        setKnown(std::move(reading.text), *reading.reading.topology);
        setPath(path);
        setAll(std::move(*reading.reading.topology), {});
    }
    return std::move(reading.reading.diagnostics);
}

Result<void> TopologyDocument::save(const QString& path)
{
    if (!m_faults.empty()) {
        return Error{.kind = ErrorKind::Input, .message = sentence(m_faults.front()).toStdString()};
    }
    Result<void> written = config::writeTopologyFile(nativePath(path), m_topology);
    if (written) {
        setKnown(textToSave(), m_topology);
        setPath(path);
        m_undo.setClean();
        Q_EMIT pathChanged(); // its content is another, even where its name is not
    }
    return written;
}

FileOnDisk TopologyDocument::lookAtFile() const
{
    return m_knownFile.look(m_path, config::readTopologyBytes);
}

void TopologyDocument::overruleFile(const FileOnDisk& file)
{
    m_knownFile.overrule(file);
    m_undo.resetClean();
    Q_EMIT cleanChanged(false);
}

std::vector<Diagnostic> TopologyDocument::takeFile(const FileOnDisk& file)
{
    config::TopologyReading reading = config::readTopologyText(file.text, nativePath(m_path));
    if (reading.topology) {
        setKnown(file.text, *reading.topology);
        exchange(tr("Take the file as it is on disk"), std::move(*reading.topology), {}, {});
        m_undo.setClean();
    }
    return std::move(reading.diagnostics);
}

std::string TopologyDocument::textToSave() const { return config::topologyFileText(m_topology); }

std::vector<std::string> TopologyDocument::ownComments() const
{
    std::vector<std::string> comments = config::tomlComments(m_knownFile.text());
    const std::vector<std::string> written = config::tomlComments(
        config::topologyFileText(m_known));
    const std::set<std::string> ours(written.begin(), written.end());
    std::erase_if(comments, [&ours](const std::string& one) { return ours.contains(one); });
    return comments;
}

} // namespace tasuki
