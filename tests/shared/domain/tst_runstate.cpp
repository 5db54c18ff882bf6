// SPDX-License-Identifier: GPL-3.0-or-later
// First: moc of Qt 6.4 cannot read the standard headers that the others include otherwise.
#include <QTest>

#include "domain/runstate.h"
#include "shared/domain/randomhistory.h"

namespace tst_runstate {

using namespace tasuki;
using namespace std::chrono_literals;

namespace {

/// Numbers events as they come and applies them to a state.
class Player {
public:
    RunState state;

    Result<void> play(EventPayload payload)
    {
        if (std::holds_alternative<RunOpened>(payload))
            m_next = {m_next.epoch.next(), Sequence(1)};
        Event event{.id = m_next, .payload = std::move(payload)};
        auto applied = state.apply(event);
        if (applied)
            m_next.sequence = m_next.sequence.next();
        return applied;
    }

private:
    EventId m_next;
};

const auto settings = std::make_shared<const TaskSettings>();

TaskAdded added(std::uint32_t id, std::string command = "true")
{
    return {TaskId(id),
            Task{.command = std::move(command), .settings = settings, .links = nullptr}};
}

TaskChanged changed(std::uint32_t id, std::uint64_t line)
{
    return {TaskId(id),
            Task{.command = "true", .settings = settings, .links = nullptr, .line = line}};
}

AttemptStarted started(std::uint32_t id, std::uint32_t number)
{
    AttemptStarted event;
    event.key = {TaskId(id), AttemptNumber(number)};
    return event;
}

AttemptFinished finished(std::uint32_t id, std::uint32_t number, Outcome outcome,
                         Disposition disposition = Disposition::Final,
                         std::chrono::microseconds elapsed = 7us)
{
    AttemptFinished event;
    event.key = {TaskId(id), AttemptNumber(number)};
    event.disposition = disposition;
    event.result.outcome = outcome;
    event.result.code = outcome == Outcome::Succeeded ? 0 : 3;
    event.result.elapsed = elapsed;
    return event;
}

/// A run with one task in the given state, after one attempt where there must have been one.
Player playerWith(TaskState state)
{
    Player player;
    const auto must = [&](EventPayload payload) {
        if (auto played = player.play(std::move(payload)); !played)
            qFatal("%s", played.error().text().c_str());
    };
    must(RunOpened{});
    must(added(0));
    must(added(1));
    switch (state) {
    case TaskState::Queued: break;
    case TaskState::Running: must(started(0, 1)); break;
    case TaskState::Succeeded: must(finished(0, 1, Outcome::Succeeded)); break;
    case TaskState::Failed: must(finished(0, 1, Outcome::Failed)); break;
    case TaskState::Skipped: must(TaskSkipped{TaskId(0), TaskId(1)}); break;
    case TaskState::Removed: must(TaskRemoved{TaskId(0)}); break;
    case TaskState::Held: must(TaskHeld{TaskId(0)}); break;
    case TaskState::Cancelled: must(TaskCancelled{TaskId(0)}); break;
    }
    return player;
}

} // namespace

class TestRunState : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyEventInEveryState_data();
    void everyEventInEveryState();
    void dispositionsAndRetries();
    void cancellingLasts();
    void replaysAreKnown();
    void endingIsKnown();
    void removedTasksKeepWhatTheyAchieved();
    void revisionsTellDefinitionsApart();
    void crashQueuesRunningAttemptsAgain();
    void closingEndsAnEpoch();
    void processorsComeAndGo();
    void refusalsLeaveTheStateAsItWas();
    void idsMustAscend();
    void runTimesAreSummed();
    void randomHistories();
    void words();
};

