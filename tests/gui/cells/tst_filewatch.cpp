// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>

#include "cells/fileondisk.h"
#include "cells/filewatch.h"

#include <QFile>
#include <QTemporaryDir>

namespace tst_filewatch {

using namespace tasuki;

namespace {

void put(const QString& path, const QByteArray& content)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate)
        || file.write(content) != content.size())
        qFatal("a file cannot be written");
}

Result<std::string> textOf(const std::string& path)
{
    QFile file(QFile::decodeName(path.c_str()));
    if (!file.open(QIODevice::ReadOnly))
        return Error{.kind = ErrorKind::Input, .message = "no"};
    return file.readAll().toStdString();
}

} // namespace

/// What breaks it: a file that somebody else writes, in whatever way, and that nobody notices.
class TestFileWatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void noticesWriting();
    void noticesReplacing();
    void noticesRemovalAndReturn();
    void watchesOneFile();
    void knowsWhatItWas();
};

void TestFileWatch::noticesWriting()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.toml"));
    put(path, "a");
    FileWatch watch;
    QSignalSpy noticed(&watch, &FileWatch::noticed);
    watch.watch(path);
    put(path, "b");
    QTRY_COMPARE(noticed.count(), 1);
    put(path, "c");
    QTRY_COMPARE(noticed.count(), 2);
}

// As editors and Tasuki itself write: beside it, and renamed.
void TestFileWatch::noticesReplacing()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.toml"));
    put(path, "a");
    FileWatch watch;
    QSignalSpy noticed(&watch, &FileWatch::noticed);
    watch.watch(path);
    for (int round = 1; round <= 3; ++round) {
        const QString other = folder.filePath(QStringLiteral("a.new"));
        put(other, QByteArray::number(round));
        QVERIFY(std::rename(other.toLocal8Bit(), path.toLocal8Bit()) == 0);
        QTRY_VERIFY(noticed.count() > 0);
        noticed.clear();
    }
}

void TestFileWatch::noticesRemovalAndReturn()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.toml"));
    put(path, "a");
    FileWatch watch;
    QSignalSpy noticed(&watch, &FileWatch::noticed);
    watch.watch(path);
    QVERIFY(QFile::remove(path));
    QTRY_VERIFY(noticed.count() > 0);
    noticed.clear();
    put(path, "b");
    QTRY_VERIFY(noticed.count() > 0);
    noticed.clear();
    put(path, "c");
    QTRY_VERIFY(noticed.count() > 0);
}

void TestFileWatch::watchesOneFile()
{
    const QTemporaryDir folder;
    const QTemporaryDir elsewhere;
    const QString path = folder.filePath(QStringLiteral("a.toml"));
    put(path, "a");
    FileWatch watch;
    QSignalSpy noticed(&watch, &FileWatch::noticed);
    // Who watches what is written says when it could have been noticed.
    FileWatch witness;
    QSignalSpy seen(&witness, &FileWatch::noticed);
    watch.watch(path);
    watch.watch(elsewhere.filePath(QStringLiteral("b.toml"))); // not there yet
    witness.watch(path);
    put(path, "b");
    QTRY_VERIFY(seen.count() > 0);
    QCoreApplication::processEvents();
    QVERIFY(!watch.isDue());
    QCOMPARE(noticed.count(), 0);
    put(elsewhere.filePath(QStringLiteral("b.toml")), "b");
    QTRY_VERIFY(noticed.count() > 0);
    watch.watch({});
    noticed.clear();
    witness.watch(elsewhere.filePath(QStringLiteral("b.toml")));
    seen.clear();
    put(elsewhere.filePath(QStringLiteral("b.toml")), "c");
    QTRY_VERIFY(seen.count() > 0);
    QCoreApplication::processEvents();
    QVERIFY(!watch.isDue());
    QCOMPARE(noticed.count(), 0);
}

void TestFileWatch::knowsWhatItWas()
{
    using State = FileOnDisk::State;
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.toml"));
    put(path, "a");
    KnownFile known;
    known.know("a");
    const auto look = [&known](const QString& where) { return known.look(where, textOf); };
    QCOMPARE(look({}).state, State::AsKnown);
    QCOMPARE(look(path).state, State::AsKnown);
    put(path, "b");
    QCOMPARE(look(path).state, State::Changed);
    QCOMPARE(look(path).text, std::string("b"));
    known.overrule(look(path));
    QCOMPARE(look(path).state, State::AsKnown);
    put(path, "c"); // somebody has written it again
    QCOMPARE(look(path).state, State::Changed);
    QVERIFY(QFile::remove(path));
    QCOMPARE(look(path).state, State::Gone);
    known.overrule(look(path));
    QCOMPARE(look(path).state, State::AsKnown);
    put(path, "d");
    known.know("d");
    QCOMPARE(look(path).state, State::AsKnown);
    QCOMPARE(look(folder.path()).state, State::Unreadable);
}

QTEST_GUILESS_MAIN(TestFileWatch)

} // namespace tst_filewatch

#include "tst_filewatch.moc"
