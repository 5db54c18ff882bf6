// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "operationsbench.h"

namespace tst_operations {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

using Bench = OperationsBench;

ConflictCause firstCause(const Answered& answered)
{
    return answered.answer.conflicts.empty() ? static_cast<ConflictCause>(255)
                                             : answered.answer.conflicts.front().cause;
}

} // namespace

/// Edits, holds and releases on a running farm, and what all commands have in common: the tables in
/// docs/farm.md.
class TestOperations : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void editOfAQueuedTask();
    void editOfAnUnstartedTaskAtAWorker();
    void editOfAHeldTaskStaysHeld();
    void editsAreAllOrNone();
    void editThatComesTooLateGivesTheOthersBack();
    void editsOfUnlikelyCommandsAreRefused();
    void editChangesTheRetryBudget();
    void holdAndRelease();
    void holdOfTasksAtWorkers();
    void holdOfSomeThatRun();
    void holdOfHeldTasksIsNothing();
    void namedTwice();
    void everyConflictHasItsCause_data();
    void everyConflictHasItsCause();
    void nothingIsAnsweredBeforeTheCommit();
    void commandsWaitForEachOther();
    void lostWorkerGivesEverythingBack();
    void answersOfOthersAreIgnored();
    void skippedDuringAWithdrawal();
    void fullDiskDelaysTheAnswer();
};

void TestOperations::editOfAQueuedTask()
{
    Bench bench("echo 0\necho 1\n");
    const auto answered = bench.order(EditTasks{{bench.edit(1, "echo new")}});
    bench.master->poll();
    QCOMPARE(answered->times, 0);
    QCOMPARE(bench.state.task(TaskId(1)).task.command, std::string("echo 1"));
    bench.settle();
    QVERIFY(answered->accepted());
    QVERIFY(answered->answer.conflicts.empty());
    QCOMPARE(bench.state.task(TaskId(1)).task.command, std::string("echo new"));
    QCOMPARE(bench.notices(), Texts{"ann changed 1 task"});
    QVERIFY(bench.recorded<Notice>().front().severity == Severity::Information);
    bench.hello(one, 2);
    bench.settle();
    QCOMPARE(bench.commands(one),
             (std::vector<std::pair<AttemptKey, std::string>>{{key(0), "echo 0"},
                                                              {key(1), "echo new"}}));
}

void TestOperations::editOfAnUnstartedTaskAtAWorker()
{
    Bench bench("echo 0\necho 1\n");
    bench.hello(one, 2);
    bench.settle();
    bench.hello(two, 1);
    QCOMPARE(bench.handed(one), (Keys{key(0), key(1)}));
    const auto answered = bench.settled(EditTasks{{bench.edit(1, "echo new")}});
    QCOMPARE(answered->times, 0);
    QCOMPARE(bench.sent<Withdraw>(one), std::vector{Withdraw{{key(1)}}});
    QVERIFY(bench.sent<Withdraw>(two).empty());
    bench.say(one, Withdrawn{{key(1)}});
    bench.master->poll();
    QVERIFY(bench.handed(one).empty()); // not before it is in the record
    bench.settle();
    QVERIFY(answered->accepted());
    const auto handed = bench.commands(one);
    const auto elsewhere = bench.commands(two);
    QCOMPARE(handed.size() + elsewhere.size(), std::size_t{1});
    QCOMPARE((handed.empty() ? elsewhere : handed).front(),
             (std::pair<AttemptKey, std::string>{key(1), "echo new"})); // the same attempt
}

void TestOperations::editOfAHeldTaskStaysHeld()
{
    Bench bench("echo 0\necho 1\n");
    bench.settled(HoldTasks{bench.targets({0})});
    QVERIFY(
        bench.settled(EditTasks{{bench.edit(0, "echo a"), bench.edit(1, "echo b")}})->accepted());
    bench.hello(one, 4);
    bench.settle();
    QCOMPARE(bench.commands(one),
             (std::vector<std::pair<AttemptKey, std::string>>{{key(1), "echo b"}}));
    QCOMPARE(bench.stateOf(0), TaskState::Held);
    QVERIFY(bench.settled(ReleaseTasks{bench.targets({0})})->accepted());
    QCOMPARE(bench.commands(one),
             (std::vector<std::pair<AttemptKey, std::string>>{{key(0), "echo a"}}));
}

