// SPDX-License-Identifier: GPL-3.0-or-later
#include "filedocument.h"

#include "editstep.h"

#include <QFile>
#include <QPromise>
#include <QThreadPool>

#include <utility>

namespace tasuki {

namespace {

std::string nativePath(const QString& path) { return QFile::encodeName(path).toStdString(); }

} // namespace

FileDocument::FileDocument(FileFormat format, QObject* parent)
    : QObject(parent), m_format(std::move(format))
{
    connect(&m_undo, &QUndoStack::cleanChanged, this, &FileDocument::cleanChanged);
    connect(&m_reading, &QFutureWatcherBase::finished, this, &FileDocument::takeOpened);
}

FileDocument::~FileDocument() { disconnect(&m_undo, nullptr, this, nullptr); }

FileDocument::Opening FileDocument::read(const FileFormat& format, const std::string& path)
{
    // In this order: what is written in between is noticed as another file, and not overlooked.
    Opening file;
    if (Result<std::string> text = format.bytes(path))
        file.text = std::move(*text);
    file.reading = format.readFile(path);
    return file;
}

std::vector<Diagnostic> FileDocument::load(const QString& path)
{
    stopOpening();
    return take(read(m_format, nativePath(path)), path);
}

void FileDocument::open(const QString& path)
{
    auto promise = std::make_shared<QPromise<std::shared_ptr<Opening>>>();
    m_readingPath = path;
    m_isOpening = true;
    promise->start();
    m_reading.setFuture(promise->future());
    Q_EMIT openingChanged();
    QThreadPool::globalInstance()->start([promise, format = m_format, name = nativePath(path)] {
        promise->addResult(std::make_shared<Opening>(read(format, name)));
        promise->finish();
    });
}

void FileDocument::takeOpened()
{
    // Told late, it may be of a reading that another one has replaced.
    if (!m_isOpening || m_reading.future().resultCount() == 0)
        return;
    m_isOpening = false;
    const std::shared_ptr<Opening> file = m_reading.result();
    const bool taken = file->reading.content.has_value();
    const QString path = m_readingPath;
    const auto diagnostics = take(std::move(*file), path);
    Q_EMIT openingChanged();
    Q_EMIT opened(path, taken, diagnostics);
}

/// What is being read is of no interest any more.
void FileDocument::stopOpening()
{
    if (!m_isOpening)
        return;
    m_isOpening = false;
    m_reading.setFuture({});
    Q_EMIT openingChanged();
}

std::vector<Diagnostic> FileDocument::take(Opening file, const QString& path)
{
    if (file.reading.content.has_value()) {
        m_undo.clear();
        m_known.know(std::move(file.text));
        setPath(path);
        setContent(std::move(file.reading.content));
    }
    return std::move(file.reading.diagnostics);
}

void FileDocument::setPath(const QString& path)
{
    if (m_path == path)
        return;
    m_path = path;
    Q_EMIT pathChanged();
}

Result<void> FileDocument::save(const QString& path)
{
    Result<void> written = write(nativePath(path));
    if (written) {
        m_known.know(textToSave());
        m_path = path;
        m_undo.setClean();
        Q_EMIT pathChanged(); // its content is another, even where its name is not
    }
    return written;
}

void FileDocument::clear()
{
    stopOpening();
    m_undo.clear();
    m_known.know({});
    setPath({});
    setContent({});
}

FileOnDisk FileDocument::lookAtFile() const { return m_known.look(m_path, m_format.bytes); }

std::vector<Diagnostic> FileDocument::takeFile(const FileOnDisk& file)
{
    FileReading reading = m_format.readText(file.text, nativePath(m_path));
    if (reading.content.has_value()) {
        m_known.know(file.text);
        exchangeContent(tr("Take the file as it is on disk"), std::move(reading.content));
        m_undo.setClean();
    }
    return std::move(reading.diagnostics);
}

void FileDocument::exchangeContent(const QString& name, std::any content)
{
    m_undo.push(new EditStep(name, [this, other = std::move(content)](bool) mutable {
        std::any before = this->content();
        setContent(std::exchange(other, std::move(before)));
    }));
}

void FileDocument::overruleFile(const FileOnDisk& file)
{
    m_known.overrule(file);
    m_undo.resetClean();
    Q_EMIT cleanChanged(false);
}

} // namespace tasuki
