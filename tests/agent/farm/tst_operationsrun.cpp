// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "operationsbench.h"

namespace tst_operationsrun {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

using Bench = OperationsBench;
using Phase = Master::Phase;

OperatorCommand more(std::string text) { return AddTasks{std::move(text), "more.sh"}; }

MasterOptions staysOpen()
{
    MasterOptions options;
    options.staysOpen = true;
    return options;
}

} // namespace

/// Tasks that are added and repeated, and the end of the run.
class TestOperationsRun : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void addedTasksRunBehindTheOthers();
    void mistakesAreToldByTheLinesOfTheWholeList();
    void addedTasksComeAfterLabelsOfTheRun();
    void addedTasksBehindABarrier();
    void addedTasksHaveTheRunsDefaults();
    void badListsAddNothing();
    void labelsOfRemovedTasksAreUnknown();
    void addedTasksMayBeSkippedAtOnce();
    void repeatOfAFailedTaskWithWhatItSkipped();
    void repeatOfASucceededTask();
    void repeatHasAFreshBudget();
    void repeatOfACancelledTask();
    void completeRunsStayOpenWhenToldSo();
    void runIsNotCompleteWhileACommandIsUnderWay();
    void runWithoutWorkersWaitsForACommandUnderWay();
    void stopOnce();
    void stopTwice();
    void stopAndKillAtOnce();
    void commandsOutsideOfRunning_data();
    void commandsOutsideOfRunning();
    void commandUnderWayWhenTheRunEnds();
    void fullDiskDoesNotKeepTheRunOpen();
    void commandsWithoutTasksAreRefused();
};

void TestOperationsRun::addedTasksRunBehindTheOthers()
{
    Bench bench("echo 0\necho 1\n");
    bench.hello(one, 1);
    bench.settle();
    const auto answered = bench.order(more("echo 2\n# nothing\necho 3\n"));
    bench.master->poll();
    QCOMPARE(bench.state.tasks().size(), std::size_t{2});
    bench.settle();
    QVERIFY(answered->accepted());
    QCOMPARE(answered->answer.added,
             std::optional(AddedTasks{TaskId(2), 2, answered->answer.added->recorded}));
    QVERIFY(answered->answer.added->recorded <= bench.state.lastEvent());
    QCOMPARE(bench.state.tasks().size(), std::size_t{4});
    const Task& added = bench.state.task(TaskId(3)).task;
    QCOMPARE(added.position, 3U);
    QCOMPARE(added.stage, 0U);
    QCOMPARE(added.line, std::uint64_t{0}); // of no list
    QCOMPARE(bench.notices(), Texts{"ann added 2 tasks"});
    std::vector<std::pair<AttemptKey, std::string>> ran;
    for (int round = 0; round < 6; ++round) {
        for (auto& command : bench.commands(one)) {
            bench.end(one, command.first);
            ran.push_back(std::move(command));
        }
        bench.settle();
    }
    QCOMPARE(ran,
             (std::vector<std::pair<AttemptKey, std::string>>{
                 {key(0), "echo 0"}, {key(1), "echo 1"}, {key(2), "echo 2"}, {key(3), "echo 3"}}));
    QCOMPARE(bench.master->end(), RunEnd::Complete);
}

void TestOperationsRun::mistakesAreToldByTheLinesOfTheWholeList()
{
    Bench bench("echo 0\n");
    const auto wrong = bench.order(AddTasks{"echo 'open\n", "more.sh", 501});
    bench.settle();
    QVERIFY(wrong->refused());
    QVERIFY(!wrong->answer.added);
    QVERIFY(wrong->answer.reason.text().find("more.sh:501:6:") != std::string::npos);
}

