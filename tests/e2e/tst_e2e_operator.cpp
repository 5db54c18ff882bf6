// SPDX-License-Identifier: GPL-3.0-or-later
//
// The whole window, without a display, at a real agent under mpirun: an operator's keys and clicks,
// and what the run file says afterwards. What breaks each test stands above it.
#include <QTest>

#include "agentprocess.h"
#include "runrecord.h"
#include "workspace.h"

#include "app/mainwindow.h"
#include "models/taskcolumn.h"
#include "views/addtasksdialog.h"
#include "views/listeditor.h"
#include "views/taskpanel.h"

#include <QApplication>
#include <QDir>
#include <QLineEdit>
#include <QLoggingCategory>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QTimer>

namespace tst_e2e_operator {

using namespace tasuki;
using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

/// A window that is shown, with preferences that nobody keeps.
struct Shown {
    explicit Shown(const std::filesystem::path& accessDirectory)
        : preferences(
            std::make_unique<QSettings>(folder.filePath("settings.ini"), QSettings::IniFormat)),
          window(preferences, languages, clock,
                 {.accessDirectory = accessDirectory, .agentProgram = {}})
    {
        window.resize(1200, 800);
        window.show();
    }

    TaskPanel& tasks() { return window.page()->tasks(); }
    const RunState& state() { return window.page()->models().session.state(); }
    std::size_t count(TaskState wanted) { return state().count(wanted); }
    QModelIndex cell(std::uint32_t task, TaskColumn column)
    {
        const QAbstractItemModel& model = *tasks().table().model();
        for (int row = 0; row < model.rowCount(); ++row) {
            if (window.page()->models().tasks.taskAt(row) == TaskId(task))
                return model.index(row, static_cast<int>(column));
        }
        return {};
    }
    void select(std::uint32_t task)
    {
        tasks().table().selectRow(cell(task, TaskColumn::Number).row());
    }
    /// Presses keys where the table has the focus.
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        // Without a window manager nobody makes the window active again when a dialog closes.
        window.activateWindow();
        if (!QTest::qWaitForWindowActive(&window))
            qFatal("the window does not become active");
        tasks().table().setFocus();
        QTest::keyClick(&tasks().table(), key, modifiers);
    }
    /// Types into a cell; false: no editor opened.
    bool type(std::uint32_t task, TaskColumn column, const QString& text)
    {
        const QModelIndex index = cell(task, column);
        tasks().table().setCurrentIndex(index);
        tasks().table().edit(index);
        QWidget* editor = tasks().table().indexWidget(index);
        if (editor == nullptr)
            editor = QApplication::focusWidget();
        if (qobject_cast<QLineEdit*>(editor) == nullptr
            && qobject_cast<QPlainTextEdit*>(editor) == nullptr)
            return false;
        QTest::keyClick(editor, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(editor, text);
        QTest::keyClick(editor, Qt::Key_Return);
        QCoreApplication::processEvents(); // the delegate commits later
        return true;
    }
    /// Opens the dialog with its keys, types a list and presses the button; false: was not possible.
    bool add(const QString& list)
    {
        bool sent = false;
        QTimer::singleShot(0, &window, [&] {
            auto* dialog = qobject_cast<AddTasksDialog*>(QApplication::activeModalWidget());
            if (dialog == nullptr)
                return;
            // The dialog's own loop goes on meanwhile, and takes the answer.
            dialog->editor().setPlainText(list);
            sent = QTest::qWaitFor([&] { return dialog->addButton().isEnabled(); }, 5000);
            if (sent)
                QTest::mouseClick(&dialog->addButton(), Qt::LeftButton);
            else
                dialog->reject();
        });
        press(Qt::Key_T, Qt::ControlModifier);
        return sent;
    }
    /// Ends the run and says yes when asked.
    void stopRun()
    {
        QTimer::singleShot(0, &window, [] {
            auto* question = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (question == nullptr)
                return;
            for (QAbstractButton* button : question->buttons()) {
                if (question->buttonRole(button) == QMessageBox::DestructiveRole)
                    QTest::mouseClick(button, Qt::LeftButton);
            }
        });
        tasks().actions().stopRun(false);
    }

    QTemporaryDir folder;
    SystemClock clock;
    Preferences preferences;
    Languages languages;
    MainWindow window;
};

} // namespace