namespace {

struct Transition {
    const char* name;
    EventPayload payload;
    /// The state that follows, by TaskState; -1: refused.
    std::array<int, taskStateCount> next;
};

constexpr int no = -1;
constexpr int queued = 0;
constexpr int running = 1;
constexpr int succeeded = 2;
constexpr int failed = 3;
constexpr int skipped = 4;
constexpr int removed = 5;
constexpr int held = 6;
constexpr int cancelled = 7;

/// The table in runstate.cpp, written a second time. Attempt numbers: 1 is the first, in the state
/// Running it is the latest.
std::vector<Transition> transitions()
{
    TaskChanged anotherCommand = changed(0, 9);
    anotherCommand.task.command = "false";
    return {
        {"run opened",
         RunOpened{},
         {queued, queued, succeeded, failed, skipped, removed, held, cancelled}},
        {"added again", added(0), {no, no, no, no, no, no, no, no}},
        {"changed",
         changed(0, 9),
         {queued, running, succeeded, failed, skipped, queued, held, cancelled}},
        {"changed to another command", anotherCommand, {queued, no, no, no, no, no, held, no}},
        {"removed",
         TaskRemoved{TaskId(0)},
         {removed, no, removed, removed, removed, no, removed, removed}},
        {"reopened", TaskReopened{TaskId(0)}, {no, no, queued, queued, queued, no, no, queued}},
        {"skipped", TaskSkipped{TaskId(0), TaskId(1)}, {skipped, no, no, no, no, no, skipped, no}},
        {"held", TaskHeld{TaskId(0)}, {held, no, no, no, no, no, no, no}},
        {"released", TaskReleased{TaskId(0)}, {no, no, no, no, no, no, queued, no}},
        {"cancelled", TaskCancelled{TaskId(0)}, {cancelled, no, no, no, no, no, cancelled, no}},
        {"being cancelled", TaskCancelling{TaskId(0)}, {queued, running, no, no, no, no, no, no}},
        {"attempt 1 started", started(0, 1), {running, no, no, no, no, no, no, no}},
        {"attempt 2 started", started(0, 2), {no, no, no, no, no, no, no, no}},
        {"attempt 0 started", started(0, 0), {no, no, no, no, no, no, no, no}},
        {"attempt 1 succeeded",
         finished(0, 1, Outcome::Succeeded),
         {succeeded, succeeded, no, no, no, no, no, no}},
        {"attempt 1 failed",
         finished(0, 1, Outcome::Failed),
         {failed, failed, no, no, no, no, no, no}},
        {"attempt 1 cancelled",
         finished(0, 1, Outcome::Cancelled),
         {cancelled, cancelled, no, no, no, no, no, no}},
        {"attempt 2 succeeded",
         finished(0, 2, Outcome::Succeeded),
         {no, no, no, no, no, no, no, no}},
        {"attempt 1 retried",
         finished(0, 1, Outcome::Signalled, Disposition::Retry),
         {queued, queued, no, no, no, no, no, no}},
        {"attempt 1 queued again",
         finished(0, 1, Outcome::Interrupted, Disposition::Requeue),
         {queued, queued, no, no, no, no, no, no}},
    };
}

} // namespace

void TestRunState::everyEventInEveryState_data()
{
    QTest::addColumn<int>("transition");
    QTest::addColumn<int>("before");
    const auto table = transitions();
    for (int i = 0; i < static_cast<int>(table.size()); ++i)
        for (int before = 0; before < static_cast<int>(taskStateCount); ++before)
            QTest::addRow("%s when %s", table[static_cast<std::size_t>(i)].name,
                          std::string(taskStateName(static_cast<TaskState>(before))).c_str())
                << i << before;
}

void TestRunState::everyEventInEveryState()
{
    QFETCH(int, transition);
    QFETCH(int, before);
    const Transition row = transitions()[static_cast<std::size_t>(transition)];
    Player player = playerWith(static_cast<TaskState>(before));
    const auto counts = [&](int state) {
        return player.state.count(static_cast<TaskState>(state));
    };
    const int next = row.next.at(static_cast<std::size_t>(before));
    const auto played = player.play(row.payload);
    QCOMPARE(played.ok(), next != no);
    const int after = next == no ? before : next;
    QCOMPARE(static_cast<int>(player.state.task(TaskId(0)).state), after);
    // Task 1 stays queued.
    for (int state = 0; state < static_cast<int>(taskStateCount); ++state)
        QCOMPARE(counts(state), std::size_t(state == after) + std::size_t(state == queued));
    if (!played)
        QCOMPARE(played.error().kind, ErrorKind::Damaged);
}

