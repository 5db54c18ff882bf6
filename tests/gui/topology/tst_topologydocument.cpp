// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>

#include "sampletopology.h"
#include "topology/subclustertablemodel.h"
#include "topology/topologycells.h"
#include "topology/topologydocument.h"

#include <QTemporaryDir>

namespace tst_topologydocument {

using namespace tasuki;
using namespace tasuki::testing;
using config::Topology;
using config::TopologyField;

/// Edits of a topology, one by one.
/// What breaks it: a value that the rules do not allow, an edit without a way back, a step that is
/// more or less than what was done.
class TestTopologyDocument : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void checksCells_data();
    void checksCells();
    void checksTheSystem_data();
    void checksTheSystem();
    void setsEveryField_data();
    void setsEveryField();
    void takesWhatMakesOthersWrong();
    void editsOfOneCellAreOneStep();
    void addsAndRemoves();
    void duplicates();
    void moves();
    void pastesAllOrNothing();
    void pastesNewSubclusters();
    void ticksMasters();
    void clearsCells();
    void staysWithinTheLimit();

private:
    [[nodiscard]] QStringList names() const
    {
        QStringList all;
        for (const auto& spec : m_document->topology().subclusters)
            all << QString::fromStdString(spec.name);
        return all;
    }
    /// Undoes and does again, and looks whether both come to what was there.
    void thereAndBack(const Topology& before)
    {
        const Topology after = m_document->topology();
        m_document->undoStack().undo();
        QVERIFY(m_document->topology() == before);
        m_document->undoStack().redo();
        QVERIFY(m_document->topology() == after);
    }

    std::unique_ptr<TopologyDocument> m_document;
};

void TestTopologyDocument::init()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("t.toml"));
    writeFile(path,
              "[[subcluster]]\nname = \"antenna\"\nactive = 4\nstandby = 1\nio = 1\n"
              "minimum = 2\nunits = 2\nhosts = [\"node0\"]\n"
              "[[subcluster]]\nname = \"filter\"\nactive = 4\nstandby = 1\nio = 1\n");
    m_document = std::make_unique<TopologyDocument>();
    QVERIFY(m_document->load(path).empty());
    QVERIFY(m_document->topology() == sampleTopology());
}

