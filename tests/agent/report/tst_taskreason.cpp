// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "report/taskreason.h"
#include "shared/domain/randomhistory.h"
#include "support/history.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace tst_taskreason {

using namespace tasuki;
using namespace std::chrono_literals;

namespace {

using Kind = TaskReason::Kind;
using Ids = std::vector<TaskId>;

/// What must be said, worked out from the events one by one, without RunState.
class Oracle {
public:
    explicit Oracle(const RandomHistory& history) : m_tasks(history.tasks()) {}

    void take(const Event& event)
    {
        if (std::holds_alternative<RunOpened>(event.payload)) {
            m_closed = m_ending = false;
            m_slots.clear();
        } else if (std::holds_alternative<RunClosed>(event.payload)) {
            m_closed = true;
        } else if (std::holds_alternative<RunEnding>(event.payload)) {
            m_ending = true;
        } else if (const auto* joined = std::get_if<ProcessorJoined>(&event.payload)) {
            m_slots[joined->rank] = joined->slots;
        } else if (const auto* lost = std::get_if<ProcessorLost>(&event.payload)) {
            m_slots.erase(lost->rank);
        } else if (const auto* skipped = std::get_if<TaskSkipped>(&event.payload)) {
            m_because[skipped->id] = skipped->because;
        } else if (const auto* cancelling = std::get_if<TaskCancelling>(&event.payload)) {
            m_cancelling.insert(cancelling->id);
        } else if (const auto* finished = std::get_if<AttemptFinished>(&event.payload)) {
            if (finished->disposition == Disposition::Final)
                m_cancelling.erase(finished->key.task);
        } else if (const auto* cancelled = std::get_if<TaskCancelled>(&event.payload)) {
            m_cancelling.erase(cancelled->id);
        } else if (const auto* removed = std::get_if<TaskRemoved>(&event.payload)) {
            m_cancelling.erase(removed->id);
        } else if (const auto* held = std::get_if<TaskHeld>(&event.payload)) {
            m_cancelling.erase(held->id);
        }
        if (const auto* skippedToo = std::get_if<TaskSkipped>(&event.payload))
            m_cancelling.erase(skippedToo->id);
    }

    [[nodiscard]] TaskReason expected(TaskId id, bool living) const
    {
        const bool over = m_closed || !living;
        switch (stateOf(id)) {
        case TaskState::Succeeded: return {Kind::Succeeded, {}};
        case TaskState::Failed: return {Kind::Failed, {}};
        case TaskState::Cancelled: return {Kind::Cancelled, {}};
        case TaskState::Removed: return {Kind::Removed, {}};
        case TaskState::Held: return {Kind::Held, {}};
        case TaskState::Skipped: return {Kind::Skipped, {}, chain(id)};
        case TaskState::Running:
            return {over                            ? Kind::RunEnded
                        : m_cancelling.contains(id) ? Kind::BeingCancelled
                                                    : Kind::Runs,
                    {}};
        case TaskState::Queued: break;
        }
        if (over)
            return {Kind::RunEnded, {}};
        if (m_cancelling.contains(id))
            return {Kind::BeingCancelled, {}};
        if (m_ending)
            return {Kind::RunEnding, {}};
        if (const Ids open = openPrerequisites(id); !open.empty())
            return {Kind::WaitsForTasks, {}, open};
        if (const Ids open = openStages(id); !open.empty())
            return {Kind::WaitsForBarrier, {}, open};
        std::uint64_t slots = 0;
        for (const auto& [rank, count] : m_slots)
            slots += count;
        return {slots == 0 ? Kind::WaitsForProcessor : Kind::WaitsForSlot, {}};
    }

private:
    [[nodiscard]] TaskState stateOf(TaskId id) const { return m_tasks[id.value()].state; }
    [[nodiscard]] bool open(TaskId id) const
    {
        const std::set<TaskState> undone{TaskState::Queued, TaskState::Running, TaskState::Held};
        return undone.contains(stateOf(id));
    }
    [[nodiscard]] Ids openPrerequisites(TaskId id) const
    {
        Ids ids;
        const auto& links = m_tasks[id.value()].task.links;
        for (const TaskId before : links ? links->after.ids() : Ids()) {
            if (open(before))
                ids.push_back(before);
        }
        return ids;
    }
    [[nodiscard]] Ids openStages(TaskId id) const
    {
        Ids ids;
        for (std::uint32_t i = 0; i < m_tasks.size() && ids.size() < TaskReason::named; ++i) {
            if (m_tasks[i].task.stage < m_tasks[id.value()].task.stage && open(TaskId(i)))
                ids.emplace_back(i);
        }
        return ids;
    }
    [[nodiscard]] Ids chain(TaskId id) const
    {
        std::set<TaskId> all;
        while (stateOf(id) == TaskState::Skipped) {
            id = m_because.at(id);
            if (!all.insert(id).second)
                break;
        }
        return {all.begin(), all.end()};
    }

