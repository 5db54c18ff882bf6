// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "config/topologyfile.h"
#include "sampletopology.h"
#include "topology/topologydocument.h"

namespace tst_topologysaving {

using namespace tasuki;
using namespace tasuki::testing;
using config::TopologyField;
using State = FileOnDisk::State;

/// Files of topologies that are edited.
/// What breaks it: a file that reads back as another, a foreign edit that is overwritten unseen,
/// edits that are gone when theirs was taken.
class TestTopologySaving : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void comesBackAsItWasSaved();
    void opensWithoutWaiting();
    void keepsWhatIsOpenWhenAFileIsWrong();
    void seesWhatSomebodyElseWrites();
    void takesTheirs();
    void takesNothingThatIsWrong();
    void seesThatTheFileIsGone();
    void namesCommentsThatWouldBeLost();
    void listsWhatIsAnotherThanInTheFile();
    void forgetsAllWhenCleared();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<TopologyDocument> m_document;
    QString m_path;
};

void TestTopologySaving::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_path = m_folder->filePath(QStringLiteral("t.toml"));
    m_document = std::make_unique<TopologyDocument>();
    QVERIFY(config::writeTopologyFile(m_path.toStdString(), sampleTopology()));
    QVERIFY(m_document->load(m_path).empty());
}

void TestTopologySaving::comesBackAsItWasSaved()
{
    QVERIFY(!m_document->edited().setCells({{0, TopologyField::Hosts, QStringLiteral("a, b")}}));
    QCOMPARE(m_document->edited().setSystem(TopologyField::Policy, QStringLiteral("stop")),
             QString());
    QVERIFY(!m_document->isClean());
    QSignalSpy paths(m_document.get(), &TopologyDocument::pathChanged);
    const QString other = m_folder->filePath(QStringLiteral("other.toml"));
    QVERIFY(m_document->save(other));
    QVERIFY(m_document->isClean() && !paths.isEmpty());
    QCOMPARE(m_document->path(), other);
    QCOMPARE(m_document->lookAtFile().state, State::AsKnown);
    QCOMPARE(readFile(other).toStdString(), m_document->textToSave());
    TopologyDocument again;
    QVERIFY(again.load(other).empty());
    QVERIFY(again.topology() == m_document->topology());
    // What was done before can still be undone, and is then not saved.
    m_document->undoStack().undo();
    QVERIFY(!m_document->isClean());
    QVERIFY(!m_document->save(m_folder->filePath(QStringLiteral("no/such/folder.toml"))));
    QCOMPARE(m_document->path(), other);
}

void TestTopologySaving::opensWithoutWaiting()
{
    TopologyDocument document;
    QSignalSpy opened(&document, &TopologyDocument::opened);
    document.open(m_folder->filePath(QStringLiteral("missing.toml")));
    document.open(m_path);
    QVERIFY(document.isOpening());
    QVERIFY(opened.wait());
    QVERIFY(!document.isOpening());
    QCOMPARE(opened.size(), 1);
    QVERIFY(opened[0][1].toBool());
    QVERIFY(document.topology() == sampleTopology());
    QVERIFY(document.isClean());
}

void TestTopologySaving::keepsWhatIsOpenWhenAFileIsWrong()
{
    const QString wrong = m_folder->filePath(QStringLiteral("wrong.toml"));
    writeFile(wrong, "[[subcluster]]\nname = \"a\"\nactive = 0\n");
    const auto told = m_document->load(wrong);
    QCOMPARE(told.size(), std::size_t{1});
    QCOMPARE(told[0].place.line, std::uint64_t{3});
    QCOMPARE(m_document->path(), m_path);
    QVERIFY(m_document->topology() == sampleTopology());
    const auto missing = m_document->load(m_folder->filePath(QStringLiteral("missing.toml")));
    QCOMPARE(missing.size(), std::size_t{1});
    QVERIFY(missing[0].isError());
}

void TestTopologySaving::seesWhatSomebodyElseWrites()
{
    QCOMPARE(m_document->lookAtFile().state, State::AsKnown);
    writeFile(m_path, readFile(m_path) + "# checked on Tuesday\n");
    const FileOnDisk file = m_document->lookAtFile();
    QCOMPARE(file.state, State::Changed);
    QCOMPARE(QByteArray::fromStdString(file.text), readFile(m_path));
    // Saving is known to replace it.
    QVERIFY(m_document->save(m_path));
    QCOMPARE(m_document->lookAtFile().state, State::AsKnown);
    QVERIFY(!readFile(m_path).contains("Tuesday"));
}