void TestTopologyDocument::checksCells_data()
{
    QTest::addColumn<TopologyField>("field");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("problem");
    const auto row = [](const char* name, TopologyField field, const char* text,
                        const char* problem) {
        QTest::newRow(name) << field << QString::fromUtf8(text) << QString::fromUtf8(problem);
    };
    constexpr auto from0 = "Expected a whole number from 0 to 100000, e.g. 1.";
    constexpr auto from1 = "Expected a whole number from 1 to 100000, e.g. 4.";
    constexpr auto unitsFrom1 = "Expected a whole number from 1 to 100000, e.g. 2.";
    row("name", TopologyField::Name, "sensor-1_B", "");
    row("no name", TopologyField::Name, " ",
        "name \"\" is empty; expected 1 to 64 letters, digits, - or _, e.g. name = \"antenna\"");
    row("name of another", TopologyField::Name, "filter",
        "two subclusters have the name \"filter\"; give each one a name of its own");
    row("name with a blank", TopologyField::Name, "a b",
        "name \"a b\" has a blank in it; expected 1 to 64 letters, digits, - or _, e.g. name = "
        "\"antenna\"");
    row("name in Japanese", TopologyField::Name, "空中線",
        "name \"空中線\" has another character than those in it; expected 1 to 64 letters, digits, "
        "- or _, e.g. name = \"antenna\"");
    row("active", TopologyField::Active, " 7 ", "");
    row("no active", TopologyField::Active, "0", from1);
    row("active is no number", TopologyField::Active, "many", from1);
    row("active is empty", TopologyField::Active, "", from1);
    row("too many active", TopologyField::Active, "100001", from1);
    row("no standby", TopologyField::Standby, "0", "");
    row("standby below 0", TopologyField::Standby, "-1", from0);
    row("half an I/O processor", TopologyField::Io, "0.5", from0);
    row("minimum 0", TopologyField::Minimum, "0", "");
    row("minimum is active", TopologyField::Minimum, "4", "");
    row("minimum above active", TopologyField::Minimum, "5",
        "minimum is 5, active 4; expected a minimum of at most active, e.g. minimum = 4");
    row("no restarts", TopologyField::RestartCount, "0", "");
    row("restarts are no number", TopologyField::RestartCount, "x",
        "Expected a whole number from 0 to 100000, e.g. 3.");
    row("restarts within no time", TopologyField::RestartWithinS, "0",
        "Expected seconds, a whole number from 1 to 1000000, e.g. 60.");
    row("no units", TopologyField::Units, "", "");
    row("units 0", TopologyField::Units, "0", unitsFrom1);
    row("more units than processors", TopologyField::Units, "7",
        "units is 7, but the subcluster has 6 processors; units are those of each host, with a "
        "processor each at least: expected at most 6");
    row("no hosts", TopologyField::Hosts, " , ", "");
    row("hosts", TopologyField::Hosts, "a, b; c", "");
    row("a host twice", TopologyField::Hosts, "a, b, a",
        "host \"a\" is named twice; name it once: a subcluster takes as many of its processors as "
        "it needs");
    row("more hosts than processors", TopologyField::Hosts, "a b c d",
        "hosts names 4 hosts of 2 units each, but the subcluster has 6 processors; name at most 3, "
        "or write fewer units");
    row("master", TopologyField::DedicatedMaster, "TRUE", "");
    row("a world", TopologyField::WorldCommand, " ./solver --fast ", "");
    row("no world", TopologyField::WorldCommand, "  ", "");
    row("no truth", TopologyField::DedicatedMaster, "maybe", "Expected true or false.");
}

void TestTopologyDocument::checksCells()
{
    QFETCH(TopologyField, field);
    QFETCH(QString, text);
    QFETCH(QString, problem);
    const SubclusterCell cell{0, field, text};
    QCOMPARE(m_document->edited().problem(cell), problem);
    const auto fault = m_document->edited().setCells({cell});
    QCOMPARE(fault.has_value(), !problem.isEmpty());
    if (fault) {
        QCOMPARE(fault->reason, problem);
        QVERIFY(m_document->topology() == sampleTopology());
        QVERIFY(m_document->isClean());
    }
    QVERIFY(m_document->edited().faults().empty());
}

void TestTopologyDocument::checksTheSystem_data()
{
    QTest::addColumn<TopologyField>("field");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("problem");
    const auto row = [](const char* name, TopologyField field, const char* text,
                        const char* problem) {
        QTest::newRow(name) << field << QString::fromUtf8(text) << QString::fromUtf8(problem);
    };
    row("heartbeat", TopologyField::HeartbeatMs, "50", "");
    row("heartbeat too short", TopologyField::HeartbeatMs, "9",
        "Expected milliseconds, a whole number from 10 to 10000, e.g. 100.");
    row("suspect at once", TopologyField::SuspectAfter, "0",
        "Expected heartbeats, a whole number from 1 to 9999, e.g. 3.");
    row("lost", TopologyField::LostAfter, "4", "");
    row("lost before suspect", TopologyField::LostAfter, "3",
        "lost_after is 3, suspect_after 3; expected lost_after above suspect_after, e.g. "
        "lost_after = 10");
    row("lost too late", TopologyField::LostAfter, "10001",
        "Expected heartbeats, a whole number from 2 to 10000, e.g. 10.");
    row("policy", TopologyField::Policy, "stop", "");
    row("no policy", TopologyField::Policy, "reboot", "Expected continue, restart or stop.");
    row("rejoin", TopologyField::Rejoin, "false", "");
    row("no rejoin", TopologyField::Rejoin, "perhaps", "Expected true or false.");
}

