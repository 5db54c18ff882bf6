// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>

#include "domain/outputkeeping.h"
#include "node/runplan.h"
#include "node/taskchoice.h"
#include "tasklist/tasklistreader.h"

namespace tst_runplan {

using namespace tasuki;

namespace {

/// Applies what continues a state, as the farm would.
void proceed(RunState& state, std::vector<EventPayload> payloads, Epoch epoch)
{
    Sequence last;
    if (state.lastEvent().epoch == epoch)
        last = state.lastEvent().sequence;
    for (EventPayload& payload : payloads) {
        last = last.next();
        const Result<void> applied = state.apply(
            {.id = {epoch, last}, .wallTime = {}, .monotonic = {}, .payload = std::move(payload)});
        if (!applied)
            qFatal("%s", applied.error().text().c_str());
    }
}

EventPayload end(std::uint32_t task, Outcome outcome)
{
    AttemptResult result;
    result.outcome = outcome;
    return AttemptFinished{.key = {TaskId(task), AttemptNumber(1)},
                           .rank = Rank(0),
                           .slot = SlotIndex(0),
                           .disposition = Disposition::Final,
                           .result = result};
}

std::vector<Task> list(const char* text) { return parseTaskList(text, "list").tasks; }

RunState recorded()
{
    RunState state;
    proceed(state, {RunOpened{}}, Epoch(1));
    proceed(state, continuation(state, list("one\ntwo\nthree\nfour\n"), false), Epoch(1));
    proceed(state,
            {end(0, Outcome::Succeeded), end(1, Outcome::Failed),
             TaskSkipped{.id = TaskId(2), .because = TaskId(1)}},
            Epoch(1));
    return state;
}

} // namespace

class tst_RunPlan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sameListRunsOnlyWhatIsOpen()
    {
        RunState state = recorded();
        proceed(state, {RunOpened{}}, Epoch(2));
        proceed(state, continuation(state, list("one\ntwo\nthree\nfour\n"), false), Epoch(2));
        QCOMPARE(state.task(TaskId(0)).state, TaskState::Succeeded);
        QCOMPARE(state.task(TaskId(1)).state, TaskState::Failed);
        QCOMPARE(state.task(TaskId(2)).state, TaskState::Queued); // was skipped, never ran
        QCOMPARE(state.task(TaskId(3)).state, TaskState::Queued);
        QCOMPARE(state.tasks().size(), std::size_t(4));
    }

    /// A run that is requeued reads its list again.
    void whatOperatorsHaveAddedGoesOn()
    {
        RunState state = recorded();
        std::vector<Task> more = list("more\nmuch more\n");
        for (std::uint32_t i = 0; i < 2; ++i) {
            more[i].position = 4 + i;
            more[i].line = 0;
            proceed(state, {TaskAdded{.id = TaskId(4 + i), .task = more[i]}}, Epoch(1));
        }
        proceed(state, {end(5, Outcome::Failed)}, Epoch(1));
        proceed(state, {RunOpened{}}, Epoch(2));
        proceed(state, continuation(state, list("one\ntwo\nthree\nfour\nfive\n"), true), Epoch(2));
        QCOMPARE(state.tasks().size(), std::size_t(7));
        QCOMPARE(state.task(TaskId(4)).state, TaskState::Queued);
        QCOMPARE(state.task(TaskId(4)).task.position, 5U);
        QCOMPARE(state.task(TaskId(5)).state, TaskState::Queued); // failed is done again
        QCOMPARE(state.count(TaskState::Removed), std::size_t(0));
    }

    void retryFailedReopens()
    {
        RunState state = recorded();
        proceed(state, {RunOpened{}}, Epoch(2));
        proceed(state, continuation(state, list("one\ntwo\nthree\nfour\n"), true), Epoch(2));
        QCOMPARE(state.task(TaskId(0)).state, TaskState::Succeeded);
        QCOMPARE(state.task(TaskId(1)).state, TaskState::Queued);
    }

    void editedListKeepsWhatIsDone()
    {
        RunState state = recorded();
        proceed(state, {RunOpened{}}, Epoch(2));
        proceed(state, continuation(state, list("new\nfour\none\n"), false), Epoch(2));
        QCOMPARE(state.task(TaskId(0)).state, TaskState::Succeeded);
        QCOMPARE(state.task(TaskId(0)).task.position, 2U);
        QCOMPARE(state.task(TaskId(1)).state, TaskState::Removed);
        QCOMPARE(state.task(TaskId(2)).state, TaskState::Removed);
        QCOMPARE(state.task(TaskId(3)).state, TaskState::Queued);
        QCOMPARE(state.task(TaskId(4)).task.command, std::string("new"));
        QCOMPARE(state.unfinished(), std::size_t(2));
        // A failed task that is listed again stays failed, and can be tried again.
        proceed(state, {RunOpened{}}, Epoch(3));
        proceed(state, continuation(state, list("two\n"), true), Epoch(3));
        QCOMPARE(state.task(TaskId(1)).state, TaskState::Queued);
        QCOMPARE(state.unfinished(), std::size_t(1));
    }

