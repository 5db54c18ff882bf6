// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>

#include "cells/celltableview.h"
#include "cells/checkedline.h"
#include "cells/problembar.h"
#include "cells/valueline.h"
#include "config/topologyreader.h"
#include "runningbench.h"
#include "topology/conflictlist.h"
#include "topology/diffview.h"
#include "topology/runningpanel.h"
#include "topology/subclustertablemodel.h"
#include "topology/systemform.h"
#include "views/commandreport.h"
#include "views/processoractions.h"

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableView>
#include <QTimer>

namespace tst_runningpanel {

using namespace tasuki;
using namespace tasuki::testing;
using config::Topology;
using config::TopologyField;

/// The panel on a running system, by keyboard and mouse.
/// What breaks it: a cell that can be edited though the system does not take it, a conflict or refusal
/// that is not seen where the edit is, an order that goes to another processor.
class TestRunningPanel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void saysWhyItIsEmpty();
    void editsByKeysAndApplies();
    void fixedCellsSayWhy();
    void showsARefusal();
    void leadsThroughAConflict();
    void showsWhatOthersChanged();
    void undoesByKeys();
    void showsWhatApplyingChanges();
    void savesAsAFile();
    void ordersFromTheTable();
    void rolesThatAreNotPossible();

private:
    [[nodiscard]] CellTableView& table() const { return m_panel->editors().table(); }
    [[nodiscard]] QModelIndex cell(int row, TopologyField field) const
    {
        return table().model()->index(row, SubclusterTableModel::columnOf(field));
    }
    void type(const QModelIndex& index, const char* text) const
    {
        table().setFocus();
        table().setCurrentIndex(index);
        QTest::keyClick(&table(), Qt::Key_Return);
        QVERIFY(table().editor() != nullptr);
        QTest::keyClicks(table().editor(), QString::fromLatin1(text));
        QTest::keyClick(table().editor(), Qt::Key_Return);
        QCoreApplication::processEvents();
    }
    void chooseProcessor(int row) const
    {
        m_panel->processors().setCurrentIndex(m_panel->processors().model()->index(row, 0));
    }
    void answerBox(QMessageBox::ButtonRole role)
    {
        m_asked.clear();
        QTimer::singleShot(0, qApp, [this, role] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            QVERIFY(box != nullptr);
            m_asked = box->text();
            for (QAbstractButton* button : box->buttons()) {
                if (box->buttonRole(button) == role)
                    button->click();
            }
        });
    }

    std::unique_ptr<RunningBench> m_bench;
    std::unique_ptr<RunningPanel> m_panel;
    QString m_asked;
};

void TestRunningPanel::init()
{
    m_bench = std::make_unique<RunningBench>();
    m_panel = std::make_unique<RunningPanel>(m_bench->models(), m_bench->running);
    m_panel->resize(1000, 700);
    m_panel->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
    m_panel->activateWindow();
    if (QString::fromLatin1(QTest::currentTestFunction()) != QLatin1String("saysWhyItIsEmpty"))
        m_bench->begin();
}

void TestRunningPanel::cleanup()
{
    m_panel.reset();
    m_bench.reset();
}

void TestRunningPanel::saysWhyItIsEmpty()
{
    QVERIFY(!table().isVisible());
    QVERIFY(!m_panel->applyAction().isEnabled() && !m_panel->saveAsAction().isEnabled());
    bool said = false;
    for (const auto* label : m_panel->findChildren<QLabel*>())
        said = said || (label->isVisible() && label->text().contains(QStringLiteral("--topology")));
    QVERIFY(said);
    m_bench->begin();
    QVERIFY(table().isVisible());
    QCOMPARE(m_panel->processors().model()->rowCount(), 12);
}