    const std::vector<RandomHistory::Expected>& m_tasks;
    std::map<Rank, std::uint32_t> m_slots;
    std::map<TaskId, TaskId> m_because;
    std::set<TaskId> m_cancelling;
    bool m_closed = false;
    bool m_ending = false;
};

std::string reasonOf(const History& events, std::uint32_t task, bool living = true)
{
    RunHistory history;
    for (const Event& event : events.events()) {
        if (!history.apply(event))
            return "the history is wrong";
    }
    return taskReason(history, TaskId(task), living).text;
}

History begun()
{
    History history;
    history.add(RunOpened{});
    history.add(ProcessorJoined{
        .rank = Rank(0), .incarnation = Incarnation(1), .host = "node", .pid = 7, .slots = 2});
    return history;
}

Task after(std::vector<TaskId> before)
{
    auto settings = std::make_shared<TaskSettings>();
    settings->retries.allowed = {2, 0, 0, 3};
    auto links = std::make_shared<TaskLinks>();
    links->after = Prerequisites(std::move(before));
    return {.command = "x", .settings = std::move(settings), .links = std::move(links)};
}

AttemptStarted start(std::uint32_t task, std::uint32_t attempt)
{
    return {{TaskId(task), AttemptNumber(attempt)}, Rank(0), SlotIndex(0), {}};
}

} // namespace