void TestRunState::dispositionsAndRetries()
{
    const std::vector<std::pair<Outcome, std::optional<RetryCause>>> causes{
        {Outcome::Succeeded, std::nullopt},         {Outcome::Failed, RetryCause::Exit},
        {Outcome::Signalled, RetryCause::Signal},   {Outcome::TimedOut, RetryCause::Timeout},
        {Outcome::Cancelled, std::nullopt},         {Outcome::Interrupted, std::nullopt},
        {Outcome::Lost, RetryCause::ProcessorLost}, {Outcome::NotStarted, RetryCause::Exit}};
    for (const auto& [outcome, cause] : causes) {
        QVERIFY(retryCauseOf(outcome) == cause);
        Player player = playerWith(TaskState::Queued);
        const auto retried = player.play(finished(0, 1, outcome, Disposition::Retry));
        QCOMPARE(retried.ok(), cause.has_value());
        const TaskRecord& record = player.state.task(TaskId(0));
        for (std::size_t i = 0; i < retryCauseCount; ++i)
            QCOMPARE(int(record.retriesUsed[i]),
                     int(cause && static_cast<std::size_t>(*cause) == i));
        QCOMPARE(record.attempts, cause ? 1U : 0U);
        if (!cause)
            continue;
        QCOMPARE(record.lastOutcome, outcome);
        QCOMPARE(record.lastCode, 3);
        QVERIFY(player.play(finished(0, 2, outcome, Disposition::Requeue)));
        QVERIFY(player.play(finished(0, 3, outcome)));
        QCOMPARE(player.state.task(TaskId(0)).state, TaskState::Failed);
        QVERIFY(player.play(TaskReopened{TaskId(0)}));
        QVERIFY((record.retriesUsed == std::array<std::uint16_t, retryCauseCount>{}));
        QCOMPARE(record.attempts, 3U);
    }
    Player player = playerWith(TaskState::Queued);
    QVERIFY(!player.play(finished(0, 1, Outcome::Succeeded, Disposition::Requeue)));
}

/// A task that is being cancelled stays so until it is final, whatever becomes of its attempts and of
/// the epoch.
void TestRunState::cancellingLasts()
{
    const auto cancelling = [](const Player& player) {
        return player.state.task(TaskId(0)).cancelling;
    };
    for (const TaskState before : {TaskState::Queued, TaskState::Running}) {
        Player player = playerWith(before);
        QVERIFY(!cancelling(player));
        QVERIFY(player.play(TaskCancelling{TaskId(0)}));
        QVERIFY(cancelling(player));
        if (before == TaskState::Queued)
            QVERIFY(player.play(started(0, 1)));
        QVERIFY(player.play(finished(0, 1, Outcome::Interrupted, Disposition::Requeue)));
        QVERIFY(cancelling(player));
        QVERIFY(player.play(started(0, 2)));
        QVERIFY(player.play(RunOpened{}));
        QCOMPARE(player.state.task(TaskId(0)).state, TaskState::Queued);
        QVERIFY(cancelling(player));
        QVERIFY(player.play(TaskCancelled{TaskId(0)}));
        QVERIFY(!cancelling(player));
        QVERIFY(player.play(TaskReopened{TaskId(0)}));
        QVERIFY(player.play(TaskCancelling{TaskId(0)}));
        QVERIFY(player.play(finished(0, 3, Outcome::Cancelled)));
        QVERIFY(!cancelling(player));
        QVERIFY(player.play(TaskReopened{TaskId(0)}));
        QVERIFY(!cancelling(player));
    }
}

void TestRunState::replaysAreKnown()
{
    Player player = playerWith(TaskState::Running);
    const AttemptNumber latest(player.state.task(TaskId(0)).attempts);
    QVERIFY(player.state.replayOf(TaskId(0)) == nullptr);
    RankReplays told{.key = {TaskId(0), latest}, .rank = Rank(0)};
    QVERIFY(player.play(told) && *player.state.replayOf(TaskId(0)) == told);
    told.took = std::chrono::seconds(3);
    QVERIFY(player.play(told) && *player.state.replayOf(TaskId(0)) == told);
    QVERIFY(!player.play(RankReplays{.key = {TaskId(0), latest.next()}}));
    QVERIFY(!player.play(RankReplays{.key = {TaskId(0), AttemptNumber(0)}}));
    QVERIFY(!player.play(RankReplays{.key = {TaskId(77), latest}}));
}