void TestOperations::editsAreAllOrNone()
{
    Bench bench("echo 0\necho 1\necho 2\n");
    const TaskEdit stale = bench.edit(1, "stale");
    bench.settled(EditTasks{{bench.edit(1, "fresh")}});
    const auto answered = bench.settled(EditTasks{{bench.edit(0, "a"), stale, bench.edit(2, "c")}});
    QVERIFY(answered->refused());
    QCOMPARE(answered->answer.conflicts, (Conflicts{{TaskId(1), ConflictCause::Changed}}));
    QCOMPARE(bench.state.task(TaskId(0)).task.command, std::string("echo 0"));
    QCOMPARE(bench.state.task(TaskId(1)).task.command, std::string("fresh"));
    QCOMPARE(bench.recorded<TaskChanged>().size(), std::size_t{1});
    QCOMPARE(bench.notices().size(), std::size_t{1}); // a refusal is not in the record
    bench.hello(one, 4);
    bench.settle();
    QCOMPARE(bench.handed(one).size(), std::size_t{3});
}

void TestOperations::editThatComesTooLateGivesTheOthersBack()
{
    Bench bench("echo 0\necho 1\necho 2\necho 3\n");
    bench.settled(HoldTasks{bench.targets({3})});
    bench.hello(one, 2);
    bench.settle();
    QCOMPARE(bench.handed(one), (Keys{key(0), key(1)}));
    const auto answered = bench.settled(EditTasks{
        {bench.edit(0, "a"), bench.edit(1, "b"), bench.edit(2, "c"), bench.edit(3, "d")}});
    bench.say(one, Withdrawn{{key(1)}}); // 0 runs by now
    bench.settle();
    QVERIFY(answered->refused());
    QCOMPARE(answered->answer.conflicts, (Conflicts{{TaskId(0), ConflictCause::Started}}));
    QVERIFY(bench.recorded<TaskChanged>().empty());
    QCOMPARE(bench.commands(one),
             (std::vector<std::pair<AttemptKey, std::string>>{{key(1), "echo 1"}}));
    bench.end(one, key(1));
    bench.settle();
    QCOMPARE(bench.commands(one),
             (std::vector<std::pair<AttemptKey, std::string>>{{key(2), "echo 2"}}));
    bench.end(one, key(0));
    bench.end(one, key(2));
    bench.settle();
    QVERIFY(bench.handed(one).empty()); // 3 is held as before
    QCOMPARE(bench.stateOf(3), TaskState::Held);
}

void TestOperations::editsOfUnlikelyCommandsAreRefused()
{
    Bench bench("echo 0\n");
    for (const char* command : {"", "echo 'open", "# a comment", "two\nlines"}) {
        const auto answered = bench.settled(EditTasks{{bench.edit(0, command)}});
        QVERIFY2(answered->refused(), command);
        QVERIFY(answered->answer.reason.text().starts_with("task 0: "));
    }
    QVERIFY(bench.recorded<TaskChanged>().empty());
    bench.hello(one);
    bench.settle();
    QCOMPARE(bench.handed(one), Keys{key(0)});
}