/// What breaks it: a reason that is not the reason, or one that leaves out what an operator can do.
class TestTaskReason : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// 10,000 states, each held against the oracle.
    void randomStates()
    {
        std::map<Kind, int> seen;
        for (std::uint32_t seed = 1; seed <= 100; ++seed) {
            std::mt19937 random(seed);
            RandomHistory events(seed);
            Oracle oracle(events);
            RunHistory history;
            for (int look = 0; look < 100; ++look) {
                for (const Event& event : events.more(1 + random() % 20)) {
                    QVERIFY(history.apply(event).ok());
                    oracle.take(event);
                }
                if (events.tasks().empty())
                    continue;
                const TaskId id(static_cast<std::uint32_t>(random() % events.tasks().size()));
                const bool living = random() % 8 != 0;
                const TaskReason reason = taskReason(history, id, living);
                const TaskReason expected = oracle.expected(id, living);
                QVERIFY2(reason.kind == expected.kind,
                         (std::to_string(seed) + ": " + reason.text).c_str());
                QVERIFY2(reason.because == expected.because, reason.text.c_str());
                QVERIFY(!reason.text.empty());
                ++seen[reason.kind];
            }
        }
        for (int kind = 0; kind <= static_cast<int>(Kind::Succeeded); ++kind)
            QVERIFY2(seen[static_cast<Kind>(kind)] > 0,
                     std::string(reasonName(static_cast<Kind>(kind))).c_str());
    }

    void waits()
    {
        History history = begun();
        history.addTask("a").addTask("b");
        history.add(TaskAdded{TaskId(2), after({TaskId(0), TaskId(1)})});
        QCOMPARE(reasonOf(history, 0), "waits for its turn: 0 tasks run on 2 slots");
        QCOMPARE(reasonOf(history, 2),
                 "waits for task 0 (queued) and 1 other, which it comes after");
        history.add(start(0, 1));
        QCOMPARE(reasonOf(history, 0), "runs on node (rank 0), attempt 1");
        QCOMPARE(reasonOf(history, 2),
                 "waits for task 0 (running) and 1 other, which it comes after");
        history.addEnd(0, 1, Outcome::Succeeded, 0, 1s);
        QCOMPARE(reasonOf(history, 0),
                 "succeeded in attempt 1 on node (rank 0): a resume does not run it again");
        QCOMPARE(reasonOf(history, 2), "waits for task 1 (queued), which it comes after");
        history.add(TaskHeld{TaskId(1)});
        QCOMPARE(reasonOf(history, 1), "is held: it starts when it is released");
        QCOMPARE(reasonOf(history, 1, false), "is held: it starts when it is released");
        QCOMPARE(reasonOf(history, 2, false),
                 "was still to be done when the run ended: a resume does it");
        history.add(ProcessorLost{Rank(0), Incarnation(1), LossCause::Gone});
        history.addTask("c");
    }

    void waitsBehindABarrier()
    {
        History history = begun();
        history.addTask("a").addTask("b");
        Task late = after({});
        late.stage = 1;
        history.add(TaskAdded{TaskId(2), std::move(late)});
        QCOMPARE(reasonOf(history, 2),
                 "waits behind a barrier: task 0 (queued) and 1 other are not done");
        history.addEnd(0, 1, Outcome::Failed, 1, 1s);
        QCOMPARE(reasonOf(history, 2), "waits behind a barrier: task 1 (queued) is not done");
    }

    void ranAgain()
    {
        History history = begun();
        history.add(TaskAdded{TaskId(0), after({})});
        history.addEnd(0, 1, Outcome::Failed, 7, 1s, Disposition::Retry);
        QCOMPARE(
            reasonOf(history, 0),
            "waits for its turn: 0 tasks run on 2 slots; attempt 1 ended with exit code 7, and 1 of 2 retries "
            "after an exit code is used");
        history.add(start(0, 2));
        QCOMPARE(reasonOf(history, 0),
                 "runs on node (rank 0), attempt 2: attempt 1 ended with exit code 7");
        history.addEnd(0, 2, Outcome::Lost, 0, 1s, Disposition::Retry);
        history.add(start(0, 3));
        QCOMPARE(reasonOf(history, 0),
                 "runs on node (rank 0), attempt 3: attempt 2 was lost with its processor");
        history.add(TaskCancelling{TaskId(0)});
        QCOMPARE(reasonOf(history, 0),
                 "is being cancelled: attempt 3 on node (rank 0) is being killed");
        history.addEnd(0, 3, Outcome::Cancelled, 0, 1s);
        QCOMPARE(reasonOf(history, 0), "was cancelled by an operator; attempt 3 was killed");
    }

    void failed()
    {
        History history = begun();
        history.add(TaskAdded{TaskId(0), after({})});
        history.addEnd(0, 1, Outcome::Signalled, 9, 1s);
        QCOMPARE(
            reasonOf(history, 0),
            "failed: attempt 1 on node (rank 0) was ended by signal 9 (SIGKILL), and it has no retries after a signal");
        history.add(TaskReopened{TaskId(0)});
        history.addEnd(0, 2, Outcome::Failed, 3, 1s, Disposition::Retry);
        history.addEnd(0, 3, Outcome::Failed, 3, 1s, Disposition::Retry);
        history.addEnd(0, 4, Outcome::Failed, 3, 1s);
        QCOMPARE(
            reasonOf(history, 0),
            "failed: attempt 4 on node (rank 0) ended with exit code 3, and 2 of 2 retries after an exit code are used");
    }

    void skippedBecauseOfSkipped()
    {
        History history = begun();
        history.addTask("a");
        history.add(TaskAdded{TaskId(1), after({TaskId(0)})});
        history.add(TaskAdded{TaskId(2), after({TaskId(1)})});
        history.addEnd(0, 1, Outcome::Failed, 4, 1s);
        history.add(TaskSkipped{TaskId(1), TaskId(0)}).add(TaskSkipped{TaskId(2), TaskId(1)});
        QCOMPARE(
            reasonOf(history, 2),
            "was skipped: it comes after task 1, which was skipped, as it comes after task 0, which failed (it ended "
            "with exit code 4)");
    }
};

QTEST_APPLESS_MAIN(TestTaskReason)

} // namespace tst_taskreason

#include "tst_taskreason.moc"
