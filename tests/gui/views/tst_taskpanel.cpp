// SPDX-License-Identifier: GPL-3.0-or-later
#include <QScrollBar>
#include <QTest>

#include "models/taskcolumn.h"
#include "viewbench.h"
#include "views/commandreport.h"
#include "views/conflictdialog.h"
#include "views/taskpanel.h"

#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableView>
#include <QTableWidget>
#include <QTimer>
#include <QToolButton>

namespace tst_taskpanel {

using namespace tasuki;
using tasuki::testing::ViewBench;

/// Filter, editing and actions of the task table, by clicks and keys.
/// What breaks it: a filter that shows others, an edit that is lost or sent though it is wrong, an
/// undo that does not undo, a command for other tasks than were selected.
class TestTaskPanel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void filtersByTextAndState();
    void marksWrongExpression();
    void editsByKeysAndUndoes();
    void doesNotSendWhatIsWrong();
    void sendsEdits();
    void resolvesConflicts();
    void cancelsSelectedTasks();
    void tellsWhatCouldNotBeDone();
    void linksSelection();
    void staysWhereItIsWhenTheCurrentTaskGoes();
    void runFileTakesNoOrders();
    void endedRunsDoChosenTasksAgain();

private:
    static QModelIndex cell(TaskPanel& panel, int row, TaskColumn column)
    {
        return panel.table().model()->index(row, static_cast<int>(column));
    }
    /// Types into a cell as a user does.
    static void type(TaskPanel& panel, int row, TaskColumn column, const QString& text);
};