void TestOperations::editChangesTheRetryBudget()
{
    Bench bench("echo 0\n");
    bench.settled(EditTasks{{bench.edit(0, "echo 0", {.allowed = {1, 0, 0, 0}})}});
    bench.hello(one);
    bench.settle();
    bench.end(one, key(0), Outcome::Failed);
    bench.pass(1'000ms);
    QCOMPARE(bench.handed(one), (Keys{key(0), key(0, 2)}));
    bench.end(one, key(0, 2), Outcome::Failed);
    bench.settle();
    QCOMPARE(bench.stateOf(0), TaskState::Failed);
}

void TestOperations::holdAndRelease()
{
    Bench bench("echo 0\necho 1\n");
    QVERIFY(bench.settled(HoldTasks{bench.targets({0, 1})})->accepted());
    bench.hello(one, 4);
    bench.settle();
    QVERIFY(bench.handed(one).empty());
    QCOMPARE(bench.state.count(TaskState::Held), std::size_t{2});
    QCOMPARE(bench.master->phase(), Master::Phase::Running); // held tasks keep the run open
    const auto answered = bench.order(ReleaseTasks{bench.targets({1})});
    bench.master->poll();
    QVERIFY(bench.handed(one).empty());
    bench.settle();
    QVERIFY(answered->accepted());
    QCOMPARE(bench.handed(one), Keys{key(1)});
    QCOMPARE(bench.notices(), (Texts{"ann holds 2 tasks", "ann released 1 task"}));
    QCOMPARE(bench.recorded<TaskReleased>(), std::vector{TaskReleased{TaskId(1)}});
}

void TestOperations::holdOfTasksAtWorkers()
{
    Bench bench("echo 0\necho 1\necho 2\n");
    bench.hello(one, 2);
    bench.hello(two, 1);
    bench.settle();
    const Keys first = bench.handed(one);
    const Keys second = bench.handed(two);
    QCOMPARE(first.size() + second.size(), std::size_t{3});
    const auto answered = bench.settled(HoldTasks{bench.targets({0, 1, 2})});
    QCOMPARE(bench.sent<Withdraw>(one), std::vector{Withdraw{first}});
    QCOMPARE(bench.sent<Withdraw>(two), std::vector{Withdraw{second}});
    bench.say(one, Withdrawn{first});
    bench.settle();
    QCOMPARE(answered->times, 0);
    QVERIFY(bench.recorded<TaskHeld>().empty());
    bench.say(two, Withdrawn{second});
    bench.settle();
    QVERIFY(answered->accepted());
    QCOMPARE(bench.state.count(TaskState::Held), std::size_t{3});
    QVERIFY(bench.handed(one).empty() && bench.handed(two).empty());
    QCOMPARE(bench.master->outstanding(), std::size_t{0});
}

void TestOperations::holdOfSomeThatRun()
{
    Bench bench("echo 0\necho 1\necho 2\n");
    bench.hello(one, 2);
    bench.settle();
    bench.handed(one);
    bench.begin(one, key(0)); // the record does not know yet
    const auto answered = bench.settled(HoldTasks{bench.targets({0, 1, 2})});
    QCOMPARE(bench.sent<Withdraw>(one), std::vector{Withdraw{{key(1)}}});
    bench.say(one, Withdrawn{});
    bench.settle();
    QVERIFY(answered->accepted());
    QCOMPARE(answered->answer.conflicts,
             (Conflicts{{TaskId(0), ConflictCause::Started}, {TaskId(1), ConflictCause::Started}}));
    QCOMPARE(bench.stateOf(2), TaskState::Held);
    QCOMPARE(bench.notices(), Texts{"ann holds 1 task"});
    // None fits at all: refused.
    bench.begin(one, key(1));
    bench.settle();
    const auto refused = bench.settled(HoldTasks{bench.targets({0, 1})});
    QVERIFY(refused->refused());
    QCOMPARE(refused->answer.conflicts.size(), std::size_t{2});
    QCOMPARE(bench.notices().size(), std::size_t{1});
}

void TestOperations::holdOfHeldTasksIsNothing()
{
    Bench bench("echo 0\necho 1\n");
    bench.settled(HoldTasks{bench.targets({0})});
    const auto answered = bench.settled(HoldTasks{bench.targets({0})});
    QVERIFY(answered->accepted());
    QVERIFY(answered->answer.conflicts.empty());
    QCOMPARE(bench.notices().size(), std::size_t{1});
    QVERIFY(bench.settled(HoldTasks{bench.targets({0, 1})})->accepted());
    QCOMPARE(bench.recorded<TaskHeld>().size(), std::size_t{2});
}

void TestOperations::namedTwice()
{
    Bench bench("echo 0\necho 1\n");
    const auto held = bench.settled(HoldTasks{bench.targets({0, 0, 0})});
    QVERIFY(held->accepted());
    QCOMPARE(bench.recorded<TaskHeld>().size(), std::size_t{1});
    const auto cancelled = bench.settled(CancelTasks{bench.targets({0, 1, 0})});
    QVERIFY(cancelled->accepted());
    QVERIFY(cancelled->answer.conflicts.empty());
    QCOMPARE(bench.recorded<TaskCancelled>().size(), std::size_t{2});
}

void TestOperations::everyConflictHasItsCause_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<int>("task");
    QTest::addColumn<int>("cause");
    const auto row = [](const char* command, int task, ConflictCause cause) {
        QTest::addRow("%s task %d", command, task)
            << QString(command) << task << static_cast<int>(cause);
    };
    // 0 has succeeded, 1 runs, 2 is queued and was changed, 3 is held, 4 was removed, 5 does not
    // exist.
    for (const char* command : {"edit", "cancel", "hold", "release", "repeat"})
        row(command, 5, ConflictCause::Unknown);
    row("edit", 0, ConflictCause::Finished);
    row("edit", 1, ConflictCause::Started);
    row("edit", 2, ConflictCause::Changed);
    row("edit", 4, ConflictCause::Removed);
    row("cancel", 0, ConflictCause::Finished);
    row("cancel", 2, ConflictCause::Changed);
    row("cancel", 4, ConflictCause::Removed);
    row("hold", 0, ConflictCause::Finished);
    row("hold", 1, ConflictCause::Started);
    row("hold", 2, ConflictCause::Changed);
    row("hold", 4, ConflictCause::Removed);
    row("release", 0, ConflictCause::NotHeld);
    row("release", 1, ConflictCause::NotHeld);
    row("release", 2, ConflictCause::NotHeld);
    row("release", 4, ConflictCause::NotHeld);
    row("repeat", 1, ConflictCause::NotFinished);
    row("repeat", 2, ConflictCause::NotFinished);
    row("repeat", 3, ConflictCause::NotFinished);
    row("repeat", 4, ConflictCause::Removed);
}