void TestOperationsRun::addedTasksComeAfterLabelsOfTheRun()
{
    Bench bench("#TASUKI label=a\necho 0\n#TASUKI label=a\necho 1\necho 2\n");
    bench.hello(one, 2);
    bench.settle();
    bench.end(one, key(0));
    const auto answered = bench.settled(
        more("#TASUKI after=a label=b\necho 3\n#TASUKI after=b,a\necho 4\n"));
    QVERIFY(answered->accepted());
    const auto after = [&](std::uint32_t task) {
        return bench.state.task(TaskId(task)).task.links->after.ids();
    };
    QCOMPARE(after(3), (std::vector{TaskId(0), TaskId(1)}));
    QCOMPARE(after(4), (std::vector{TaskId(0), TaskId(1), TaskId(3)}));
    bench.settle();
    bench.handed(one);
    bench.end(one, key(2));
    bench.settle();
    QVERIFY(bench.handed(one).empty()); // 3 waits for 1
    bench.end(one, key(1));
    bench.settle();
    QCOMPARE(bench.handed(one), Keys{key(3)});
    bench.end(one, key(3));
    bench.settle();
    QCOMPARE(bench.handed(one), Keys{key(4)});
}

void TestOperationsRun::addedTasksBehindABarrier()
{
    Bench bench("echo 0\n#TASUKI barrier\necho 1\n");
    QVERIFY(bench.settled(more("echo 2\n#TASUKI barrier\necho 3\n"))->accepted());
    QVERIFY(bench.settled(more("#TASUKI barrier\necho 4\n"))->accepted());
    const auto stage = [&](std::uint32_t task) {
        return bench.state.task(TaskId(task)).task.stage;
    };
    QCOMPARE(stage(2), 1U);
    QCOMPARE(stage(3), 2U);
    QCOMPARE(stage(4), 3U);
    bench.hello(one, 8);
    for (const Keys& expected : {Keys{key(0)}, Keys{key(1), key(2)}, Keys{key(3)}, Keys{key(4)}}) {
        bench.settle();
        QCOMPARE(bench.handed(one), expected);
        for (const AttemptKey& handed : expected)
            bench.end(one, handed);
    }
    bench.settle();
    QCOMPARE(bench.master->end(), RunEnd::Complete);
}

void TestOperationsRun::addedTasksHaveTheRunsDefaults()
{
    MasterOptions options;
    options.taskDefaults.retries = {.allowed = {1, 2, 3, 4}};
    options.taskDefaults.timeout = 7s;
    Bench bench("echo 0\n", {}, options);
    QVERIFY(bench.settled(more("echo 1\n#TASUKI retries=0\necho 2\n"))->accepted());
    const auto settings = [&](std::uint32_t task) {
        return *bench.state.task(TaskId(task)).task.settings;
    };
    QCOMPARE(settings(1).retries.allowed, (std::array<std::uint16_t, 4>{1, 2, 3, 4}));
    QVERIFY(settings(1).timeout == 7s);
    QVERIFY(settings(2).retries.allowed != settings(1).retries.allowed);
    QVERIFY(settings(2).timeout == 7s);
}

void TestOperationsRun::badListsAddNothing()
{
    Bench bench("#TASUKI label=prepare\necho 0\n");
    const auto answered = bench.settled(
        more("#Tasuki label=x\necho fine\n  #TASUKI after=prepaer\necho 'open\n"));
    QVERIFY(answered->refused());
    QCOMPARE(answered->answer.details.size(), std::size_t{3});
    QVERIFY(answered->answer.details[0].starts_with("more.sh:1:1: warning: "));
    QVERIFY(answered->answer.details[1].starts_with("more.sh:3:17: error: "));
    QVERIFY(answered->answer.details[1].find("nearest is \"prepare\"") != std::string::npos);
    QVERIFY(answered->answer.details[2].starts_with("more.sh:4:6: error: "));
    // The reason is what stops it, not what is merely odd.
    QVERIFY(answered->answer.reason.text().starts_with(
        "the tasks cannot be added: more.sh:3:17: error: "));
    QVERIFY(answered->answer.reason.text().find('\n') == std::string::npos);
    QVERIFY(bench.settled(more(""))->refused());
    QVERIFY(bench.settled(more("#TASUKI barrier\n"))->refused());
    QCOMPARE(bench.state.tasks().size(), std::size_t{1});
    QVERIFY(bench.recorded<Notice>().empty());
    QVERIFY(bench.settled(more("echo fine\n"))->accepted());
}