void TestTaskPanel::type(TaskPanel& panel, int row, TaskColumn column, const QString& text)
{
    const QModelIndex index = cell(panel, row, column);
    panel.table().setCurrentIndex(index);
    panel.table().edit(index);
    QWidget* editor = panel.table().indexWidget(index);
    if (editor == nullptr)
        editor = QApplication::focusWidget();
    QVERIFY(qobject_cast<QLineEdit*>(editor) != nullptr
            || qobject_cast<QPlainTextEdit*>(editor) != nullptr);
    QTest::keyClick(editor, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(editor, text);
    QTest::keyClick(editor, Qt::Key_Return);
    QCoreApplication::processEvents();
}

void TestTaskPanel::filtersByTextAndState()
{
    ViewBench bench;
    TaskPanel panel(bench.models(), bench.preferences);
    bench.begin(20);
    bench.happen({bench.started(3), bench.started(13)});
    QCOMPARE(bench.models().tasks.rowCount(), 20);

    panel.filterLine().setText(QStringLiteral("task 1"));
    QTRY_COMPARE(bench.models().tasks.rowCount(), 11); // 1, 10 to 19
    QTest::mouseClick(&panel.chips().button(TaskState::Running), Qt::LeftButton);
    QTRY_COMPARE(bench.models().tasks.rowCount(), 1);
    QCOMPARE(bench.models().tasks.taskAt(0), TaskId(13));
    panel.clearFilter();
    QTRY_COMPARE(bench.models().tasks.rowCount(), 20);
    QVERIFY(panel.filterLine().text().isEmpty());
    QVERIFY(panel.chips().states().none());

    panel.showRank(Rank(0));
    QTRY_COMPARE(bench.models().tasks.rowCount(), 2);
}

void TestTaskPanel::marksWrongExpression()
{
    ViewBench bench;
    TaskPanel panel(bench.models(), bench.preferences);
    bench.begin(3);
    panel.filterLine().setText(QStringLiteral("/a(b/"));
    QTRY_VERIFY(!panel.filterLine().toolTip().isEmpty());
    QCOMPARE(panel.filterLine().toolTip(), bench.models().tasks.filterProblem());
    panel.filterLine().setText(QStringLiteral("/k [12]$/"));
    QTRY_COMPARE(bench.models().tasks.rowCount(), 2);
    QVERIFY(panel.filterLine().toolTip().isEmpty());
}

void TestTaskPanel::editsByKeysAndUndoes()
{
    ViewBench bench;
    TaskPanel panel(bench.models(), bench.preferences);
    panel.resize(900, 500);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    bench.begin(5);
    QVERIFY(panel.editing().isHidden());

    type(panel, 1, TaskColumn::Command, QStringLiteral("./fit now"));
    QCOMPARE(bench.models().drafts.text(TaskId(1), TaskField::Command),
             QStringLiteral("./fit now"));
    QCOMPARE(cell(panel, 1, TaskColumn::Command).data().toString(), QStringLiteral("./fit now"));
    QVERIFY(!panel.editing().isHidden());
    QVERIFY(panel.editing().send().isEnabled());

    panel.editing().undo().trigger();
    QVERIFY(bench.models().drafts.drafts().empty());
    QCOMPARE(cell(panel, 1, TaskColumn::Command).data().toString(), QStringLiteral("task 1"));
    QVERIFY(!panel.editing().undo().isEnabled());
    panel.editing().redo().trigger();
    QCOMPARE(cell(panel, 1, TaskColumn::Command).data().toString(), QStringLiteral("./fit now"));
    panel.editing().discard().trigger();
    QVERIFY(bench.models().drafts.drafts().empty());
}

void TestTaskPanel::doesNotSendWhatIsWrong()
{
    ViewBench bench;
    TaskPanel panel(bench.models(), bench.preferences);
    panel.resize(900, 500);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    bench.begin(5);
    type(panel, 2, TaskColumn::Timeout, QStringLiteral("soon"));
    QVERIFY(!cell(panel, 2, TaskColumn::Timeout).data(ProblemRole).toString().isEmpty());
    QVERIFY(!panel.editing().send().isEnabled());
    type(panel, 2, TaskColumn::Timeout, QStringLiteral("90s"));
    QVERIFY(cell(panel, 2, TaskColumn::Timeout).data(ProblemRole).toString().isEmpty());
    QVERIFY(panel.editing().send().isEnabled());
    QVERIFY(bench.source->commands.empty());
}

void TestTaskPanel::sendsEdits()
{
    ViewBench bench;
    TaskPanel panel(bench.models(), bench.preferences);
    bench.begin(5);
    bench.models().drafts.edit({TaskId(1), TaskId(3)}, TaskField::Timeout, QStringLiteral("10m"));
    panel.editing().send().trigger();
    QCOMPARE(bench.source->commands.size(), std::size_t{1});
    const auto* edit = std::get_if<EditTasks>(&bench.source->commands[0].first);
    QVERIFY(edit != nullptr);
    QCOMPARE(edit->edits.size(), std::size_t{2});
    QCOMPARE(edit->edits[1].target.id, TaskId(3));
    QCOMPARE(edit->edits[1].settings->timeout, std::chrono::milliseconds(std::chrono::minutes(10)));
    QVERIFY(!panel.editing().send().isEnabled());
}

void TestTaskPanel::resolvesConflicts()
{
    ViewBench bench;
    TaskPanel panel(bench.models(), bench.preferences);
    bench.begin(5);
    bench.models().drafts.edit({TaskId(1), TaskId(2)}, TaskField::Command, QStringLiteral("mine"));
    Task theirs = ViewBench::task(1, "theirs");
    bench.happen({TaskChanged{.id = TaskId(1), .task = theirs}, bench.started(2)});
    QCOMPARE(bench.models().drafts.conflicts(), std::size_t{2});
    QVERIFY(panel.editing().resolve().isEnabled());

    ConflictDialog dialog(bench.models().session, bench.models().drafts);
    dialog.show();
    dialog.select(TaskId(1));
    auto* fields = dialog.findChild<QTableWidget*>();
    QCOMPARE(fields->item(0, 0)->text(), QStringLiteral("mine"));
    QCOMPARE(fields->item(0, 1)->text(), QStringLiteral("theirs"));
    const auto buttons = dialog.findChildren<QPushButton*>();
    const auto press = [&](const QString& text) {
        for (QPushButton* button : buttons) {
            if (button->text() == text && button->isEnabled()) {
                button->click();
                return true;
            }
        }
        return false;
    };
    QVERIFY(press(QStringLiteral("Keep &mine")));
    QCOMPARE(bench.models().drafts.conflicts(), std::size_t{1});
    QVERIFY(dialog.isVisible());
    QVERIFY2(!press(QStringLiteral("Keep &mine")), "a task that runs cannot be edited");
    QVERIFY(press(QStringLiteral("Take the &record's")));
    QCOMPARE(bench.models().drafts.conflicts(), std::size_t{0});
    QVERIFY(!dialog.isVisible());
    QCOMPARE(bench.models().drafts.text(TaskId(1), TaskField::Command), QStringLiteral("mine"));
}

void TestTaskPanel::cancelsSelectedTasks()
{
    ViewBench bench;
    TaskPanel panel(bench.models(), bench.preferences);
    bench.begin(6);
    QVERIFY(!panel.actions().cancel().isEnabled());
    panel.table().selectRow(4);
    QVERIFY(panel.actions().cancel().isEnabled());
    QVERIFY(!panel.actions().retry().isEnabled());
    QVERIFY(!panel.actions().release().isEnabled());
    panel.actions().cancel().trigger();
    QCOMPARE(bench.source->commands.size(), std::size_t{1});
    const auto* cancel = std::get_if<CancelTasks>(&bench.source->commands[0].first);
    QVERIFY(cancel != nullptr);
    QCOMPARE(cancel->targets.size(), std::size_t{1});
    QCOMPARE(cancel->targets[0].id, TaskId(4));
    QCOMPARE(cancel->targets[0].base, bench.models().session.state().task(TaskId(4)).revision);
    QString said;
    connect(&panel, &TaskPanel::said, this, [&](const QString& text) { said = text; });
    bench.source->commands[0].second(ViewBench::accepted());
    QVERIFY(said.contains(QStringLiteral("Cancel")));
}

void TestTaskPanel::tellsWhatCouldNotBeDone()
{
    CommandAnswer answer = ViewBench::accepted();
    answer.conflicts = {{TaskId(7), ConflictCause::Finished}};
    const CommandOutcome partly = describe(QStringLiteral("Hold"), answer, 3);
    QVERIFY(!partly.good);
    QVERIFY(partly.headline.contains(QStringLiteral("2 of 3")));
    QCOMPARE(partly.lines.size(), 1);
    QVERIFY(partly.lines[0].contains(QLatin1Char('7')));

    const CommandOutcome refused = describe(QStringLiteral("Hold"),
                                            ViewBench::refused("the run ends"), 1);
    QVERIFY(refused.headline.contains(QStringLiteral("the run ends")));
    QVERIFY(!describe(QStringLiteral("Hold"), Error{.message = "gone"}, 1).good);
    QVERIFY(describe(QStringLiteral("Hold"), ViewBench::accepted(), 1).good);
}

void TestTaskPanel::linksSelection()
{
    ViewBench bench;
    TaskPanel panel(bench.models(), bench.preferences);
    bench.begin(30);
    bench.models().selection.setTask(TaskId(17));
    QCOMPARE(panel.table().currentIndex().row(), 17);
    panel.table().selectRow(5);
    QCOMPARE(bench.models().selection.task(), TaskId(5));
    panel.filterLine().setText(QStringLiteral("task 1"));
    QTRY_COMPARE(bench.models().tasks.rowCount(), 11);
    QCOMPARE(bench.models().selection.task(), TaskId(5));
}

void TestTaskPanel::staysWhereItIsWhenTheCurrentTaskGoes()
{
    ViewBench bench;
    TaskPanel panel(bench.models(), bench.preferences);
    panel.resize(800, 300);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    bench.begin(200);
    QTest::mouseClick(&panel.chips().button(TaskState::Queued), Qt::LeftButton);
    QTRY_COMPARE(bench.models().tasks.rowCount(), 200);
    panel.table().setCurrentIndex(cell(panel, 3, TaskColumn::Command));
    QScrollBar& bar = *panel.table().verticalScrollBar();
    QVERIFY(bar.maximum() > 0);
    QCOMPARE(bar.value(), 0);
    bench.happen({bench.started(3)}); // it is no longer among the queued
    QTRY_COMPARE(bench.models().tasks.rowCount(), 199);
    QCOMPARE(bar.value(), 0);
    QCOMPARE(panel.table().currentIndex().row(), 3);
    QCOMPARE(bench.models().tasks.taskAt(3), TaskId(4));
    QVERIFY(!panel.table().selectionModel()->hasSelection()); // nobody chose it
    QCOMPARE(bench.models().selection.task(), TaskId(3));     // the details still tell of this one
    const QRect place = panel.table().visualRect(panel.table().currentIndex());
    QTest::mouseClick(panel.table().viewport(), Qt::LeftButton, {}, place.center());
    QCOMPARE(bench.models().selection.task(), TaskId(4));
}

void TestTaskPanel::runFileTakesNoOrders()
{
    ViewBench bench(SourceKind::RunFile);
    TaskPanel panel(bench.models(), bench.preferences);
    bench.begin(3);
    panel.table().selectRow(1);
    QVERIFY(!panel.actions().cancel().isEnabled());
    QVERIFY(!panel.actions().edit().isEnabled());
    QVERIFY(!panel.actions().add().isEnabled());
    QVERIFY(panel.actions().copy().isEnabled());
}

// Fails if tasks of a run that is over cannot be done again, if others are, or if what has succeeded is
// without a question.
void TestTaskPanel::endedRunsDoChosenTasksAgain()
{
    ViewBench bench(SourceKind::RunFile);
    QFile record(bench.folder.filePath(QStringLiteral("r.tasuki")));
    QVERIFY(record.open(QIODevice::WriteOnly));
    bench.source->named = record.fileName();
    TaskPanel panel(bench.models(), bench.preferences);
    bench.begin(6);
    const auto ended = [](std::uint32_t task, Outcome outcome) {
        AttemptResult result;
        result.outcome = outcome;
        return AttemptFinished{.key = {TaskId(task), AttemptNumber(1)},
                               .rank = Rank(0),
                               .slot = SlotIndex(0),
                               .disposition = outcome == Outcome::Interrupted ? Disposition::Requeue
                                                                              : Disposition::Final,
                               .result = result};
    };
    bench.happen({ended(0, Outcome::Succeeded), ended(1, Outcome::Failed),
                  ended(2, Outcome::Signalled), ended(3, Outcome::TimedOut),
                  ended(4, Outcome::Interrupted)});
    QVERIFY(bench.models().session.state().count(TaskState::Queued) == 2);
    bench.happen({RunClosed{.end = RunEnd::Interrupted, .elapsed = {}}});
    QStringList wanted;
    connect(&panel.actions(), &TaskActions::retryWanted, this,
            [&](const QString& tasks) { wanted << tasks; });

    panel.table().selectRow(0); // succeeded
    QVERIFY(!panel.actions().retry().isEnabled());
    QVERIFY(panel.actions().again().isEnabled());
    QVERIFY(!panel.actions().cancel().isEnabled());
    QStringList asked;
    const auto answer = [&](int button) {
        QTimer::singleShot(0, this, [&asked, button] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            asked << box->text();
            box->buttons().at(button)->click();
        });
    };
    answer(1);
    panel.actions().again().trigger();
    QVERIFY(wanted.isEmpty());
    answer(0);
    panel.actions().again().trigger();
    QCOMPARE(wanted, QStringList{QStringLiteral("0")});
    QCOMPARE(asked.size(), 2);
    QVERIFY(asked.front().contains(QLatin1Char('1')));

    panel.table().selectAll();
    QVERIFY(panel.actions().retry().isEnabled());
    panel.actions().retry().trigger(); // all but the one that has succeeded
    QCOMPARE(wanted.back(), QStringLiteral("1-5"));
    panel.table().clearSelection();
    QVERIFY(!panel.actions().retry().isEnabled());

    QVERIFY(record.remove()); // its record is not here
    panel.table().selectAll();
    QVERIFY(!panel.actions().retry().isEnabled());
}

QTEST_MAIN(TestTaskPanel)

} // namespace tst_taskpanel

#include "tst_taskpanel.moc"
