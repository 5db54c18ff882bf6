// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>

#include "commands/runplan.h"
#include "tasklist/tasklistreader.h"

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
#include "tst_runplan.moc"