    void chosenTasks_data()
    {
        QTest::addColumn<bool>("again");
        QTest::addColumn<QList<quint32>>("chosen");
        QTest::addColumn<QList<quint32>>("queued");
        QTest::addColumn<QString>("problem");
        // 0 succeeded, 1 failed, 2 after 1 was skipped, 3 and 4 were never tried, 5 below a barrier.
        using Tasks = QList<quint32>;
        QTest::newRow("failed, with what waits for it")
            << true << Tasks{1} << Tasks{1, 2, 3, 4, 5} << QString();
        QTest::newRow("succeeded") << true << Tasks{0} << Tasks{0, 3, 4, 5} << QString();
        QTest::newRow("what is left") << true << Tasks{3} << Tasks{3, 4, 5} << QString();
        QTest::newRow("only: what has ended stays")
            << false << Tasks{0, 1, 3} << Tasks{2, 3, 4, 5} << QString();
        QTest::newRow("skipped alone")
            << true << Tasks{2} << Tasks{} << "--retry: task 2 comes after task 1";
        QTest::newRow("below a barrier")
            << true << Tasks{1, 5} << Tasks{} << "--retry: task 5 stands below a barrier";
        QTest::newRow("below a barrier, with all above")
            << true << Tasks{1, 3, 4, 5} << Tasks{1, 2, 3, 4, 5} << QString();
        QTest::newRow("no such task") << true << Tasks{6} << Tasks{} << "the run has no task 6";
        QTest::newRow("only: no such task") << false << Tasks{6} << Tasks{} << "--only: ";
    }

    // Fails if a life that is to do chosen tasks reopens others, or not what waits for them, or begins
    // though it could not come to its end.
    void chosenTasks()
    {
        QFETCH(bool, again);
        QFETCH(QList<quint32>, chosen);
        QFETCH(QList<quint32>, queued);
        QFETCH(QString, problem);
        const QTemporaryDir directory;
        FarmOptions options;
        options.runFile = directory.filePath("r.tasuki").toStdString();
        options.resume = true;
        options.onlyAgain = again;
        for (const quint32 task : chosen)
            options.only.push_back({TaskId(task), TaskId(task)});
        auto file = RunFileWriter::create(options.runFile, RunId::random());
        QVERIFY(file.ok());
        RunPlan plan{.file = std::move(*file),
                     .state = {},
                     .epoch = Epoch(2),
                     .opening = {},
                     .directory = {}};
        proceed(plan.state, {RunOpened{}}, Epoch(1));
        proceed(plan.state,
                continuation(plan.state,
                             list("one\n#TASUKI label=b\ntwo\n#TASUKI after=b\nthree\nfour\nfive\n"
                                  "#TASUKI barrier\nsix\n"),
                             false),
                Epoch(1));
        proceed(plan.state,
                {end(0, Outcome::Succeeded), end(1, Outcome::Failed),
                 TaskSkipped{.id = TaskId(2), .because = TaskId(1)}},
                Epoch(1));
        plan.opening = {RunOpened{}, TaskReopened{TaskId(2)}}; // as any resumed run has it
        const Result<void> confined = confine(plan, options);
        QCOMPARE(confined.ok(), problem.isEmpty());
        if (!confined) {
            const QString text = QString::fromStdString(confined.error().text());
            QVERIFY2(text.contains(problem) && !text.contains('\n'), qPrintable(text));
            return;
        }
        proceed(plan.state, plan.opening, Epoch(2));
        QList<quint32> found;
        for (std::uint32_t task = 0; task < plan.state.tasks().size(); ++task) {
            if (plan.state.task(TaskId(task)).state == TaskState::Queued)
                found << task;
        }
        QCOMPARE(found, queued);
    }

    // Fails if windows are not told where output is, or if what they are told means something else.
    void keepingOfOutputIsTold()
    {
        for (const OutputKeeping& keeping :
             {OutputKeeping{}, OutputKeeping{.recordBytes = 0},
              OutputKeeping{.recordBytes = 65'536, .directory = "/a \"b\"; c"}}) {
            const auto back = outputKeepingOf(outputNotice(keeping).text());
            QVERIFY(back && *back == keeping);
        }
        QVERIFY(!outputKeepingOf("the record keeps nothing"));
        QVERIFY(!outputKeepingOf("the record keeps 5 bytes of each stream of a task; so"));

        const QTemporaryDir directory;
        FarmOptions options;
        options.runFile = directory.filePath("r.tasuki").toStdString();
        options.taskList = "list";
        options.output.directory = "out";
        TaskListParse parsed = parseTaskList("a\n", "list");
        const auto plan = planRun(options, {.host = "h", .processors = 3}, &parsed);
        QVERIFY(plan.ok());
        const auto* notice = std::get_if<Notice>(&plan->opening[1]);
        QVERIFY(notice != nullptr);
        const auto keeping = outputKeepingOf(notice->text.text());
        QVERIFY(keeping && keeping->directory == plan->directory + "/out");
    }

    void planOfANewRun()
    {
        const QTemporaryDir directory;
        FarmOptions options;
        options.runFile = directory.filePath("r.tasuki").toStdString();
        options.taskList = "list";
        TaskListParse parsed = parseTaskList("a\nb\n", "list");
        {
            const auto plan = planRun(options, {.host = "h", .processors = 3}, &parsed);
            QVERIFY(plan.ok());
            QCOMPARE(plan->epoch, Epoch(1));
            QCOMPARE(plan->opening.size(), std::size_t(3));
            QCOMPARE(std::get<RunOpened>(plan->opening[0]).processors, 3U);
        }
        TaskListParse again = parseTaskList("a\nb\n", "list");
        const auto second = planRun(options, {.host = "h", .processors = 3}, &again);
        QVERIFY(!second.ok());
        QVERIFY(second.error().text().find("--resume") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(tst_RunPlan)

} // namespace tst_runplan

#include "tst_runplan.moc"