class TestOperator : public QObject {
    Q_OBJECT

public:
    /// Offscreen, Qt warns of what is not looked at.
    static void initMain()
    {
        QLoggingCategory::setFilterRules(
            QStringLiteral("qt.qpa*.warning=false\ndefault.warning=false"));
    }

private Q_SLOTS:
    void worksByKeysAndClicks();
};

// Fails if what an operator types, edits, undoes, cancels or repeats in the window is not what the
// agent's run file holds in the end, or if the files that tasks write show another command.
void TestOperator::worksByKeysAndClicks()
{
    const Workspace place;
    AgentProcess agent(place);
    agent.start(Start::Launch, 2, {"serve", "--run", "served.tasuki"});
    QTRY_VERIFY_WITH_TIMEOUT(!place.accessFile().isEmpty(), 20'000);
    {
        Shown shown(place.path(".access").toStdString());
        shown.preferences.setConfirmCancel(false);
        shown.window.openAgent(place.accessFile());
        QVERIFY(QTest::qWaitForWindowActive(&shown.window));
        Session& session = shown.window.page()->models().session;
        QTRY_COMPARE_WITH_TIMEOUT(session.connection().state, ConnectionState::Live, 10'000);
        QTRY_COMPARE_WITH_TIMEOUT(shown.state().processors().size(), std::size_t{2}, 20'000);

        // Two long tasks fill the slots, so that the others stay queued.
        QVERIFY(shown.add("sleep 4\nsleep 60\necho a > out.2\necho b > out.3\nexit 3\n"));
        QTRY_COMPARE_WITH_TIMEOUT(shown.count(TaskState::Running), std::size_t{2}, 10'000);
        QTRY_COMPARE(shown.tasks().table().model()->rowCount(), 5);

        QVERIFY(shown.type(2, TaskColumn::Command, "echo edited > out.2"));
        QVERIFY(shown.type(3, TaskColumn::Command, "echo never > out.3"));
        shown.tasks().editing().undo().trigger();
        QVERIFY(shown.type(4, TaskColumn::Retries, "1"));
        QVERIFY(shown.tasks().editing().send().isEnabled());
        shown.tasks().editing().send().trigger();
        QTRY_COMPARE(shown.state().task(TaskId(2)).task.command,
                     std::string("echo edited > out.2"));
        QTRY_VERIFY(shown.tasks().editing().isHidden());

        shown.select(1);
        shown.press(Qt::Key_Delete); // the task of a minute
        QTRY_COMPARE_WITH_TIMEOUT(shown.count(TaskState::Cancelled), std::size_t{1}, 10'000);
        QTRY_VERIFY_WITH_TIMEOUT(
            shown.count(TaskState::Queued) == 0 && shown.count(TaskState::Running) == 0, 20'000);
        QCOMPARE(shown.count(TaskState::Failed), std::size_t{1});
        QCOMPARE(shown.state().task(TaskId(4)).attempts, 2U); // with the retry it was given
        shown.select(4);
        shown.press(Qt::Key_R, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(shown.state().task(TaskId(4)).attempts > 2
                                     && shown.count(TaskState::Failed) == 1,
                                 10'000);
        shown.stopRun();
        QTRY_COMPARE_WITH_TIMEOUT(session.connection().state, ConnectionState::Ended, 20'000);
        QVERIFY2(agent.finish(20s) && agent.exitCode() == 1, agent.story());
    }
    QCOMPARE(place.read("out.2"), QByteArray("edited\n"));
    QCOMPARE(place.read("out.3"), QByteArray("b\n"));
    const RunRecord record(place.path("served.tasuki").toStdString());
    QCOMPARE(record.value("select command from tasks where id = 2"),
             std::string("echo edited > out.2"));
    QCOMPARE(record.value("select command from tasks where id = 3"), std::string("echo b > out.3"));
    QCOMPARE(record.value("select state from tasks where id = 1"), std::string("cancelled"));
    QCOMPARE(record.value("select state from tasks where id = 4"), std::string("failed"));
    QVERIFY(record.number("select count(*) from attempts where task = 4") > 2);
}

QTEST_MAIN(TestOperator)

} // namespace tst_e2e_operator

#include "tst_e2e_operator.moc"
