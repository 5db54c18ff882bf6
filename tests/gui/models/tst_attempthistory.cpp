// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "models/attempthistory.h"
#include "shared/domain/randomhistory.h"
#include "support/history.h"

#include <map>

namespace tst_attempthistory {

using namespace tasuki;
using namespace std::chrono_literals;

class TestAttemptHistory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void allAttemptsOfATask();
    void whoHeldTheRank();
    void cutOffByACrash();
    void randomHistories();
};

namespace {

void play(AttemptHistory& attempts, const History& history)
{
    for (const Event& event : history.events())
        attempts.take(event);
}

AttemptStarted start(std::uint32_t task, std::uint32_t number, std::int32_t rank)
{
    return {.key = {TaskId(task), AttemptNumber(number)},
            .rank = Rank(rank),
            .slot = SlotIndex(2),
            .startedAt = WallTime(5s)};
}

ProcessorJoined join(std::int32_t rank, std::uint32_t incarnation, std::string host)
{
    return {.rank = Rank(rank),
            .incarnation = Incarnation(incarnation),
            .host = std::move(host),
            .pid = 1,
            .slots = 1};
}

} // namespace

void TestAttemptHistory::allAttemptsOfATask()
{
    AttemptHistory attempts;
    History history;
    history.add(RunOpened{}).addTask("a").addTask("b").add(start(1, 1, 3));
    play(attempts, history);
    QCOMPARE(attempts.latest(TaskId(0)), nullptr);
    QCOMPARE(attempts.latest(TaskId(99)), nullptr);
    QVERIFY(attempts.latest(TaskId(1))->running);
    QCOMPARE(attempts.running(Rank(3)), 1U);
    AttemptResult result;
    result.outcome = Outcome::Signalled;
    result.code = 9;
    result.startedAt = WallTime(6s);
    result.elapsed = 2s;
    result.usage = {.user = 1s, .system = 2ms, .maxResidentKiB = 1ULL << 40U};
    attempts.take(Event{.id = {},
                        .wallTime = {},
                        .monotonic = {},
                        .payload = AttemptFinished{.key = {TaskId(1), AttemptNumber(1)},
                                                   .rank = Rank(3),
                                                   .slot = SlotIndex(2),
                                                   .disposition = Disposition::Retry,
                                                   .result = result}});
    History more;
    more.addEnd(1, 2, Outcome::Succeeded, 0, 3s);
    play(attempts, more);
    const auto all = attempts.of(TaskId(1));
    QCOMPARE(all.size(), std::size_t(2));
    QCOMPARE(all[0].number, AttemptNumber(1));
    QCOMPARE(all[0].rank, Rank(3));
    QCOMPARE(all[0].slot, SlotIndex(2));
    QVERIFY(!all[0].running);
    QCOMPARE(all[0].outcome, Outcome::Signalled);
    QCOMPARE(all[0].code, 9);
    QCOMPARE(all[0].startedAt, WallTime(6s));
    QCOMPARE(all[0].elapsed, std::chrono::microseconds(2s));
    QCOMPARE(all[0].user, std::chrono::microseconds(1s));
    QCOMPARE(all[0].system, std::chrono::microseconds(2ms));
    QCOMPARE(all[0].maxResidentKiB, UINT32_MAX);
    QCOMPARE(all[1].number, AttemptNumber(2));
    QCOMPARE(all[1].elapsed, std::chrono::microseconds(3s));
    QCOMPARE(attempts.latest(TaskId(1))->number, AttemptNumber(2));
    QCOMPARE(attempts.find({TaskId(1), AttemptNumber(1)})->code, 9);
    QCOMPARE(attempts.find({TaskId(1), AttemptNumber(3)}), nullptr);
    QCOMPARE(attempts.running(Rank(3)), 0U);
    QVERIFY(attempts.of(TaskId(0)).empty());
    attempts.reset();
    QCOMPARE(attempts.size(), std::size_t(0));
    QCOMPARE(attempts.latest(TaskId(1)), nullptr);
}

void TestAttemptHistory::whoHeldTheRank()
{
    AttemptHistory attempts;
    History history;
    history.add(RunOpened{})
        .addTask("a")
        .add(join(0, 1, "old"))
        .addEnd(0, 1, Outcome::Lost, 0, 0s, Disposition::Retry)
        .add(ProcessorLost{.rank = Rank(0), .incarnation = Incarnation(1)})
        .add(join(0, 2, "new"))
        .addEnd(0, 2, Outcome::Failed, 1, 1s, Disposition::Retry)
        .add(start(0, 3, 7));
    play(attempts, history);
    const auto all = attempts.of(TaskId(0));
    QCOMPARE(all.size(), std::size_t(3));
    QCOMPARE(attempts.holder(all[0]).host, std::string("old"));
    QCOMPARE(attempts.holder(all[1]).host, std::string("new"));
    QCOMPARE(attempts.holder(all[1]).incarnation, Incarnation(2));
    QCOMPARE(attempts.holder(all[2]).host, std::string());
    QCOMPARE(attempts.holder(all[2]).rank, Rank(7));
}

void TestAttemptHistory::cutOffByACrash()
{
    AttemptHistory attempts;
    History history;
    history.add(RunOpened{}).addTask("a").add(join(0, 1, "here")).add(start(0, 1, 0));
    play(attempts, history);
    History next(Epoch(2));
    next.add(RunOpened{}).add(start(0, 2, 0));
    play(attempts, next);
    const auto all = attempts.of(TaskId(0));
    QVERIFY(all[0].cutOff);
    QVERIFY(!all[0].running);
    QCOMPARE(all[0].outcome, Outcome::Lost);
    QVERIFY(all[1].running);
    QVERIFY(!all[1].cutOff);
    QCOMPARE(attempts.holder(all[1]).host, std::string()); // nobody has joined in this life
    QCOMPARE(attempts.holder(all[1]).epoch, Epoch(2));
    QCOMPARE(attempts.running(Rank(0)), 1U);
    QCOMPARE(attempts.runningAttempts().size(), std::size_t(1));
}

void TestAttemptHistory::randomHistories()
{
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        RandomHistory history(seed);
        AttemptHistory attempts;
        RunState state;
        for (const Event& event : history.more(3'000)) {
            QVERIFY(state.apply(event).ok());
            attempts.take(event);
        }
        std::size_t running = 0;
        for (std::uint32_t id = 0; id < state.tasks().size(); ++id) {
            const TaskRecord& record = state.task(TaskId(id));
            const auto all = attempts.of(TaskId(id));
            QCOMPARE(all.size(), std::size_t(record.attempts));
            for (std::uint32_t i = 0; i < all.size(); ++i)
                QCOMPARE(all[i].number, AttemptNumber(i + 1));
            const bool runs = record.state == TaskState::Running;
            running += runs ? 1 : 0;
            if (all.empty())
                continue;
            QCOMPARE(all.back().running, runs);
            if (!runs) {
                QCOMPARE(all.back().outcome, record.lastOutcome);
                QCOMPARE(all.back().elapsed, record.lastElapsed);
            }
        }
        QCOMPARE(attempts.runningAttempts().size(), running);
    }
}

QTEST_APPLESS_MAIN(TestAttemptHistory)

} // namespace tst_attempthistory

#include "tst_attempthistory.moc"