void TestOperationsRun::labelsOfRemovedTasksAreUnknown()
{
    Bench bench("#TASUKI label=a\necho 0\n#TASUKI label=b\necho 1\n#TASUKI barrier\necho 2\n",
                {TaskRemoved{TaskId(0)}, TaskRemoved{TaskId(2)}});
    QVERIFY(bench.settled(more("#TASUKI after=a\necho 3\n"))->refused());
    QVERIFY(bench.settled(more("#TASUKI after=b\necho 3\n"))->accepted());
    QCOMPARE(bench.state.task(TaskId(3)).task.stage, 0U); // of the last task that is left
}

void TestOperationsRun::addedTasksMayBeSkippedAtOnce()
{
    Bench bench("#TASUKI label=a\necho 0\necho 1\n");
    bench.hello(one, 1);
    bench.settle();
    bench.end(one, key(0), Outcome::Failed);
    bench.settle();
    const auto answered = bench.settled(
        more("#TASUKI after=a label=b\necho 2\n#TASUKI after=b\necho 3\necho 4\n"));
    QVERIFY(answered->accepted());
    QCOMPARE(bench.recorded<TaskSkipped>(),
             (std::vector{TaskSkipped{TaskId(2), TaskId(0)}, TaskSkipped{TaskId(3), TaskId(2)}}));
    bench.handed(one);
    bench.end(one, key(1));
    bench.settle();
    QCOMPARE(bench.handed(one), Keys{key(4)});
}

void TestOperationsRun::repeatOfAFailedTaskWithWhatItSkipped()
{
    // 3 and 4 are skipped because of 1, 5 because of 2, which is not repeated; 6 succeeds.
    Bench bench("echo 0\n#TASUKI label=a\necho 1\n#TASUKI label=b\necho 2\n"
                "#TASUKI label=c after=a\necho 3\n#TASUKI after=c\necho 4\n"
                "#TASUKI after=b\necho 5\necho 6\n",
                {}, staysOpen());
    bench.hello(one, 8);
    bench.settle();
    for (const std::uint32_t task : {0U, 1U, 2U, 6U})
        bench.end(one, key(task), task == 0 || task == 6 ? Outcome::Succeeded : Outcome::Failed);
    bench.settle();
    bench.handed(one);
    QCOMPARE(bench.state.count(TaskState::Skipped), std::size_t{3});
    const auto answered = bench.order(RepeatTasks{bench.targets({1})});
    bench.master->poll();
    QCOMPARE(answered->times, 0);
    QVERIFY(bench.handed(one).empty());
    bench.settle();
    QVERIFY(answered->accepted());
    QCOMPARE(
        bench.recorded<TaskReopened>(),
        (std::vector{TaskReopened{TaskId(1)}, TaskReopened{TaskId(3)}, TaskReopened{TaskId(4)}}));
    QCOMPARE(bench.notices(), Texts{"ann wants 3 tasks to be done again"});
    QCOMPARE(bench.handed(one), Keys{key(1, 2)});
    bench.end(one, key(1, 2));
    bench.settle();
    QCOMPARE(bench.handed(one), Keys{key(3)});
    bench.end(one, key(3));
    bench.settle();
    QCOMPARE(bench.handed(one), Keys{key(4)});
    QCOMPARE(bench.stateOf(5), TaskState::Skipped);
}

void TestOperationsRun::repeatOfASucceededTask()
{
    Bench bench("#TASUKI label=a\necho 0\n#TASUKI after=a\necho 1\n#TASUKI after=a\necho 2\n", {},
                staysOpen());
    bench.hello(one, 1);
    bench.settle();
    bench.end(one, key(0));
    bench.settle();
    bench.end(one, key(1));
    bench.settle();
    bench.handed(one);
    const auto answered = bench.settled(RepeatTasks{bench.targets({0, 1})});
    QVERIFY(answered->accepted());
    bench.end(one, key(2)); // was at the worker: let go
    bench.settle();
    QCOMPARE(bench.handed(one), Keys{key(0, 2)});
    bench.end(one, key(0, 2));
    bench.settle();
    QCOMPARE(bench.handed(one), Keys{key(1, 2)});
    bench.end(one, key(1, 2));
    bench.settle();
    QCOMPARE(bench.state.count(TaskState::Succeeded), std::size_t{3});
    QVERIFY(bench.handed(one).empty());
}