void TestRunningPanel::editsByKeysAndApplies()
{
    QVERIFY(!m_panel->applyAction().isEnabled());
    type(cell(0, TopologyField::Minimum), "3");
    QVERIFY(cell(0, TopologyField::Minimum).data(OwnRole).toBool());
    QVERIFY(!cell(1, TopologyField::Minimum).data(OwnRole).toBool());
    QVERIFY(cell(0, TopologyField::Minimum)
                .data(Qt::ToolTipRole)
                .toString()
                .contains(QStringLiteral("runs with 2")));
    QVERIFY(m_panel->applyAction().isEnabled());
    QSignalSpy said(m_panel.get(), &RunningPanel::said);
    QTest::keyClick(&table(), Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(m_bench->sent() != nullptr);
    const Topology sent = *config::readTopologyText(m_bench->sent()->text, "sent").topology;
    QCOMPARE(sent.subclusters[0].minimum, 3U);
    QVERIFY(!m_panel->applyAction().isEnabled());
    m_bench->answer(ViewBench::accepted());
    m_bench->laidOut(sent, 2);
    QVERIFY(!cell(0, TopologyField::Minimum).data(OwnRole).toBool());
    QCOMPARE(said.count(), 1);
    QVERIFY(!m_panel->problems().isVisible());
    // A wrong value is not taken.
    table().setCurrentIndex(cell(0, TopologyField::Minimum));
    QTest::keyClick(&table(), Qt::Key_Return);
    QTest::keyClicks(table().editor(), QStringLiteral("9"));
    m_panel->apply();
    QVERIFY(table().editor() != nullptr && !table().editor()->problem().isEmpty());
    QCOMPARE(m_bench->source->commands.size(), std::size_t{1});
}

void TestRunningPanel::fixedCellsSayWhy()
{
    const QModelIndex active = cell(0, TopologyField::Active);
    QVERIFY(!active.flags().testFlag(Qt::ItemIsEditable));
    QVERIFY(active.data(DimRole).toBool());
    QVERIFY(active.data(Qt::ToolTipRole).toString().contains(QStringLiteral("role")));
    QVERIFY(cell(0, TopologyField::Hosts)
                .data(Qt::ToolTipRole)
                .toString()
                .contains(QStringLiteral("resume")));
    QVERIFY(!cell(0, TopologyField::DedicatedMaster).flags().testFlag(Qt::ItemIsUserCheckable));
    table().setFocus();
    table().setCurrentIndex(active);
    QTest::keyClicks(&table(), QStringLiteral("8"));
    QVERIFY(table().editor() == nullptr);
    table().selectRow(0);
    QTest::keyClick(&table(), Qt::Key_Delete);
    QVERIFY(m_bench->running.document().isClean());
    QVERIFY(m_panel->problems().isVisible()); // says that nothing was done
}

void TestRunningPanel::showsARefusal()
{
    type(cell(0, TopologyField::Minimum), "3");
    m_panel->applyAction().trigger();
    m_bench->answer(ViewBench::refused("processor 0 is not the system master"));
    QVERIFY(m_panel->problems().isVisible());
    QVERIFY(m_panel->problems().headline().contains(QStringLiteral("not the system master")));
    QVERIFY(m_panel->problems().details().contains(QStringLiteral("s0: Minimum")));
    const QModelIndex minimum = cell(0, TopologyField::Minimum);
    QVERIFY(!minimum.data(WrongRole).toString().isEmpty());
    table().setCurrentIndex(cell(1, TopologyField::Minimum));
    Q_EMIT m_panel->problems().placeWanted(0);
    QCOMPARE(table().currentIndex(), minimum);
    // Once more.
    m_panel->applyAction().trigger();
    QVERIFY(!m_panel->problems().isVisible());
    QVERIFY(minimum.data(WrongRole).toString().isEmpty());
    QCOMPARE(m_bench->source->commands.size(), std::size_t{2});
}

void TestRunningPanel::leadsThroughAConflict()
{
    type(cell(0, TopologyField::Minimum), "3");
    type(cell(1, TopologyField::Minimum), "4");
    Topology theirs = RunningBench::first();
    theirs.subclusters[0].minimum = 1;
    theirs.subclusters[1].minimum = 1;
    m_bench->laidOut(theirs, 2);
    ConflictList& conflicts = m_panel->conflicts();
    QVERIFY(conflicts.isVisible());
    QCOMPARE(conflicts.rows(), 2);
    QVERIFY(!m_panel->applyAction().isEnabled());
    QVERIFY(!cell(0, TopologyField::Minimum).data(WrongRole).toString().isEmpty());
    QTest::mouseClick(&conflicts.theirs(0), Qt::LeftButton);
    QCoreApplication::processEvents();
    QCOMPARE(conflicts.rows(), 1);
    QTest::mouseClick(&conflicts.mine(0), Qt::LeftButton);
    QCoreApplication::processEvents();
    QVERIFY(!conflicts.isVisible());
    QVERIFY(m_panel->applyAction().isEnabled());
    m_panel->applyAction().trigger();
    const Topology sent = *config::readTopologyText(m_bench->sent()->text, "sent").topology;
    QCOMPARE(m_bench->sent()->base, std::uint64_t{2});
    QCOMPARE(sent.subclusters[0].minimum, 1U);
    QCOMPARE(sent.subclusters[1].minimum, 4U);
}

void TestRunningPanel::showsWhatOthersChanged()
{
    m_panel->editors().showPage(TopologyEditors::Page::System);
    ValueLine& heartbeat = m_panel->editors().system().line(TopologyField::HeartbeatMs);
    Topology theirs = RunningBench::first();
    theirs.heartbeat = std::chrono::milliseconds(250);
    theirs.policy = DownPolicy::Stop;
    m_bench->laidOut(theirs, 2);
    QCOMPARE(heartbeat.text(), QStringLiteral("250"));
    QVERIFY(m_panel->problems().isVisible());
    QVERIFY2(m_panel->problems().details().contains(QStringLiteral("Heartbeat (now 250)")),
             qPrintable(m_panel->problems().details()));
    QVERIFY(m_panel->problems().details().contains(QStringLiteral("(now stop: the run ends)")));
    QVERIFY(!m_panel->conflicts().isVisible());
}

void TestRunningPanel::undoesByKeys()
{
    type(cell(0, TopologyField::Minimum), "3");
    QTest::keyClick(&table(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(m_bench->running.document().topology().subclusters[0].minimum, 2U);
    QVERIFY(!m_panel->applyAction().isEnabled());
    QTest::keyClick(&table(), Qt::Key_Y, Qt::ControlModifier);
    QCOMPARE(m_bench->running.document().topology().subclusters[0].minimum, 3U);
}

void TestRunningPanel::showsWhatApplyingChanges()
{
    m_panel->renewNow();
    QVERIFY(m_panel->diff().isSame());
    type(cell(0, TopologyField::Minimum), "3");
    QTest::keyClick(&table(), Qt::Key_E, Qt::ControlModifier);
    QCOMPARE(m_panel->page(), RunningPanel::Page::Changes);
    m_panel->renewNow();
    QCOMPARE(m_panel->diff().added(), 1);
    QVERIFY(m_panel->diff().lines().toPlainText().contains(QStringLiteral("+ minimum = 3")));
}

void TestRunningPanel::savesAsAFile()
{
    const QString path = m_bench->folder.filePath(QStringLiteral("running.toml"));
    QVERIFY(m_panel->saveTo(path));
    const auto read = config::readTopologyFile(path.toStdString());
    QVERIFY(read.topology && *read.topology == RunningBench::first());
    QVERIFY(!m_panel->saveTo(m_bench->folder.filePath(QStringLiteral("no/such/folder.toml"))));
    QVERIFY(m_panel->problems().isVisible());
}

void TestRunningPanel::ordersFromTheTable()
{
    ProcessorActions& actions = m_panel->actions();
    QVERIFY(!actions.drain().isEnabled());
    chooseProcessor(4);
    QCOMPARE(m_bench->models().selection.processor(), Rank(3));
    actions.drain().trigger();
    QVERIFY(std::get<DrainProcessor>(m_bench->source->commands.back().first).processor
            == ProcessorId(4));
    m_bench->happen({ProcessorDrained{.processor = ProcessorId(4), .drained = true, .who = "me"}});
    QVERIFY(actions.undrain().isEnabled() && !actions.drain().isEnabled());
    // A rank that is given on.
    QAction& standby = *actions.role(ProcessorKind::Standby);
    QVERIFY(standby.isEnabled());
    const std::size_t before = m_bench->source->commands.size();
    answerBox(QMessageBox::RejectRole);
    standby.trigger();
    QVERIFY2(m_asked.contains(QStringLiteral("s0 rank 3")), qPrintable(m_asked));
    QCOMPARE(m_bench->source->commands.size(), before);
    answerBox(QMessageBox::DestructiveRole);
    standby.trigger();
    QVERIFY(std::get<ChangeRole>(m_bench->source->commands.back().first)
            == (ChangeRole{.processor = ProcessorId(4), .kind = ProcessorKind::Standby}));
    m_bench->answer(ViewBench::refused("processor 4 is standby already"));
    QVERIFY(m_panel->findChild<CommandReport*>() != nullptr);
}

void TestRunningPanel::rolesThatAreNotPossible()
{
    ProcessorActions& actions = m_panel->actions();
    QAction& active = *actions.role(ProcessorKind::Active);
    QAction& standby = *actions.role(ProcessorKind::Standby);
    QAction& io = *actions.role(ProcessorKind::Io);
    QVERIFY(actions.role(ProcessorKind::DedicatedMaster) == nullptr);
    chooseProcessor(5); // a standby
    QVERIFY(!standby.isEnabled() && standby.toolTip().contains(QStringLiteral("already")));
    QVERIFY(!active.isEnabled() && active.toolTip().contains(QStringLiteral("no vacant rank")));
    QVERIFY(!io.isEnabled() && io.toolTip().contains(QStringLiteral("no vacant I/O")));
    m_bench->happen({healthOf(3, Health::Lost, HealthCause::Gone),
                     SeatVacated{.seat = SeatId(2), .previous = ProcessorId(3)}});
    QVERIFY(active.isEnabled() && !active.toolTip().contains(QStringLiteral("vacant")));
    m_bench->happen({ProcessorDrained{.processor = ProcessorId(5), .drained = true, .who = "me"}});
    QVERIFY(!active.isEnabled() && active.toolTip().contains(QStringLiteral("drained")));
    chooseProcessor(3); // it is no more
    QVERIFY(!active.isEnabled() && !standby.isEnabled() && !io.isEnabled());
    chooseProcessor(0); // I/O
    QVERIFY(standby.isEnabled() && !io.isEnabled());
    QVERIFY(active.toolTip().contains(QStringLiteral("another kind")));
    // A standby that took over may keep what it has.
    m_bench->happen({tasuki::testing::takeover(4, 11, 7)});
    chooseProcessor(11);
    QVERIFY(active.isEnabled() && standby.isEnabled());
    m_bench->happen({healthOf(11, Health::Suspect, HealthCause::Late)});
    QVERIFY(!active.isEnabled() && active.toolTip().contains(QStringLiteral("heard of")));
    m_bench->source->setState(ConnectionState::Waiting);
    chooseProcessor(0);
    QVERIFY(!standby.isEnabled() && standby.toolTip().contains(QStringLiteral("connection")));
}

QTEST_MAIN(TestRunningPanel)

} // namespace tst_runningpanel

#include "tst_runningpanel.moc"