void TestTopologyDocument::checksTheSystem()
{
    QFETCH(TopologyField, field);
    QFETCH(QString, text);
    QFETCH(QString, problem);
    QCOMPARE(m_document->edited().problem(field, text), problem);
    QCOMPARE(m_document->edited().setSystem(field, text), problem);
    QCOMPARE(m_document->isClean(), !problem.isEmpty());
    if (problem.isEmpty()) {
        QCOMPARE(editText(m_document->topology(), field), text);
        thereAndBack(sampleTopology());
    }
}

void TestTopologyDocument::setsEveryField_data()
{
    QTest::addColumn<TopologyField>("field");
    QTest::addColumn<QString>("text");
    const std::map<TopologyField, const char*> texts{
        {TopologyField::Name, "x"},
        {TopologyField::Active, "9"},
        {TopologyField::Standby, "3"},
        {TopologyField::Io, "2"},
        {TopologyField::Minimum, "3"},
        {TopologyField::RestartCount, "8"},
        {TopologyField::Units, "1"},
        {TopologyField::RestartWithinS, "5"},
        {TopologyField::Hosts, "n1, n2"},
        {TopologyField::DedicatedMaster, "true"},
        {TopologyField::WorldCommand, "./solver -n 4"},
    };
    QCOMPARE(texts.size(), subclusterFields.size());
    for (const auto& [field, text] : texts)
        QTest::addRow("%d", static_cast<int>(field)) << field << QString::fromLatin1(text);
}

void TestTopologyDocument::setsEveryField()
{
    QFETCH(TopologyField, field);
    QFETCH(QString, text);
    QVERIFY(!m_document->edited().setCells({{1, field, text}}));
    QCOMPARE(editText(m_document->topology().subclusters[1], field), text);
    QVERIFY(m_document->topology().subclusters[0] == sampleTopology().subclusters[0]);
    QVERIFY(m_document->undoStack().undoText().contains(fieldName(field)));
    QVERIFY(m_document->undoStack().undoText().contains(QStringLiteral("filter")));
    thereAndBack(sampleTopology());
    // The same once more is no step.
    const int steps = m_document->undoStack().count();
    QVERIFY(!m_document->edited().setCells({{1, field, text}}));
    QCOMPARE(m_document->undoStack().count(), steps);
}

void TestTopologyDocument::takesWhatMakesOthersWrong()
{
    QVERIFY(!m_document->edited().setCells({{0, TopologyField::Active, QStringLiteral("1")}}));
    QCOMPARE(m_document->edited().faults().size(), std::size_t{1});
    QCOMPARE(m_document->edited().faults()[0].field, std::optional(TopologyField::Minimum));
    const SubclusterTableModel model(m_document->edited());
    const auto wrong = [&model](TopologyField field) {
        return model.index(0, SubclusterTableModel::columnOf(field)).data(WrongRole).toString();
    };
    QVERIFY(wrong(TopologyField::Minimum).startsWith(QStringLiteral("minimum is 2, active 1")));
    QCOMPARE(wrong(TopologyField::Active), QString());
    // It cannot be saved so.
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.toml"));
    QVERIFY(!m_document->save(path));
    QVERIFY(!QFile::exists(path));
    QVERIFY(!m_document->edited().setCells({{0, TopologyField::Minimum, QStringLiteral("1")}}));
    QVERIFY(m_document->edited().faults().empty());
    QVERIFY(m_document->save(path));
    // The system too.
    QCOMPARE(m_document->edited().setSystem(TopologyField::SuspectAfter, QStringLiteral("10")),
             QString());
    QCOMPARE(m_document->edited().faults().size(), std::size_t{1});
    m_document->undoStack().undo();
    QVERIFY(m_document->edited().faults().empty());
}

