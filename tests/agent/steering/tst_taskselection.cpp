// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "steering/taskselection.h"
#include "support/history.h"

namespace tst_taskselection {

using namespace tasuki;
using namespace tasuki::steering;

namespace {

/// Six tasks: 0 succeeded, 1 failed, 2 held, 3 to 5 queued; 1 and 4 have the label "fit".
RunState sample()
{
    History history;
    history.add(RunOpened{});
    for (std::uint32_t i = 0; i < 6; ++i) {
        Task task{.command = "x", .settings = std::make_shared<const TaskSettings>()};
        if (i == 1 || i == 4) {
            auto links = std::make_shared<TaskLinks>();
            links->label = "fit";
            task.links = std::move(links);
        }
        history.add(TaskAdded{TaskId(i), std::move(task)});
    }
    history.addEnd(0, 1, Outcome::Succeeded, 0, {}).addEnd(1, 1, Outcome::Failed, 1, {});
    history.add(TaskHeld{TaskId(2)});
    RunState state;
    for (const Event& event : history.events())
        static_cast<void>(state.apply(event));
    return state;
}

/// @return the tasks as text, or the error
QByteArray chosen(const TaskSelection& selection)
{
    const auto tasks = selectTasks(sample(), selection);
    if (!tasks)
        return QByteArray::fromStdString(tasks.error().text());
    QByteArray text;
    for (const TaskId id : *tasks)
        text += QByteArray::number(id.value()) + ' ';
    return text.trimmed();
}

} // namespace

class TestTaskSelection : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void words_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("tasks");
        QTest::newRow("ids") << QStringList{"4", "0", "4"} << QByteArray("0 4");
        QTest::newRow("range") << QStringList{"1-3", "3-3"} << QByteArray("1 2 3");
        QTest::newRow("label") << QStringList{"fit", "5"} << QByteArray("1 4 5");
        QTest::newRow("beyond") << QStringList{"3-6"}
                                << QByteArray("there is no task 6; the run has tasks 0 to 5");
        QTest::newRow("backwards")
            << QStringList{"3-1"}
            << QByteArray(
                   "'3-1' is no task and no label; a task is a number, e.g. 7, a range, e.g. 3-9, or a label; the "
                   "run has tasks 0 to 5");
        QTest::newRow("misspelt") << QStringList{
            "fitt"} << QByteArray("'fitt' is no task and no label; did you mean fit?");
        QTest::newRow("huge")
            << QStringList{"99999999999"}
            << QByteArray("'99999999999' is no task and no label; a task is a number, e.g. 7, a "
                          "range, e.g. 3-9, or a label; the run has tasks 0 to 5");
        QTest::newRow("none") << QStringList{} << QByteArray();
    }
    void words()
    {
        QFETCH(QStringList, words);
        TaskSelection selection;
        for (const QString& word : words)
            selection.words.push_back(word.toStdString());
        QTEST(chosen(selection), "tasks");
    }

    void states()
    {
        QCOMPARE(chosen({.states = {TaskState::Failed, TaskState::Held}, .all = true}), "1 2");
        QCOMPARE(chosen({.words = {"fit"}, .states = {TaskState::Queued}}), "4");
        QCOMPARE(chosen({.all = true}), "0 1 2 3 4 5");
        QCOMPARE(parseTaskState("held").value(), TaskState::Held);
        QCOMPARE(
            parseTaskState("halt").error().text(),
            "--state 'halt' is not a state of a task; expected queued, running, succeeded, failed, skipped, removed, "
            "held, cancelled");
    }

    void targetsHaveTheRevisionThatWasSeen()
    {
        const RunState state = sample();
        const auto targets = targetsOf(state, {TaskId(1), TaskId(5)});
        QCOMPARE(targets.size(), std::size_t(2));
        QVERIFY(targets[1] == (TaskTarget{TaskId(5), state.task(TaskId(5)).revision}));
    }
};

QTEST_APPLESS_MAIN(TestTaskSelection)

} // namespace tst_taskselection

#include "tst_taskselection.moc"