void TestOperations::everyConflictHasItsCause()
{
    QFETCH(QString, command);
    QFETCH(int, task);
    QFETCH(int, cause);
    MasterBench plain;
    std::vector<EventPayload> opening = openingOf(5);
    opening.push_back(TaskRemoved{TaskId(4)});
    Bench bench("");
    // A run of a resumed list: 4 is no longer in it.
    MasterOptions options;
    OperationsBench fresh("echo 0\necho 1\necho 2\necho 3\necho 4\n");
    fresh.journal.append(TaskRemoved{TaskId(4)});
    fresh.journal.commit();
    const TaskTarget seen = fresh.target(2);
    QVERIFY(fresh.settled(HoldTasks{fresh.targets({3})})->accepted());
    QVERIFY(fresh.settled(EditTasks{{fresh.edit(2, "echo changed")}})->accepted());
    fresh.hello(one, 1);
    fresh.settle();
    fresh.end(one, key(0));
    fresh.settle();
    fresh.begin(one, key(1));
    fresh.settle();
    TaskTarget target{TaskId(static_cast<std::uint32_t>(task)), Revision(1)};
    if (task < 5)
        target = task == 2 ? seen : fresh.target(static_cast<std::uint32_t>(task));
    OperatorCommand given = CancelTasks{{target}};
    if (command == QLatin1String("edit"))
        given = EditTasks{{{target, "echo x", std::make_shared<const TaskSettings>()}}};
    else if (command == QLatin1String("hold"))
        given = HoldTasks{{target}};
    else if (command == QLatin1String("release"))
        given = ReleaseTasks{{target}};
    else if (command == QLatin1String("repeat"))
        given = RepeatTasks{{target}};
    const std::size_t recorded = fresh.journal.record().size();
    const auto answered = fresh.settled(given);
    QVERIFY(answered->refused());
    QCOMPARE(answered->answer.conflicts.size(), std::size_t{1});
    QCOMPARE(static_cast<int>(firstCause(*answered)), cause);
    if (command != QLatin1String("edit")) {
        QCOMPARE(answered->answer.reason.text(),
                 "task " + std::to_string(task) + ' '
                     + std::string(conflictText(static_cast<ConflictCause>(cause))));
    }
    QCOMPARE(fresh.journal.record().size(), recorded);
}

void TestOperations::nothingIsAnsweredBeforeTheCommit()
{
    Bench bench("#TASUKI label=a\necho 0\n#TASUKI after=a\necho 1\necho 2\necho 3\n");
    bench.settled(HoldTasks{bench.targets({3})});
    for (OperatorCommand command :
         {OperatorCommand(AddTasks{"echo more\n", "more"}),
          OperatorCommand(EditTasks{{bench.edit(2, "echo new")}}),
          OperatorCommand(HoldTasks{bench.targets({2})}),
          OperatorCommand(ReleaseTasks{bench.targets({3})}),
          OperatorCommand(CancelTasks{bench.targets({0})}), OperatorCommand(StopRun{})}) {
        if (auto* hold = std::get_if<HoldTasks>(&command))
            hold->targets = bench.targets({2}); // changed meanwhile
        const auto answered = bench.order(std::move(command));
        for (int i = 0; i < 5; ++i)
            bench.master->poll();
        QCOMPARE(answered->times, 0);
        bench.journal.commit();
        QVERIFY(answered->accepted());
        bench.settle();
        QCOMPARE(answered->times, 1);
    }
}

void TestOperations::commandsWaitForEachOther()
{
    Bench bench("echo 0\necho 1\n");
    bench.hello(one, 1);
    bench.settle();
    const auto hold = bench.order(HoldTasks{bench.targets({0})});
    const auto edit = bench.order(EditTasks{{bench.edit(1, "echo a")}});
    const auto stale = bench.order(EditTasks{{bench.edit(1, "echo b")}});
    bench.settle();
    QCOMPARE(hold->times + edit->times + stale->times, 0);
    QVERIFY(bench.recorded<TaskChanged>().empty());
    bench.say(one, Withdrawn{{key(0)}});
    bench.settle();
    QVERIFY(hold->accepted());
    QVERIFY(edit->times <= 1);
    for (const AttemptKey& handed : bench.handed(one)) {
        if (handed == key(1))
            bench.say(one, Withdrawn{{key(1)}});
    }
    bench.settle();
    QVERIFY(edit->accepted());
    QVERIFY(stale->refused()); // it was given for a task that is another by now
    QCOMPARE(firstCause(*stale), ConflictCause::Changed);
    QCOMPARE(bench.state.task(TaskId(1)).task.command, std::string("echo a"));
}