void TestRunState::endingIsKnown()
{
    Player player = playerWith(TaskState::Running);
    QVERIFY(!player.state.ending());
    QVERIFY(!player.state.generationOf(1));
    QVERIFY(player.play(WorldStarted{.world = 1, .generation = 4, .name = "solver"}));
    QVERIFY(player.state.generationOf(1) == 4U && !player.state.generationOf(0));
    QVERIFY(player.play(RunEnding{}));
    QVERIFY(player.state.ending() == RunEnding{});
    QVERIFY(player.play(RunEnding{.kill = true}));
    QVERIFY(player.state.ending()->kill);
    const auto nowhere = player.play(RunEnding{.kill = true, .restartFor = SubclusterId(3)});
    QVERIFY(!nowhere);
    QVERIFY2(nowhere.error().message.ends_with("subcluster 3, which is not in the layout"),
             nowhere.error().message.c_str());
    QVERIFY(!player.state.ending()->restartFor);
    QVERIFY(player.play(RunOpened{}));
    QVERIFY(!player.state.ending()); // that life is over
}

void TestRunState::removedTasksKeepWhatTheyAchieved()
{
    for (const TaskState state : {TaskState::Queued, TaskState::Succeeded, TaskState::Failed,
                                  TaskState::Skipped, TaskState::Held, TaskState::Cancelled}) {
        Player player = playerWith(state);
        QVERIFY(player.play(TaskRemoved{TaskId(0)}));
        QVERIFY(player.play(RunOpened{}));
        QCOMPARE(player.state.task(TaskId(0)).state, TaskState::Removed);
        QVERIFY(player.play(changed(0, 12)));
        QCOMPARE(player.state.task(TaskId(0)).state, state);
        QCOMPARE(player.state.task(TaskId(0)).task.line, std::uint64_t(12));
        QCOMPARE(player.state.count(TaskState::Removed), std::size_t(0));
    }
    Player player = playerWith(TaskState::Failed);
    TaskChanged other = changed(0, 1);
    other.task.command = "false";
    QVERIFY(!player.play(other));
    other = changed(0, 1);
    other.task.settings = nullptr;
    QVERIFY(!player.play(other));
}

void TestRunState::revisionsTellDefinitionsApart()
{
    Player player = playerWith(TaskState::Queued);
    const Revision first = player.state.task(TaskId(0)).revision;
    QVERIFY(first < player.state.task(TaskId(1)).revision);
    QVERIFY(player.play(TaskHeld{TaskId(0)}));
    QVERIFY(player.state.task(TaskId(0)).revision == first);
    QVERIFY(player.play(changed(0, 3)));
    const Revision second = player.state.task(TaskId(0)).revision;
    QVERIFY(second > first);
    QVERIFY(second == revisionOf(player.state.lastEvent()));
    QVERIFY(player.play(TaskRemoved{TaskId(0)}));
    QVERIFY(player.state.task(TaskId(0)).revision > second);
}

void TestRunState::crashQueuesRunningAttemptsAgain()
{
    Player player = playerWith(TaskState::Running);
    QVERIFY(player.play(finished(1, 1, Outcome::Succeeded)));
    RunOpened second;
    second.host = "second";
    QVERIFY(player.play(second));
    const TaskRecord& record = player.state.task(TaskId(0));
    QCOMPARE(record.state, TaskState::Queued);
    QCOMPARE(record.attempts, 1U);
    QCOMPARE(record.lastOutcome, Outcome::Lost);
    QCOMPARE(player.state.task(TaskId(1)).state, TaskState::Succeeded);
    QCOMPARE(player.state.opened()->host, std::string("second"));
    // The result of the attempt that was cut off comes too late.
    QVERIFY(!player.play(finished(0, 1, Outcome::Succeeded)));
    QVERIFY(player.play(finished(0, 2, Outcome::Succeeded)));
}