void TestOperationsRun::repeatHasAFreshBudget()
{
    Bench bench("#TASUKI retries=1\necho 0\n", {}, staysOpen());
    bench.hello(one, 1);
    std::uint32_t attempt = 0;
    for (int life = 0; life < 3; ++life) {
        for (int tries = 0; tries < 2; ++tries) {
            bench.pass(1'000ms);
            QCOMPARE(bench.handed(one), Keys{key(0, ++attempt)});
            bench.end(one, key(0, attempt), Outcome::Failed);
        }
        bench.settle();
        QCOMPARE(bench.stateOf(0), TaskState::Failed);
        QVERIFY(bench.settled(RepeatTasks{bench.targets({0})})->accepted());
    }
}

void TestOperationsRun::repeatOfACancelledTask()
{
    Bench bench("#TASUKI label=a\necho 0\n#TASUKI after=a\necho 1\n", {}, staysOpen());
    bench.settled(CancelTasks{bench.targets({0})});
    QCOMPARE(bench.stateOf(1), TaskState::Skipped);
    QVERIFY(bench.settled(RepeatTasks{bench.targets({0})})->accepted());
    bench.hello(one, 1);
    bench.settle();
    QCOMPARE(bench.handed(one), Keys{key(0)});
    bench.end(one, key(0));
    bench.settle();
    QCOMPARE(bench.handed(one), Keys{key(1)});
}

void TestOperationsRun::completeRunsStayOpenWhenToldSo()
{
    Bench bench("echo 0\n", {}, staysOpen());
    bench.hello(one, 1);
    bench.settle();
    bench.end(one, key(0));
    bench.settle();
    QCOMPARE(bench.master->phase(), Phase::Running);
    bench.handed(one);
    QVERIFY(bench.settled(more("echo 1\n"))->accepted());
    QCOMPARE(bench.handed(one), Keys{key(1)});
    bench.end(one, key(1));
    bench.settle();
    QVERIFY(bench.settled(RepeatTasks{bench.targets({0})})->accepted());
    QCOMPARE(bench.handed(one), Keys{key(0, 2)});
    bench.end(one, key(0, 2));
    bench.settle();
    QCOMPARE(bench.master->phase(), Phase::Running);
    QVERIFY(bench.settled(StopRun{})->accepted());
    QCOMPARE(bench.master->phase(), Phase::Dismissing);
    QCOMPARE(bench.master->end(), RunEnd::Complete); // nothing was left to do
}

void TestOperationsRun::runIsNotCompleteWhileACommandIsUnderWay()
{
    Bench bench("echo 0\n");
    bench.hello(one, 1);
    bench.settle();
    const auto answered = bench.order(more("echo 1\n"));
    bench.end(one, key(0));
    for (int i = 0; i < 3; ++i)
        bench.master->poll();
    QCOMPARE(bench.master->phase(), Phase::Running);
    bench.settle();
    QVERIFY(answered->accepted());
    QCOMPARE(bench.master->phase(), Phase::Running);
    bench.handed(one);
    bench.end(one, key(1));
    const auto tooLate = bench.order(CancelTasks{bench.targets({1})}); // refused, and then the end
    bench.settle();
    QVERIFY(tooLate->refused());
    QCOMPARE(bench.master->end(), RunEnd::Complete);
    QCOMPARE(bench.state.count(TaskState::Succeeded), std::size_t{2});
}

void TestOperationsRun::runWithoutWorkersWaitsForACommandUnderWay()
{
    Bench bench("echo 0\n");
    for (const Rank rank : {one, two, three})
        bench.hello(rank);
    bench.settle();
    const auto answered = bench.order(CancelTasks{bench.targets({0})});
    bench.master->poll();
    for (const Rank rank : {one, two, three})
        bench.gone(rank);
    bench.settle();
    QVERIFY(answered->accepted());
    QVERIFY(bench.master->over());
    QCOMPARE(bench.master->end(), RunEnd::Complete); // cancelled: nothing is left to do
    QCOMPARE(bench.stateOf(0), TaskState::Cancelled);
}

void TestOperationsRun::stopOnce()
{
    Bench bench("echo 0\necho 1\necho 2\n");
    bench.hello(one, 1);
    bench.settle();
    bench.handed(one);
    const auto answered = bench.settled(StopRun{});
    QVERIFY(answered->accepted());
    QCOMPARE(bench.notices(), Texts{"ann ends the run"});
    QCOMPARE(bench.master->phase(), Phase::Draining);
    QCOMPARE(bench.sent<Recall>(one).size(), std::size_t{1});
    QVERIFY(bench.sent<Halt>(one).empty());
    bench.say(one, Returned{{key(1)}});
    bench.end(one, key(0));
    bench.settle();
    QVERIFY(bench.handed(one).empty());
    QCOMPARE(bench.master->end(), RunEnd::Interrupted);
}

void TestOperationsRun::stopTwice()
{
    Bench bench("echo 0\necho 1\n");
    bench.hello(one, 1);
    bench.settle();
    QVERIFY(bench.settled(StopRun{})->accepted());
    QVERIFY(bench.settled(StopRun{})->refused()); // it does so already
    QCOMPARE(bench.master->phase(), Phase::Draining);
    QVERIFY(bench.settled(StopRun{.kill = true})->accepted());
    QCOMPARE(bench.master->phase(), Phase::Killing);
    QCOMPARE(bench.sent<Halt>(one).size(), std::size_t{1});
    QVERIFY(bench.settled(StopRun{.kill = true})->refused());
    bench.say(one, Returned{});
    bench.end(one, key(0), Outcome::Interrupted);
    bench.settle();
    QCOMPARE(bench.master->end(), RunEnd::Interrupted);
    QCOMPARE(bench.stateOf(0), TaskState::Queued);
    QCOMPARE(bench.notices(), (Texts{"ann ends the run", "ann ends the run and kills what runs"}));
}

void TestOperationsRun::stopAndKillAtOnce()
{
    Bench bench("echo 0\necho 1\n");
    bench.hello(one, 1);
    bench.settle();
    QVERIFY(bench.settled(StopRun{.kill = true})->accepted());
    QCOMPARE(bench.master->phase(), Phase::Killing);
    QCOMPARE(bench.sent<Halt>(one).size(), std::size_t{1});
}

void TestOperationsRun::commandsOutsideOfRunning_data()
{
    QTest::addColumn<int>("phase");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char* name, Phase phase, const char* reason) {
        QTest::newRow(name) << static_cast<int>(phase) << QString(reason);
    };
    row("draining", Phase::Draining, "the run is ending");
    row("killing", Phase::Killing, "the run is ending");
    row("closing", Phase::Closing, "the run has ended");
    row("dismissing", Phase::Dismissing, "the run has ended");
}