void TestOperations::lostWorkerGivesEverythingBack()
{
    for (const bool takenOver : {false, true}) {
        Bench bench("echo 0\necho 1\necho 2\n");
        bench.hello(one, 1);
        bench.hello(two, 2);
        bench.settle();
        bench.handed(one);
        const auto answered = bench.settled(HoldTasks{bench.targets({0, 1, 2})});
        const auto asked = bench.sent<Withdraw>(two);
        QCOMPARE(asked.size(), std::size_t{1});
        bench.gone(two);
        if (takenOver) {
            bench.hold(two, Incarnation(2));
            bench.hello(two, 2);
        }
        bench.settle();
        QCOMPARE(answered->times, 0);
        if (takenOver) // of the earlier holding
            bench.say(two, Withdrawn{asked.front().keys}, Incarnation(1));
        bench.say(one, Withdrawn{bench.sent<Withdraw>(one).front().keys});
        bench.settle();
        QVERIFY(answered->accepted());
        QVERIFY(answered->answer.conflicts.empty());
        QCOMPARE(bench.state.count(TaskState::Held), std::size_t{3});
        QVERIFY(bench.handed(one).empty());
    }
    // The last one that was asked.
    Bench bench("echo 0\n");
    bench.hello(one, 1);
    bench.settle();
    const auto answered = bench.settled(EditTasks{{bench.edit(0, "echo new")}});
    bench.hello(two, 1);
    bench.gone(one);
    bench.settle();
    QVERIFY(answered->accepted());
    QCOMPARE(bench.commands(two),
             (std::vector<std::pair<AttemptKey, std::string>>{{key(0), "echo new"}}));
}

void TestOperations::answersOfOthersAreIgnored()
{
    Bench bench("echo 0\necho 1\n");
    bench.hello(one, 1);
    bench.hello(two, 1);
    bench.settle();
    bench.say(one, Withdrawn{{key(0), key(1)}}); // nobody asked
    bench.settle();
    QCOMPARE(bench.master->outstanding(), std::size_t{2});
    const auto answered = bench.settled(HoldTasks{bench.targets({0})});
    bench.say(two, Withdrawn{{key(0), key(1)}});
    bench.settle();
    QCOMPARE(answered->times, 0);
    bench.say(one, Withdrawn{{key(0)}});
    bench.settle();
    QVERIFY(answered->accepted());
    bench.say(one, Withdrawn{{key(0)}});
    bench.settle();
    QCOMPARE(answered->times, 1);
}

void TestOperations::skippedDuringAWithdrawal()
{
    Bench bench("#TASUKI label=a\necho 0\n#TASUKI after=a\necho 1\necho 2\n");
    bench.hello(one, 2);
    bench.settle();
    bench.begin(one, key(0));
    const auto held = bench.settled(HoldTasks{bench.targets({1, 2})});
    QCOMPARE(bench.sent<Withdraw>(one), std::vector{Withdraw{{key(2)}}});
    bench.end(one, key(0), Outcome::Failed); // 1 will not run
    bench.settle();
    bench.say(one, Withdrawn{{key(2)}});
    bench.settle();
    QVERIFY(held->accepted());
    QCOMPARE(held->answer.conflicts, (Conflicts{{TaskId(1), ConflictCause::Finished}}));
    QCOMPARE(bench.stateOf(1), TaskState::Skipped);
    QCOMPARE(bench.stateOf(2), TaskState::Held);
}

void TestOperations::fullDiskDelaysTheAnswer()
{
    Bench bench("echo 0\n");
    bench.hello(one, 1);
    bench.settle();
    bench.journal.stall();
    const auto answered = bench.settled(HoldTasks{bench.targets({0})});
    bench.say(one, Withdrawn{{key(0)}});
    bench.pass(3'000ms);
    QCOMPARE(answered->times, 0);
    bench.journal.recover();
    bench.settle();
    QVERIFY(answered->accepted());
    QCOMPARE(bench.stateOf(0), TaskState::Held);
}

QTEST_APPLESS_MAIN(TestOperations)

} // namespace tst_operations

#include "tst_operations.moc"