void TestRunState::closingEndsAnEpoch()
{
    Player player = playerWith(TaskState::Succeeded);
    const auto refused = player.play(RunClosed{.end = RunEnd::Complete});
    QVERIFY(!refused);
    QVERIFY(!player.state.closed());
    QVERIFY(player.play(RunClosed{.end = RunEnd::Interrupted}));
    QVERIFY(player.state.closed().has_value());
    QVERIFY(!player.play(Notice{}));
    QVERIFY(!player.play(RunClosed{.end = RunEnd::Interrupted}));
    QVERIFY(player.play(RunOpened{}));
    QVERIFY(!player.state.closed());
    QVERIFY(player.play(finished(1, 1, Outcome::Succeeded)));
    QVERIFY(player.play(RunClosed{.end = RunEnd::Complete}));
}

void TestRunState::processorsComeAndGo()
{
    Player player = playerWith(TaskState::Queued);
    const ProcessorJoined first{Rank(2), Incarnation(1), "a", 11, 4};
    QVERIFY(!player.play(ProcessorLost{Rank(2), Incarnation(1)}));
    QVERIFY(!player.play(ProcessorJoined{Rank(2), Incarnation(0), "a", 11, 4}));
    QVERIFY(player.play(first));
    QVERIFY(!player.play(ProcessorJoined{Rank(2), Incarnation(2), "b", 12, 4}));
    QVERIFY(!player.play(ProcessorLost{Rank(2), Incarnation(2)}));
    QVERIFY(player.play(ProcessorLost{Rank(2), Incarnation(1), LossCause::Silent}));
    QCOMPARE(player.state.processors().at(Rank(2)).lossCause, LossCause::Silent);
    QVERIFY(!player.play(ProcessorLost{Rank(2), Incarnation(1)}));
    // A successor that had not heard of it took it for lost.
    QVERIFY(player.play(first));
    QVERIFY(player.play(ProcessorLost{Rank(2), Incarnation(1)}));
    QVERIFY(player.play(ProcessorJoined{Rank(2), Incarnation(2), "b", 12, 3}));
    const ProcessorRecord& record = player.state.processors().at(Rank(2));
    QCOMPARE(record.host, std::string("b"));
    QCOMPARE(record.pid, std::int64_t(12));
    QCOMPARE(record.slots, 3U);
    QVERIFY(record.present);
    QVERIFY(player.play(RunOpened{}));
    QVERIFY(!player.state.processors().at(Rank(2)).present);
    // A new life counts its holders anew.
    QVERIFY(player.play(first));
}

void TestRunState::refusalsLeaveTheStateAsItWas()
{
    RunState state;
    const auto at = [](std::uint32_t epoch, std::uint64_t sequence, EventPayload payload) {
        return Event{.id = {Epoch(epoch), Sequence(sequence)}, .payload = std::move(payload)};
    };
    QVERIFY(!state.apply(at(1, 1, added(0))));
    QVERIFY(!state.apply(at(0, 1, RunOpened{})));
    QVERIFY(!state.apply(at(1, 0, RunOpened{})));
    QVERIFY(state.lastEvent() == EventId{});
    QVERIFY(!state.opened());
    QVERIFY(state.apply(at(1, 1, RunOpened{})));
    QVERIFY(!state.apply(at(1, 2, added(1))));
    QVERIFY(!state.apply(at(1, 2, RunOpened{})));
    QVERIFY(!state.apply(at(1, 2, started(0, 1))));
    QVERIFY(!state.apply(at(1, 2, TaskRemoved{TaskId(0)})));
    QVERIFY(!state.apply(at(1, 2, TaskSkipped{TaskId(0), TaskId(0)})));
    QVERIFY(state.tasks().empty());
    QCOMPARE(state.lastEvent().sequence.value(), std::uint64_t(1));
    QVERIFY(state.apply(at(1, 2, added(0))));
    // Next epoch, but not opened.
    QVERIFY(!state.apply(at(2, 1, added(1))));
    QVERIFY(!state.apply(at(1, 3, TaskSkipped{TaskId(0), TaskId(0)})));
    QVERIFY(!state.apply(at(1, 3, TaskSkipped{TaskId(0), TaskId(5)})));
    QCOMPARE(state.unfinished(), std::size_t(1));
    const auto refused = state.apply(at(1, 3, finished(7, 1, Outcome::Failed)));
    QCOMPARE(refused.error().message, std::string("event 1.3: task 7 is not known"));
}