void TestOperationsRun::commandsOutsideOfRunning()
{
    QFETCH(int, phase);
    QFETCH(QString, reason);
    Bench bench("echo 0\necho 1\n");
    bench.hello(one, 1);
    bench.settle();
    const auto wanted = static_cast<Phase>(phase);
    bench.master->interrupt();
    if (wanted >= Phase::Killing)
        bench.master->interrupt();
    if (wanted >= Phase::Closing) {
        bench.say(one, Returned{});
        bench.end(one, key(0), Outcome::Interrupted);
        bench.journal.commit();
        bench.master->poll();
    }
    if (wanted >= Phase::Dismissing)
        bench.journal.commit();
    QCOMPARE(bench.master->phase(), wanted);
    const std::size_t recorded = bench.recorded<Notice>().size();
    std::vector<std::shared_ptr<const Answered>> all{
        bench.order(more("echo 2\n")),
        bench.order(EditTasks{{bench.edit(1, "echo new")}}),
        bench.order(CancelTasks{bench.targets({1})}),
        bench.order(HoldTasks{bench.targets({1})}),
        bench.order(ReleaseTasks{bench.targets({1})}),
        bench.order(RepeatTasks{bench.targets({1})}),
        bench.order(StopRun{}),
    };
    for (int i = 0; i < 8; ++i)
        bench.master->poll();
    for (const auto& answered : all) {
        QVERIFY(answered->refused());
        QCOMPARE(QString::fromStdString(answered->answer.reason.text()), reason);
    }
    bench.settle();
    QCOMPARE(bench.recorded<Notice>().size(), recorded);
    QCOMPARE(all.front()->times, 1);

    MasterBench early; // opening: nothing is committed yet
    early.open(1);
    int answers = 0;
    early.master->operate("ann", CancelTasks{{{TaskId(0), Revision(1)}}},
                          [&](const CommandAnswer&) { ++answers; });
    early.master->poll();
    QCOMPARE(answers, 0); // it waits until the run has begun
    early.settle();
    QCOMPARE(answers, 1);
}

