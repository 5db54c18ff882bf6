// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>

#include "cells/problembar.h"
#include "topology/diffview.h"
#include "topology/systemform.h"
#include "topology/texttablemodel.h"
#include "topologyfixture.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>

namespace tst_topologypanel {

using namespace tasuki;
using namespace tasuki::testing;
using config::TopologyField;

/// The panel by keyboard and mouse.
/// What breaks it: a wrong value that gets into the topology or goes without a word, a problem that
/// one cannot get to, units and processors that are not those of the tables.
class TestTopologyPanel : public QObject, TopologyFixture {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { close(); }
    void isEmptyAtFirst();
    void showsAWrongMinimumUntilEsc();
    void editsByKeys();
    void ticksAMasterByKeys();
    void leadsToWhatIsWrong();
    void leadsToTheSystem();
    void editsTheSystem();
    void addsMovesAndRemovesByKeys();
    void undoShowsWhatItChanges();
    void triesALaunch();
    void showsWhatSavingChanges();
    void explainsWhatIsMissing();
    void tellsWhatIsWrongWithAFile();
    void warnsOfLostComments();
    void columnsFitTheirPlace();
};

void TestTopologyPanel::init()
{
    open();
    if (QString::fromLatin1(QTest::currentTestFunction()) != QLatin1String("isEmptyAtFirst"))
        fill();
}

void TestTopologyPanel::isEmptyAtFirst()
{
    QVERIFY(!m_panel->table().isVisible());
    QVERIFY(!m_panel->saveAction().isEnabled() && !m_panel->saveAsAction().isEnabled());
    QVERIFY(!m_panel->faults().isVisible());
    QPushButton* add = nullptr;
    for (auto* button : m_panel->findChildren<QPushButton*>()) {
        if (button->isVisible() && button->text() == QStringLiteral("Add a subcluster"))
            add = button;
    }
    QVERIFY(add != nullptr);
    QTest::mouseClick(add, Qt::LeftButton);
    settle();
    QCOMPARE(m_document->edited().count(), std::size_t{1});
    // Its name is what one types first.
    CheckedLine* editor = m_panel->table().editor();
    QVERIFY(editor != nullptr);
    QTest::keyClicks(editor, QStringLiteral("antenna"));
    QTest::keyClick(editor, Qt::Key_Return);
    settle();
    QCOMPARE(spec(0).name, std::string("antenna"));
    QVERIFY(m_panel->saveAction().isEnabled());
    QCOMPARE(m_panel->title(), QStringLiteral("New topology *"));
}

void TestTopologyPanel::showsAWrongMinimumUntilEsc()
{
    CheckedLine* editor = edit(cell(0, TopologyField::Minimum));
    QVERIFY(editor != nullptr);
    QTest::keyClicks(editor, QStringLiteral("9"));
    settle();
    const QString expected = QStringLiteral(
        "minimum is 9, active 4; expected a minimum of at most active, e.g. minimum = 4");
    QCOMPARE(editor->problem(), expected);
    QCOMPARE(shownReason(), expected);
    QTest::keyClick(editor, Qt::Key_Return); // is not taken
    settle();
    QCOMPARE(m_panel->table().editor(), editor);
    // Nothing else is done meanwhile.
    m_panel->addAction().trigger();
    QCOMPARE(m_document->edited().count(), std::size_t{2});
    QVERIFY(!m_panel->saveTo(m_path));
    QTest::keyClick(editor, Qt::Key_Escape);
    settle();
    QVERIFY(m_panel->table().editor() == nullptr);
    QCOMPARE(shownReason(), QString());
    QVERIFY(m_document->isClean());
}

void TestTopologyPanel::editsByKeys()
{
    click(cell(1, TopologyField::Active));
    QTest::keyClicks(&m_panel->table(), QStringLiteral("8"));
    settle();
    CheckedLine* editor = m_panel->table().editor();
    QVERIFY(editor != nullptr);
    QTest::keyClick(editor, Qt::Key_Return);
    settle();
    QCOMPARE(spec(1).active, 8U);
    QCOMPARE(m_panel->title(), QStringLiteral("two-stages.toml *"));
    QTest::keyClick(&m_panel->table(), Qt::Key_S, Qt::ControlModifier);
    settle();
    QVERIFY(m_document->isClean());
    QVERIFY(readFile(m_path).contains("active = 8"));
    QTest::keyClick(&m_panel->table(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(spec(1).active, 4U);
    QTest::keyClick(&m_panel->table(), Qt::Key_Y, Qt::ControlModifier);
    QCOMPARE(spec(1).active, 8U);
}

void TestTopologyPanel::ticksAMasterByKeys()
{
    m_panel->table().setFocus();
    m_panel->table().setCurrentIndex(cell(0, TopologyField::DedicatedMaster));
    QTest::keyClick(&m_panel->table(), Qt::Key_Return); // nothing to type
    QVERIFY(m_panel->table().editor() == nullptr);
    QTest::keyClick(&m_panel->table(), Qt::Key_Space);
    settle();
    QVERIFY(spec(0).dedicatedMaster);
    QTest::keyClick(&m_panel->table(), Qt::Key_Space);
    settle();
    QVERIFY(!spec(0).dedicatedMaster);
}

void TestTopologyPanel::leadsToWhatIsWrong()
{
    CheckedLine* editor = edit(cell(0, TopologyField::Active));
    QTest::keyClicks(editor, QStringLiteral("1"));
    QTest::keyClick(editor, Qt::Key_Return);
    settle();
    QCOMPARE(spec(0).active, 1U);
    QVERIFY(m_panel->faults().isVisible());
    QVERIFY2(
        m_panel->faults().details().contains(QStringLiteral("antenna: minimum is 2, active 1")),
        qPrintable(m_panel->faults().details()));
    // Saving leads to it, and so does its line.
    QVERIFY(!m_panel->saveTo(m_path));
    QCOMPARE(m_panel->table().currentIndex(), cell(0, TopologyField::Minimum));
    QVERIFY(!readFile(m_path).contains("active = 1"));
    click(cell(1, TopologyField::Io));
    Q_EMIT m_panel->faults().placeWanted(0);
    QCOMPARE(m_panel->table().currentIndex(), cell(0, TopologyField::Minimum));
    QVERIFY(m_panel->table().hasFocus());
    editor = edit(cell(0, TopologyField::Minimum));
    QTest::keyClicks(editor, QStringLiteral("0"));
    QTest::keyClick(editor, Qt::Key_Return);
    settle();
    QVERIFY(!m_panel->faults().isVisible());
    QVERIFY(m_panel->saveTo(m_path));
}

void TestTopologyPanel::leadsToTheSystem()
{
    QCOMPARE(m_document->edited().setSystem(TopologyField::SuspectAfter, QStringLiteral("20")),
             QString());
    QVERIFY(m_panel->faults().isVisible());
    Q_EMIT m_panel->faults().placeWanted(0);
    QCOMPARE(m_panel->page(), TopologyPanel::Page::System);
    QVERIFY(m_panel->system().line(TopologyField::LostAfter).hasFocus());
}

void TestTopologyPanel::editsTheSystem()
{
    m_panel->showPage(TopologyPanel::Page::System);
    ValueLine& lost = m_panel->system().line(TopologyField::LostAfter);
    lost.setFocus();
    lost.selectAll();
    QTest::keyClicks(&lost, QStringLiteral("2"));
    settle();
    const QString reason = shownReason();
    QVERIFY2(reason.startsWith(QStringLiteral("lost_after is 2, suspect_after 3;")),
             qPrintable(reason));
    QVERIFY(!m_panel->finishEditing());
    QTest::keyClicks(&lost, QStringLiteral("0"));
    QTest::keyClick(&lost, Qt::Key_Return);
    QCOMPARE(m_document->topology().lostAfter, 20U);
    QComboBox& policy = m_panel->system().policy();
    policy.setFocus();
    QTest::keyClick(&policy, Qt::Key_Down);
    QCOMPARE(m_document->topology().policy, DownPolicy::Stop);
    m_document->undoStack().undo();
    QCOMPARE(policy.currentData().toString(), QStringLiteral("restart"));
    QCheckBox& rejoin = m_panel->system().rejoin();
    QVERIFY(rejoin.isChecked());
    rejoin.setFocus();
    QTest::keyClick(&rejoin, Qt::Key_Space);
    QVERIFY(!m_document->topology().rejoin);
    m_document->undoStack().undo();
    QVERIFY(rejoin.isChecked());
    m_document->undoStack().undo();
    QCOMPARE(lost.text(), QStringLiteral("10"));
}

void TestTopologyPanel::addsMovesAndRemovesByKeys()
{
    CellTableView& table = m_panel->table();
    click(cell(1, TopologyField::Active));
    QCOMPARE(table.currentIndex(), cell(1, TopologyField::Active));
    QTest::keyClick(&table, Qt::Key_Up, Qt::AltModifier);
    settle();
    QCOMPARE(spec(0).name, std::string("filter"));
    QCOMPARE(table.currentIndex(), cell(0, TopologyField::Active));
    QTest::keyClick(&table, Qt::Key_Down, Qt::AltModifier);
    settle();
    QCOMPARE(spec(1).name, std::string("filter"));
    QTest::keyClick(&table, Qt::Key_D, Qt::ControlModifier);
    settle();
    QCOMPARE(m_document->edited().count(), std::size_t{3});
    QCOMPARE(table.currentIndex().row(), 2);
    QTest::keyClick(&table, Qt::Key_Delete, Qt::ControlModifier);
    settle();
    QCOMPARE(m_document->edited().count(), std::size_t{2});
    QTest::keyClick(&table, Qt::Key_Insert);
    settle();
    QCOMPARE(m_document->edited().count(), std::size_t{3});
    QVERIFY(table.editor() != nullptr);
    QTest::keyClick(table.editor(), Qt::Key_Escape);
    settle();
    while (m_document->undoStack().canUndo())
        m_panel->undoAction().trigger();
    QVERIFY(m_document->topology() == sampleTopology());
}

void TestTopologyPanel::undoShowsWhatItChanges()
{
    QCOMPARE(m_document->edited().setSystem(TopologyField::HeartbeatMs, QStringLiteral("50")),
             QString());
    QVERIFY(m_panel->undoAction().toolTip().contains(QStringLiteral("Heartbeat")));
    QCOMPARE(m_panel->page(), TopologyPanel::Page::Subclusters);
    m_panel->undoAction().trigger();
    QCOMPARE(m_panel->page(), TopologyPanel::Page::System);
    QVERIFY(m_panel->redoAction().toolTip().contains(QStringLiteral("Heartbeat")));
    QVERIFY(!m_panel->undoAction().isEnabled());
}

void TestTopologyPanel::triesALaunch()
{
    OutcomeView& outcome = m_panel->outcome();
    QCOMPARE(outcome.units().rowCount(), 3);
    QCOMPARE(outcome.processors().rowCount(), 12);
    QCOMPARE(outcome.summary(), QStringLiteral("12 processor(s), 2 subcluster(s), 3 unit(s)"));
    QVERIFY(outcome.drawing().toPlainText().contains(QStringLiteral("node0/1")));
    QVERIFY(!outcome.problems().isVisible());
    QTest::keyClicks(&outcome.launch(), QStringLiteral("node0:6, node1:5"));
    QTest::keyClick(&outcome.launch(), Qt::Key_Return);
    outcome.renewNow();
    QCOMPARE(m_document->launchText(), QStringLiteral("node0:6, node1:5"));
    QVERIFY(outcome.problems().isVisible());
    QVERIFY(outcome.problems().details().contains(QStringLiteral("the launch has 11")));
    QCOMPARE(outcome.units().rowCount(), 0);
    Q_EMIT outcome.problems().placeWanted(0);
    QCOMPARE(m_panel->table().currentIndex(), cell(0, TopologyField::Name));
    // One fewer, and it fits.
    QVERIFY(!m_document->edited().setCells({{1, TopologyField::Standby, QStringLiteral("0")}}));
    QTRY_COMPARE(outcome.processors().rowCount(), 11);
    QVERIFY(!outcome.problems().isVisible());
    QTest::keyClicks(&outcome.launch(), QStringLiteral(", :3"));
    settle();
    QVERIFY(shownReason().contains(QStringLiteral("\":3\"")));
    QVERIFY(!m_panel->finishEditing());
}

void TestTopologyPanel::showsWhatSavingChanges()
{
    OutcomeView& outcome = m_panel->outcome();
    // The file is in a form of its own.
    QVERIFY(!outcome.diff().isSame());
    QVERIFY(outcome.diff().headline().startsWith(QStringLiteral("Nothing was edited.")));
    QVERIFY(m_panel->saveTo(m_path));
    outcome.renewNow();
    QVERIFY(outcome.diff().isSame());
    QCOMPARE(outcome.diff().headline(), QStringLiteral("Saving would change nothing."));
    QVERIFY(!m_document->edited().setCells({{1, TopologyField::Standby, QStringLiteral("3")}}));
    QTest::keyClick(&m_panel->table(), Qt::Key_E, Qt::ControlModifier);
    QCOMPARE(outcome.page(), OutcomeView::Page::Changes);
    outcome.renewNow();
    QCOMPARE(outcome.diff().added(), 1);
    QCOMPARE(outcome.diff().removed(), 1);
    const QStringList lines = outcome.diff().lines().toPlainText().split(QLatin1Char('\n'));
    QVERIFY(lines.contains(QStringLiteral("\u2212 standby = 1")));
    QVERIFY(lines.contains(QStringLiteral("+ standby = 3")));
    QVERIFY(lines.first().contains(QStringLiteral("stay")));
    QVERIFY(lines.size() < 12);
}

void TestTopologyPanel::explainsWhatIsMissing()
{
    QVERIFY(!m_document->edited().setCells({{0, TopologyField::Active, QStringLiteral("1")}}));
    OutcomeView& outcome = m_panel->outcome();
    outcome.renewNow();
    QCOMPARE(outcome.units().rowCount(), 0);
    QVERIFY(!outcome.problems().isVisible()); // told above
    bool explained = false;
    for (const auto* label : outcome.findChildren<QLabel*>())
        explained = explained
            || (label->isVisible() && label->text().startsWith(QStringLiteral("Once nothing")));
    QVERIFY(explained);
}

void TestTopologyPanel::tellsWhatIsWrongWithAFile()
{
    const QString wrong = m_folder->filePath(QStringLiteral("wrong.toml"));
    writeFile(wrong, "[[subcluster]]\nname = \"a\"\nactive = 4\nstandbi = 1\nminimum = 5\n");
    m_panel->open(wrong);
    QTRY_VERIFY(m_panel->problems().isVisible());
    QVERIFY(m_panel->problems().headline().startsWith(QStringLiteral("wrong.toml cannot be used")));
    QVERIFY(m_panel->problems().details().contains(QStringLiteral("wrong.toml:4:1: error:")));
    QCOMPARE(m_document->path(), m_path);
    m_panel->open(m_path);
    QTRY_VERIFY(!m_panel->problems().isVisible());
}

void TestTopologyPanel::warnsOfLostComments()
{
    const QString noted = m_folder->filePath(QStringLiteral("noted.toml"));
    writeFile(noted, "# of the roof\n[[subcluster]]\nname = \"a\"\nactive = 4\n");
    m_panel->open(noted);
    QTRY_VERIFY(m_panel->problems().isVisible());
    QVERIFY(m_panel->problems().headline().contains(QStringLiteral("1 comment")));
    QCOMPARE(m_panel->problems().details(), QStringLiteral("# of the roof"));
}

void TestTopologyPanel::columnsFitTheirPlace()
{
    const CellTableView& table = m_panel->table();
    for (int column = 0; column < table.model()->columnCount(); ++column) {
        const QRect place = table.visualRect(table.model()->index(0, column));
        QVERIFY2(table.viewport()->rect().contains(place), qPrintable(QString::number(column)));
        QVERIFY(place.width() >= table.fontMetrics().averageCharWidth() * 3);
    }
}

QTEST_MAIN(TestTopologyPanel)

} // namespace tst_topologypanel

#include "tst_topologypanel.moc"