void TestTopologySaving::takesTheirs()
{
    QVERIFY(!m_document->edited().setCells({{1, TopologyField::Active, QStringLiteral("8")}}));
    const config::Topology mine = m_document->topology();
    config::Topology theirs = sampleTopology();
    theirs.heartbeat = std::chrono::milliseconds(500);
    QVERIFY(config::writeTopologyFile(m_path.toStdString(), theirs));
    QVERIFY(m_document->takeFile(m_document->lookAtFile()).empty());
    QVERIFY(m_document->topology() == theirs);
    QVERIFY(m_document->isClean());
    QCOMPARE(m_document->lookAtFile().state, State::AsKnown);
    m_document->undoStack().undo();
    QVERIFY(m_document->topology() == mine);
    QVERIFY(!m_document->isClean());
}

void TestTopologySaving::takesNothingThatIsWrong()
{
    writeFile(m_path, "[[subcluster]]\nname = 3\n");
    QVERIFY(!m_document->takeFile(m_document->lookAtFile()).empty());
    QVERIFY(m_document->topology() == sampleTopology());
    QCOMPARE(m_document->undoStack().count(), 0);
    QCOMPARE(m_document->lookAtFile().state, State::Changed);
}

void TestTopologySaving::seesThatTheFileIsGone()
{
    QVERIFY(QFile::remove(m_path));
    QCOMPARE(m_document->lookAtFile().state, State::Gone);
    QVERIFY(m_document->save(m_path));
    QCOMPARE(m_document->lookAtFile().state, State::AsKnown);
    QVERIFY(QFile::remove(m_path));
    QVERIFY(QDir().mkdir(m_path));
    QCOMPARE(m_document->lookAtFile().state, State::Unreadable);
    QCOMPARE(TopologyDocument().lookAtFile().state, State::AsKnown);
}

void TestTopologySaving::namesCommentsThatWouldBeLost()
{
    QVERIFY(m_document->ownComments().empty());
    writeFile(m_path,
              "# the roof's receivers\n[[subcluster]] # see the plan\n"
              "name = \"a#b\" # processors that hold a rank\nactive = 1\n");
    QVERIFY(!m_document->load(m_path).empty()); // a name cannot have #
    writeFile(m_path,
              "# the roof's receivers\n[[subcluster]] # see the plan\n"
              "name = \"a\" # processors that hold a rank\nactive = 1\n");
    QVERIFY(m_document->load(m_path).empty());
    QVERIFY((m_document->ownComments()
             == std::vector<std::string>{"the roof's receivers", "see the plan"}));
    QVERIFY(m_document->save(m_path));
    QVERIFY(m_document->ownComments().empty());
}

void TestTopologySaving::listsWhatIsAnotherThanInTheFile()
{
    QVERIFY(m_document->changes().empty());
    QVERIFY(!m_document->edited().setCells({{1, TopologyField::Minimum, QStringLiteral("3")}}));
    QCOMPARE(m_document->changes().size(), std::size_t{1});
    QCOMPARE(m_document->changes()[0].subcluster, std::string("filter"));
    QCOMPARE(m_document->changes()[0].before, std::string("1"));
    QCOMPARE(m_document->changes()[0].after, std::string("3"));
    QVERIFY(m_document->save(m_path));
    QVERIFY(m_document->changes().empty());
}

void TestTopologySaving::forgetsAllWhenCleared()
{
    QVERIFY(!m_document->edited().setCells({{1, TopologyField::Active, QStringLiteral("8")}}));
    m_document->clear();
    QVERIFY(m_document->isEmpty() && m_document->isClean() && m_document->path().isEmpty());
    QVERIFY(m_document->knownText().empty());
    QVERIFY(!m_document->undoStack().canUndo());
    QVERIFY(!m_document->save(m_path)); // there are no subclusters
}

QTEST_GUILESS_MAIN(TestTopologySaving)

} // namespace tst_topologysaving

#include "tst_topologysaving.moc"