void TestOperationsRun::commandUnderWayWhenTheRunEnds()
{
    Bench bench("echo 0\necho 1\n");
    bench.hello(one, 2);
    bench.settle();
    const auto hold = bench.settled(HoldTasks{bench.targets({0, 1})});
    const auto next = bench.order(CancelTasks{bench.targets({0})});
    bench.master->interrupt();
    bench.master->interrupt();
    bench.settle();
    QCOMPARE(hold->times + next->times, 0);
    bench.say(one, Returned{{key(1)}}); // the recall of the interrupt, then the withdrawal
    bench.say(one, Withdrawn{});
    bench.end(one, key(0), Outcome::Interrupted);
    bench.master->poll();
    QCOMPARE(bench.master->phase(), Phase::Killing); // the answer is not in the record yet
    bench.settle();
    QVERIFY(hold->accepted());
    QCOMPARE(hold->answer.conflicts, (Conflicts{{TaskId(0), ConflictCause::Started}}));
    QVERIFY(next->refused());
    QCOMPARE(bench.master->end(), RunEnd::Interrupted);
    QCOMPARE(bench.stateOf(1), TaskState::Held);
    QVERIFY(std::holds_alternative<RunClosed>(bench.journal.record().back().payload));
}

/// A command that cannot be recorded is given up with the run.
void TestOperationsRun::fullDiskDoesNotKeepTheRunOpen()
{
    for (OperatorCommand command : {OperatorCommand(StopRun{}), more("echo 1\n")}) {
        Bench bench("echo 0\n");
        bench.hello(one, 1);
        bench.settle();
        bench.journal.stall();
        const auto answered = bench.settled(std::move(command));
        bench.master->interrupt();
        bench.master->interrupt();
        bench.say(one, Returned{});
        bench.end(one, key(0), Outcome::Interrupted);
        bench.settle();
        QCOMPARE(bench.master->phase(), Phase::Killing);
        QCOMPARE(answered->times, 0);
        bench.master->interrupt();
        QCOMPARE(bench.master->phase(), Phase::Dismissing);
        QCOMPARE(bench.master->end(), RunEnd::Interrupted);
        QVERIFY(answered->refused());
        bench.leave(one);
        bench.pass(5'100ms);
        QVERIFY(bench.master->over());
        bench.journal.recover(); // late, and of no consequence
        bench.settle();
        QCOMPARE(answered->times, 1);
    }
}

void TestOperationsRun::commandsWithoutTasksAreRefused()
{
    Bench bench("echo 0\n");
    QVERIFY(bench.settled(EditTasks{})->refused());
    QVERIFY(bench.settled(CancelTasks{})->refused());
    QVERIFY(bench.settled(HoldTasks{})->refused());
    QVERIFY(bench.settled(ReleaseTasks{})->refused());
    const auto answered = bench.settled(RepeatTasks{});
    QCOMPARE(answered->answer.reason.text(), std::string("no task was named"));
    QVERIFY(bench.recorded<Notice>().empty());
}

QTEST_APPLESS_MAIN(TestOperationsRun)

} // namespace tst_operationsrun

#include "tst_operationsrun.moc"
