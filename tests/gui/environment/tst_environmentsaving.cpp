// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "environment/environmentdocument.h"
#include "sampleenvironment.h"

#include <QFile>
#include <QThreadPool>

#include <memory>

namespace tst_environmentsaving {

using namespace tasuki;
using namespace tasuki::testing;

/// How environments get into files and out of them.
/// What breaks it: a file that does not have what was edited, edits that count as saved, a wrong
/// file that takes the place of what is there, a file that was given up and comes nevertheless.
class TestEnvironmentSaving : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void savesAndLoads();
    void opensWithoutWaiting();
    void tellsWhatIsWrongWithFiles();
    void noticesWhatOthersHaveWritten();
};

void TestEnvironmentSaving::savesAndLoads()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("格子.toml"));
    EnvironmentDocument document;
    const Result<void> empty = document.save(path);
    QVERIFY(!empty);
    QVERIFY(empty.error().text().find("there are no nodes") != std::string::npos);
    QVERIFY(!QFile::exists(path));

    document.replace(sampleEnvironment(), {});
    QVERIFY(!document.setCells({{1, 0, LinkFigure::Burst, QStringLiteral("1234.5")}}, false));
    QCOMPARE(document.setGeneral(GeneralField::SendBufferBytes, QStringLiteral("65432")),
             QString());
    QSignalSpy paths(&document, &EnvironmentDocument::pathChanged);
    QSignalSpy cleans(&document, &EnvironmentDocument::cleanChanged);
    QVERIFY(document.save(path));
    QCOMPARE(document.path(), path);
    QCOMPARE(paths.size(), 1);
    QCOMPARE(cleans.takeLast().at(0).toBool(), true);
    document.addNode();
    QCOMPARE(cleans.takeLast().at(0).toBool(), false);
    document.undoStack().undo();
    QVERIFY(document.isClean()); // as it is in the file

    EnvironmentDocument other;
    other.addNode();
    QVERIFY(other.load(path).empty());
    QVERIFY(other.environment() == document.environment());
    QCOMPARE(other.environment().link(plan::Node(1), plan::Node(0)).burstBytes, 1234.5);
    QCOMPARE(other.environment().link(plan::Node(0), plan::Node(3)).burstBytes, 5000.0);
    QCOMPARE(other.environment().link(plan::Node(0), plan::Node(1)).burstBytes, 0.0);
    QCOMPARE(other.environment().sendBufferBytes, 65432.0);
    QVERIFY(other.isClean() && !other.undoStack().canUndo());
    QCOMPARE(other.path(), path);

    QVERIFY(!document.save(folder.filePath(QStringLiteral("none/env.toml"))));
    QCOMPARE(document.path(), path);
}

void TestEnvironmentSaving::opensWithoutWaiting()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("env.toml"));
    const QString second = folder.filePath(QStringLiteral("second.toml"));
    QVERIFY(plan::writeEnvironmentFile(path.toStdString(), sampleEnvironment()));
    QVERIFY(plan::writeEnvironmentFile(second.toStdString(), wideEnvironment(3)));
    EnvironmentDocument document;
    QSignalSpy opened(&document, &EnvironmentDocument::opened);
    document.open(path);
    QVERIFY(document.isOpening());
    QVERIFY(document.isEmpty()); // later
    QVERIFY(opened.wait());
    QVERIFY(!document.isOpening());
    QCOMPARE(opened.at(0).at(0).toString(), path);
    QCOMPARE(opened.at(0).at(1).toBool(), true);
    QCOMPARE(document.nodeCount(), 4U);

    opened.clear();
    document.open(path); // the later one wins
    QThreadPool::globalInstance()->waitForDone();
    document.open(second);
    QVERIFY(opened.wait());
    QCoreApplication::sendPostedEvents();
    QCOMPARE(opened.size(), 1);
    QCOMPARE(document.nodeCount(), 3U);
    QCOMPARE(document.path(), second);

    document.open(path);
    QThreadPool::globalInstance()->waitForDone(); // it is read, but that is not told yet
    QVERIFY(document.isOpening() && document.nodeCount() == 3);
    document.clear();
    QCoreApplication::sendPostedEvents();
    QVERIFY(document.isEmpty() && !document.isOpening());
    auto passing = std::make_unique<EnvironmentDocument>();
    passing->open(path); // goes before the file is read
}

void TestEnvironmentSaving::tellsWhatIsWrongWithFiles()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("env.toml"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[[node]]\nname = \"a\"\nspeed = 0\nslots = 0\n");
    file.close();
    EnvironmentDocument document;
    document.addNode();
    const plan::Environment before = document.environment();
    const auto diagnostics = document.load(path);
    QCOMPARE(diagnostics.size(), std::size_t{2});
    QCOMPARE(diagnostics[1].place.line, std::uint64_t{4});
    QVERIFY(document.environment() == before);
    QVERIFY(document.path().isEmpty() && !document.isClean());
    QCOMPARE(document.load(folder.filePath(QStringLiteral("none"))).size(), std::size_t{1});

    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[[node]]\nname = \"a\"\n[[node]]\nname = \"b\"\n");
    file.close();
    const auto warnings = document.load(path);
    QCOMPARE(warnings.size(), std::size_t{1});
    QVERIFY(!warnings[0].isError());
    QCOMPARE(document.nodeCount(), 2U);
}

void TestEnvironmentSaving::noticesWhatOthersHaveWritten()
{
    using State = FileOnDisk::State;
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("env.toml"));
    EnvironmentDocument document;
    document.replace(sampleEnvironment(), {});
    QVERIFY(document.save(path));
    QCOMPARE(document.lookAtFile().state, State::AsKnown);
    const auto write = [&path](const char* text) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(text);
    };
    write("[[node]]\nname = \"a\"\nspeed = 0\n");
    FileOnDisk theirs = document.lookAtFile();
    QCOMPARE(theirs.state, State::Changed);
    QVERIFY(!document.takeFile(theirs).empty()); // it is wrong
    QVERIFY(document.environment() == sampleEnvironment());
    write("[[node]]\nname = \"a\"\n[link_default]\na0_us = 1.0\na1_us_per_byte = 0.1\n");
    theirs = document.lookAtFile();
    document.takeFile(theirs);
    QCOMPARE(document.nodeCount(), 1U);
    QVERIFY(document.isClean());
    QCOMPARE(document.lookAtFile().state, State::AsKnown);
    document.undoStack().undo();
    QVERIFY(document.environment() == sampleEnvironment());
    // Mine stands: there is something to save.
    write("[[node]]\nname = \"b\"\n");
    document.undoStack().setClean();
    document.overruleFile(document.lookAtFile());
    QCOMPARE(document.lookAtFile().state, State::AsKnown);
    QVERIFY(!document.isClean());
    QVERIFY(document.load(path).size() <= 1);
    QCOMPARE(document.lookAtFile().state, State::AsKnown);
}

QTEST_GUILESS_MAIN(TestEnvironmentSaving)

} // namespace tst_environmentsaving

#include "tst_environmentsaving.moc"
