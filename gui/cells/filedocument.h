// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFutureWatcher>
#include <QList>
#include <QObject>
#include <QUndoStack>

#include "domain/diagnostic.h"
#include "fileondisk.h"

#include <any>
#include <memory>
#include <utility>
#include <vector>

namespace tasuki {

/// What reading a file has come to.
struct FileReading {
    std::any content = {}; ///< of the type that the document has; none: a diagnostic is an error
    std::vector<Diagnostic> diagnostics = {};
};

/// How files of a kind are read; on any thread.
struct FileFormat {
    KnownFile::Read bytes;
    /// One that cannot be read is a diagnostic without a line.
    std::function<FileReading(const std::string& path)> readFile;
    /// @param file  what diagnostics call it
    std::function<FileReading(const std::string& text, const std::string& file)> readText;
};

/// @param content  of a Reading, which has diagnostics too
template <class Reading, class Content>
FileFormat fileFormat(KnownFile::Read bytes, Reading (*readFile)(const std::string&),
                      Reading (*readText)(std::string_view, const std::string&),
                      std::optional<Content> Reading::*content)
{
    const auto told = [content](Reading reading) {
        FileReading file{.content = {}, .diagnostics = std::move(reading.diagnostics)};
        if (reading.*content)
            file.content = *std::move(reading.*content);
        return file;
    };
    return {.bytes = std::move(bytes),
            .readFile = [=](const std::string& path) { return told(readFile(path)); },
            .readText = [=](const std::string& text,
                            const std::string& file) { return told(readText(text, file)); }};
}

/// A document that is edited: its file and its steps of undo. What is in it is the matter of the
/// classes derived from this. GUI thread.
class FileDocument : public QObject {
    Q_OBJECT

public:
    ~FileDocument() override;

    [[nodiscard]] virtual bool isEmpty() const = 0;
    /// Empty: it was neither read from a file nor saved.
    [[nodiscard]] const QString& path() const { return m_path; }
    /// Whether it is as in the file.
    [[nodiscard]] bool isClean() const { return m_undo.isClean(); }
    [[nodiscard]] QUndoStack& undoStack() { return m_undo; }

    /// Reads a file and waits for it. A file with errors changes nothing; another one replaces the
    /// document, edits that are not saved and the steps of undo are gone.
    /// @return all that is wrong in it, warnings too
    std::vector<Diagnostic> load(const QString& path);
    /// The same without waiting: opened() follows. A later call of open() or load() takes the place
    /// of one that is under way.
    void open(const QString& path);
    [[nodiscard]] bool isOpening() const { return m_isOpening; }
    /// Replaces the file whatever stands there: see lookAtFile().
    /// @param path  may be another than before; it is the document's path from then on
    /// @return an Error of kind Input when the document is not fit to be saved
    Result<void> save(const QString& path);
    /// Back to an empty document without a file.
    void clear();

    /// Reads the document's file again.
    [[nodiscard]] FileOnDisk lookAtFile() const;
    /// Takes what somebody else has written, as one step of undo.
    /// @return all that is wrong in it; with an error nothing was taken
    std::vector<Diagnostic> takeFile(const FileOnDisk& file);
    /// The document stands: see KnownFile. There is something to save then.
    void overruleFile(const FileOnDisk& file);
    /// What the file had when it was last read or written; empty: there is none.
    [[nodiscard]] const std::string& knownText() const { return m_known.text(); }
    /// What save() would write.
    [[nodiscard]] virtual std::string textToSave() const = 0;

Q_SIGNALS:
    /// Anything in it is another.
    void changed();
    /// Its name, or its content on disk.
    void pathChanged();
    void cleanChanged(bool clean);
    void openingChanged();
    /// What open() has come to, and whether the file was taken.
    void opened(const QString& path, bool taken,
                const std::vector<tasuki::Diagnostic>& diagnostics);

protected:
    FileDocument(FileFormat format, QObject* parent);

    [[nodiscard]] virtual std::any content() const = 0;
    /// Everything is another.
    /// @param content  none: nothing is left
    virtual void setContent(std::any content) = 0;
    /// The same as a step of undo.
    void exchangeContent(const QString& name, std::any content);
    template <class Content>
    [[nodiscard]] static Content contentAs(std::any content)
    {
        return content.has_value() ? std::any_cast<Content>(std::move(content)) : Content();
    }
    /// Puts textToSave() in a file.
    [[nodiscard]] virtual Result<void> write(const std::string& path) const = 0;

private:
    struct Opening {
        std::string text;
        FileReading reading;
    };

    static Opening read(const FileFormat& format, const std::string& path);
    std::vector<Diagnostic> take(Opening file, const QString& path);
    void takeOpened();
    void stopOpening();
    void setPath(const QString& path);

    FileFormat m_format;
    QUndoStack m_undo;
    QString m_path;
    KnownFile m_known;
    QFutureWatcher<std::shared_ptr<Opening>> m_reading;
    QString m_readingPath;
    bool m_isOpening = false; ///< else what comes of a reading is of no interest
};

} // namespace tasuki
