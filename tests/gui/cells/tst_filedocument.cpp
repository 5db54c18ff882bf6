// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "cells/filedocument.h"

#include <QFile>
#include <QThreadPool>

#include <optional>

namespace tst_filedocument {

using namespace tasuki;
using State = FileOnDisk::State;

namespace {

struct NumberReading {
    std::optional<int> number = {};
    std::vector<Diagnostic> diagnostics = {};
};

Result<std::string> bytesIn(const std::string& path)
{
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadOnly))
        return Error{.kind = ErrorKind::Input, .message = "unreadable"};
    return file.readAll().toStdString();
}

NumberReading numberIn(std::string_view text, const std::string& file)
{
    bool ok = false;
    const int number = QByteArray::fromStdString(std::string(text)).toInt(&ok);
    if (ok)
        return {.number = number};
    Diagnostic told;
    told.place.file = file;
    told.message = "no number";
    return {.diagnostics = {told}};
}

NumberReading numberInFile(const std::string& path)
{
    const auto text = bytesIn(path);
    return numberIn(text ? *text : std::string(), path);
}

/// A number in a file; 0 is empty, and what is below cannot be saved.
class NumberDocument : public FileDocument {
public:
    NumberDocument()
        : FileDocument(fileFormat(bytesIn, numberInFile, numberIn, &NumberReading::number), nullptr)
    {}

    [[nodiscard]] bool isEmpty() const override { return m_number == 0; }
    [[nodiscard]] std::string textToSave() const override { return std::to_string(m_number); }
    [[nodiscard]] int number() const { return m_number; }
    void set(int number) { exchangeContent(QStringLiteral("set"), number); }

protected:
    [[nodiscard]] std::any content() const override { return m_number; }
    void setContent(std::any content) override
    {
        m_number = contentAs<int>(std::move(content));
        Q_EMIT changed();
    }
    [[nodiscard]] Result<void> write(const std::string& path) const override
    {
        QFile file(QString::fromStdString(path));
        if (m_number < 0 || !file.open(QIODevice::WriteOnly))
            return Error{.kind = ErrorKind::Input, .message = "unfit"};
        file.write(QByteArray::fromStdString(textToSave()));
        return {};
    }

private:
    int m_number = 0;
};

} // namespace

/// What a document makes of its file.
/// What breaks it: edits that count as saved, somebody's writing that is not seen or cannot be
/// undone, a file that was given up and comes nevertheless.
class TestFileDocument : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath(QStringLiteral("n"));
        write("7");
        m_document = std::make_unique<NumberDocument>();
        QVERIFY(m_document->load(m_path).empty());
    }
    void loadsAndSaves();
    void opensWhatWasWantedLast();
    void takesOrOverrulesTheirs();
    void forgetsAll();

private:
    void write(const char* text) const
    {
        QFile file(m_path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<NumberDocument> m_document;
    QString m_path;
};

void TestFileDocument::loadsAndSaves()
{
    QCOMPARE(m_document->number(), 7);
    QCOMPARE(m_document->path(), m_path);
    QVERIFY(m_document->isClean() && !m_document->undoStack().canUndo());
    QSignalSpy cleans(m_document.get(), &FileDocument::cleanChanged);
    QSignalSpy paths(m_document.get(), &FileDocument::pathChanged);
    m_document->set(8);
    QVERIFY(!m_document->isClean());
    const QString other = m_folder->filePath(QStringLiteral("m"));
    QVERIFY(m_document->save(other));
    QVERIFY(m_document->isClean());
    QCOMPARE(m_document->path(), other);
    QCOMPARE(m_document->knownText(), std::string("8"));
    QCOMPARE(paths.size(), 1);
    QCOMPARE(cleans.size(), 2);
    m_document->undoStack().undo();
    QCOMPARE(m_document->number(), 7);
    QVERIFY(!m_document->isClean());
    m_document->set(-1);
    QVERIFY(!m_document->save(other) && !m_document->isClean());
    QCOMPARE(m_document->lookAtFile().state, State::AsKnown);
    // A wrong file changes nothing.
    write("x");
    QCOMPARE(m_document->load(m_path).size(), std::size_t{1});
    QCOMPARE(m_document->number(), -1);
    QCOMPARE(m_document->path(), other);
}

void TestFileDocument::opensWhatWasWantedLast()
{
    QSignalSpy opened(m_document.get(), &FileDocument::opened);
    m_document->open(m_folder->filePath(QStringLiteral("none")));
    write("9");
    m_document->open(m_path);
    QVERIFY(m_document->isOpening());
    QVERIFY(opened.wait());
    QCOMPARE(opened.size(), 1);
    QVERIFY(opened[0][1].toBool() && !m_document->isOpening());
    QCOMPARE(m_document->number(), 9);
    m_document->open(m_path);
    m_document->clear();
    QThreadPool::globalInstance()->waitForDone(); // it is read,
    QCoreApplication::sendPostedEvents();         // and that is told
    QCOMPARE(opened.size(), 1);
    QVERIFY(m_document->isEmpty());
}

void TestFileDocument::takesOrOverrulesTheirs()
{
    m_document->set(8);
    write("5");
    QCOMPARE(m_document->lookAtFile().state, State::Changed);
    QVERIFY(m_document->takeFile(m_document->lookAtFile()).empty());
    QCOMPARE(m_document->number(), 5);
    QVERIFY(m_document->isClean());
    QCOMPARE(m_document->lookAtFile().state, State::AsKnown);
    m_document->undoStack().undo();
    QCOMPARE(m_document->number(), 8);
    m_document->undoStack().redo();
    QVERIFY(m_document->isClean());
    write("4");
    m_document->overruleFile(m_document->lookAtFile());
    QCOMPARE(m_document->lookAtFile().state, State::AsKnown);
    QVERIFY(!m_document->isClean());
    write("x");
    QCOMPARE(m_document->takeFile(m_document->lookAtFile()).size(), std::size_t{1});
    QCOMPARE(m_document->number(), 5);
}

void TestFileDocument::forgetsAll()
{
    m_document->set(8);
    m_document->clear();
    QVERIFY(m_document->isEmpty() && m_document->isClean() && m_document->path().isEmpty());
    QVERIFY(m_document->knownText().empty() && !m_document->undoStack().canUndo());
    QCOMPARE(m_document->lookAtFile().state, State::AsKnown);
}

QTEST_GUILESS_MAIN(TestFileDocument)

} // namespace tst_filedocument

#include "tst_filedocument.moc"