void TestTopologyDocument::editsOfOneCellAreOneStep()
{
    for (const char* text : {"5", "6", "7"})
        QVERIFY(!m_document->edited().setCells(
            {{0, TopologyField::Active, QString::fromLatin1(text)}}));
    QCOMPARE(m_document->undoStack().count(), 1);
    QVERIFY(!m_document->edited().setCells({{0, TopologyField::Standby, QStringLiteral("2")}}));
    QCOMPARE(m_document->undoStack().count(), 2);
    m_document->undoStack().undo();
    QCOMPARE(m_document->topology().subclusters[0].active, 7U);
    m_document->undoStack().undo();
    QVERIFY(m_document->topology() == sampleTopology());
    QVERIFY(m_document->isClean());
    // Back to what it was: there is nothing to save.
    QVERIFY(!m_document->edited().setCells({{0, TopologyField::Active, QStringLiteral("5")}}));
    QVERIFY(!m_document->edited().setCells({{0, TopologyField::Active, QStringLiteral("4")}}));
    QVERIFY(m_document->isClean());
}

void TestTopologyDocument::addsAndRemoves()
{
    QSignalSpy reset(&m_document->edited(), &EditedTopology::reset);
    QCOMPARE(m_document->edited().addSubcluster(), std::optional<std::size_t>(2));
    QCOMPARE(names().last(), QStringLiteral("filter2"));
    QCOMPARE(reset.last()[0].value<QList<int>>(), QList<int>{2});
    thereAndBack(sampleTopology());
    const Topology three = m_document->topology();
    m_document->edited().remove({2, 0, 0, 7});
    QCOMPARE(names(), QStringList{QStringLiteral("filter")});
    thereAndBack(three);
    m_document->edited().remove({0});
    QVERIFY(m_document->isEmpty());
    QCOMPARE(m_document->edited().faults().size(), std::size_t{1});
    m_document->edited().remove({0});
    m_document->undoStack().undo();
    QCOMPARE(reset.last()[0].value<QList<int>>(), QList<int>{0});
    QCOMPARE(names(), QStringList{QStringLiteral("filter")});
}

void TestTopologyDocument::duplicates()
{
    QVERIFY(m_document->edited().duplicate({0, 1}));
    QCOMPARE(names(),
             (QStringList{QStringLiteral("antenna"), QStringLiteral("filter"),
                          QStringLiteral("antenna2"), QStringLiteral("filter2")}));
    config::SubclusterSpec copy = m_document->topology().subclusters[2];
    copy.name = "antenna";
    QVERIFY(copy == sampleTopology().subclusters[0]);
    thereAndBack(sampleTopology());
    QVERIFY(!m_document->edited().duplicate({}));
}

void TestTopologyDocument::moves()
{
    QVERIFY(!m_document->edited().canMove({0}, true) && m_document->edited().canMove({0}, false));
    QVERIFY(!m_document->edited().move({0, 1}, false));
    m_document->edited().addSubcluster();
    const Topology before = m_document->topology();
    QSignalSpy reset(&m_document->edited(), &EditedTopology::reset);
    QVERIFY(m_document->edited().move({0, 1}, false));
    QCOMPARE(names(),
             (QStringList{QStringLiteral("filter2"), QStringLiteral("antenna"),
                          QStringLiteral("filter")}));
    QCOMPARE(reset.last()[0].value<QList<int>>(), (QList<int>{1, 2}));
    thereAndBack(before);
    QVERIFY(m_document->edited().move({2}, true));
    QCOMPARE(names(),
             (QStringList{QStringLiteral("filter2"), QStringLiteral("filter"),
                          QStringLiteral("antenna")}));
}

void TestTopologyDocument::pastesAllOrNothing()
{
    SubclusterTableModel model(m_document->edited());
    const QModelIndex active = model.index(0,
                                           SubclusterTableModel::columnOf(TopologyField::Active));
    const QString wrong = model.paste({active}, QStringLiteral("8\t2\n9\tx\n"));
    QVERIFY2(wrong.contains(QStringLiteral("Standby of filter, \"x\"")), qPrintable(wrong));
    QVERIFY(m_document->topology() == sampleTopology());
    QVERIFY(model.paste({active}, QStringLiteral("8\t2\n9\t3\n")).isEmpty());
    QCOMPARE(m_document->topology().subclusters[1].standby, 3U);
    QCOMPARE(m_document->undoStack().count(), 1);
    thereAndBack(sampleTopology());
    // Names may be exchanged in one step.
    QVERIFY(!m_document->edited().setCells({{0, TopologyField::Name, QStringLiteral("filter")},
                                            {1, TopologyField::Name, QStringLiteral("antenna")}}));
    QCOMPARE(names(), (QStringList{QStringLiteral("filter"), QStringLiteral("antenna")}));
}