void TestRunState::idsMustAscend()
{
    RunState state;
    const auto at = [&](std::uint32_t epoch, std::uint64_t sequence, EventPayload payload) {
        return state
            .apply(Event{.id = {Epoch(epoch), Sequence(sequence)}, .payload = std::move(payload)})
            .ok();
    };
    QVERIFY(at(3, 1, RunOpened{}));
    QVERIFY(at(3, 5, Notice{}));
    QVERIFY(!at(3, 5, Notice{}));
    QVERIFY(!at(3, 4, Notice{}));
    QVERIFY(!at(2, 9, RunOpened{}));
    QVERIFY(at(7, 1, RunOpened{}));
}

void TestRunState::runTimesAreSummed()
{
    Player player = playerWith(TaskState::Queued);
    QVERIFY(player.play(finished(0, 1, Outcome::Failed, Disposition::Retry, 100us)));
    QVERIFY(player.play(finished(0, 2, Outcome::Failed, Disposition::Final, 20us)));
    QVERIFY(player.play(finished(1, 1, Outcome::Succeeded, Disposition::Final, 3us)));
    QVERIFY(player.state.finishedRunTime() == 23us);
    QVERIFY(player.state.task(TaskId(0)).lastElapsed == 20us);
    QVERIFY(player.play(RunOpened{}));
    QVERIFY(player.state.finishedRunTime() == 0us);
    QVERIFY(player.play(TaskReopened{TaskId(0)}));
    QVERIFY(!player.play(finished(0, 3, Outcome::Failed, Disposition::Final, -1us)));
    QVERIFY(player.play(
        finished(0, 3, Outcome::Failed, Disposition::Final, std::chrono::microseconds::max())));
    QVERIFY(player.play(TaskReopened{TaskId(1)}));
    QVERIFY(!player.play(finished(1, 2, Outcome::Failed)));
}

void TestRunState::randomHistories()
{
    for (std::uint32_t seed = 0; seed < 30; ++seed) {
        RandomHistory history(seed);
        RunState state;
        for (int round = 0; round < 10; ++round) {
            for (const Event& event : history.more(100)) {
                const auto applied = state.apply(event);
                QVERIFY2(applied.ok(), applied ? "" : applied.error().text().c_str());
            }
            std::array<std::size_t, taskStateCount> counts{};
            QCOMPARE(state.tasks().size(), history.tasks().size());
            for (std::size_t i = 0; i < history.tasks().size(); ++i) {
                const auto& expected = history.tasks()[i];
                const TaskRecord& record = state.tasks()[i];
                ++counts[static_cast<std::size_t>(expected.state)];
                QCOMPARE(record.state, expected.state);
                QCOMPARE(record.attempts, expected.attempts);
                QVERIFY(record.task == expected.task);
                QVERIFY(record.retriesUsed == expected.retries);
                if (!expected.everEnded || expected.state == TaskState::Running)
                    continue;
                QCOMPARE(record.lastOutcome, expected.outcome);
                QCOMPARE(record.lastCode, expected.code);
                QCOMPARE(record.lastElapsed.count(), expected.elapsedUs);
            }
            for (std::size_t i = 0; i < taskStateCount; ++i)
                QCOMPARE(state.count(static_cast<TaskState>(i)), counts[i]);
        }
    }
}

void TestRunState::words()
{
    QCOMPARE(taskStateName(TaskState::Queued), std::string_view("queued"));
    QCOMPARE(taskStateName(TaskState::Removed), std::string_view("removed"));
}

QTEST_APPLESS_MAIN(TestRunState)

} // namespace tst_runstate

#include "tst_runstate.moc"