void TestTopologyDocument::pastesNewSubclusters()
{
    SubclusterTableModel model(m_document->edited());
    QModelIndexList all;
    for (int column = 0; column < model.columnCount(); ++column)
        all << model.index(0, column);
    const QString copied = model.copy(all);
    QCOMPARE(copied.count(QLatin1Char('\t')), model.columnCount() - 1);
    const QModelIndex last = model.index(1, 0);
    QVERIFY(model.paste({last}, QStringLiteral("sieve\nsink\nend\n")).isEmpty());
    QCOMPARE(names(),
             (QStringList{QStringLiteral("antenna"), QStringLiteral("sieve"),
                          QStringLiteral("sink"), QStringLiteral("end")}));
    QVERIFY(m_document->edited().faults().empty());
    thereAndBack(sampleTopology());
}

void TestTopologyDocument::ticksMasters()
{
    SubclusterTableModel model(m_document->edited());
    const QModelIndex master = model.index(
        1, SubclusterTableModel::columnOf(TopologyField::DedicatedMaster));
    QVERIFY(!master.flags().testFlag(Qt::ItemIsEditable));
    QCOMPARE(master.data(Qt::CheckStateRole).toInt(), static_cast<int>(Qt::Unchecked));
    QVERIFY(model.setData(master, Qt::Checked, Qt::CheckStateRole));
    QVERIFY(m_document->topology().subclusters[1].dedicatedMaster);
    QVERIFY(!model.setData(model.index(1, 0), Qt::Checked, Qt::CheckStateRole));
    thereAndBack(sampleTopology());
}

void TestTopologyDocument::clearsCells()
{
    SubclusterTableModel model(m_document->edited());
    const auto cell = [&model](int row, TopologyField field) {
        return model.index(row, SubclusterTableModel::columnOf(field));
    };
    QVERIFY(!model.clearCells({cell(0, TopologyField::Name)}).isEmpty());
    QVERIFY(m_document->isClean());
    QVERIFY(
        model.clearCells({cell(0, TopologyField::Units), cell(0, TopologyField::Hosts)}).isEmpty());
    QVERIFY(!m_document->topology().subclusters[0].units);
    QVERIFY(m_document->topology().subclusters[0].hosts.empty());
    QVERIFY(cell(0, TopologyField::Hosts).data(DimRole).toBool());
    QModelIndexList row;
    for (int column = 0; column < model.columnCount(); ++column)
        row << model.index(0, column);
    QVERIFY(model.clearCells(row).isEmpty());
    QCOMPARE(names(), QStringList{QStringLiteral("filter")});
}

void TestTopologyDocument::staysWithinTheLimit()
{
    while (m_document->edited().count() * 2 <= config::limits::mostSubclusters) {
        QList<int> all;
        for (std::size_t i = 0; i < m_document->edited().count(); ++i)
            all << static_cast<int>(i);
        QVERIFY(m_document->edited().duplicate(all));
    }
    QCOMPARE(m_document->edited().count(), config::limits::mostSubclusters);
    QVERIFY(!m_document->edited().hasRoom());
    QVERIFY(!m_document->edited().addSubcluster() && !m_document->edited().duplicate({0}));
    QVERIFY(m_document->edited()
                .setCells(
                    {{config::limits::mostSubclusters, TopologyField::Active, QStringLiteral("1")}})
                .has_value());
    QVERIFY(m_document->edited().faults().empty());
}

QTEST_GUILESS_MAIN(TestTopologyDocument)

} // namespace tst_topologydocument

#include "tst_topologydocument.moc"
