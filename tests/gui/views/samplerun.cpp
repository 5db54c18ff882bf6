// SPDX-License-Identifier: GPL-3.0-or-later
#include "samplerun.h"

#include "domain/alarms.h"
#include "samplesystem.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <queue>
#include <random>

namespace tasuki {

namespace {

using std::chrono::microseconds;

/// Plays a farm on a clock of its own.
class Player {
public:
    explicit Player(const SampleRun& wanted) : m_wanted(wanted), m_now(wanted.begin)
    {
        if (wanted.system)
            m_wanted.ranks = SampleSystem::ranks;
    }

    std::vector<Event> play()
    {
        add(RunOpened{.host = "node0",
                      .version = "0.1.0",
                      .directory = "/home/user/spectra",
                      .taskList = "spectra.sh",
                      .processors = static_cast<std::uint32_t>(m_wanted.ranks),
                      .dedicatedMaster = false});
        addTasks();
        if (m_wanted.system)
            addAll(SampleSystem::begin());
        for (std::int32_t rank = 0; rank < m_wanted.ranks; ++rank)
            join(rank, 1);
        const std::uint32_t last = m_wanted.closed ? m_wanted.tasks : m_wanted.tasks / 3;
        while (m_next < last || (m_wanted.closed && !m_running.empty()) || !m_again.empty())
            step(last);
        if (m_wanted.closed) {
            for (const auto& [rank, incarnation] : m_present)
                add(ProcessorLost{.rank = Rank(rank),
                                  .incarnation = Incarnation(incarnation),
                                  .cause = LossCause::Left});
            add(RunClosed{.end = RunEnd::Complete, .elapsed = m_now - m_wanted.begin});
        }
        return std::move(m_events);
    }

private:
    struct Running {
        WallTime end{};
        AttemptKey key;
        std::int32_t rank = 0;
        WallTime start{};
        bool operator>(const Running& other) const
        {
            return std::tie(end, key) > std::tie(other.end, other.key);
        }
    };

    void add(EventPayload payload)
    {
        m_last = m_last.next();
        if (auto* acknowledged = std::get_if<AlarmAcknowledged>(&payload))
            acknowledged->alarm = m_firstAlarm;
        if (m_firstAlarm == EventId{} && alarmOf(payload))
            m_firstAlarm = {Epoch(1), m_last};
        m_events.push_back({.id = {Epoch(1), m_last},
                            .wallTime = m_now,
                            .monotonic = m_now - m_wanted.begin,
                            .payload = std::move(payload)});
    }

    void addAll(std::vector<EventPayload> payloads)
    {
        for (EventPayload& payload : payloads)
            add(std::move(payload));
    }

    std::uint32_t draw(std::uint32_t below)
    {
        return static_cast<std::uint32_t>(m_random() % below);
    }

    void addTasks()
    {
        auto plain = std::make_shared<TaskSettings>();
        auto careful = std::make_shared<TaskSettings>();
        careful->retries.allowed = {2, 1, 1, 3};
        careful->timeout = std::chrono::minutes(10);
        careful->workingDirectory = "spectra/fit";
        careful->environment = {{"OMP_NUM_THREADS", "1"}, {"FIT_MODE", "robust"}};
        for (std::uint32_t i = 0; i < m_wanted.tasks; ++i) {
            Task task;
            const std::string number = std::to_string(1000 + i);
            const bool fits = i % 3 == 1;
            task.command = i + 1 == m_wanted.tasks
                ? "./report output*.txt > report.html"
                : (fits ? "./fit --robust input" + number + ".dat > output" + number + ".txt"
                        : "./prepare.sh --window hann input" + number + ".dat");
            task.settings = fits ? careful : plain;
            task.position = i;
            task.line = i + 3;
            if (i == 10)
                task.links = std::make_shared<TaskLinks>(TaskLinks{.label = "fit", .after = {}});
            if (i + 1 == m_wanted.tasks) {
                task.links = std::make_shared<TaskLinks>(
                    TaskLinks{.label = "report", .after = {TaskId(10)}});
            }
            add(TaskAdded{.id = TaskId(i), .task = std::move(task)});
        }
    }

    void join(std::int32_t rank, std::uint32_t incarnation)
    {
        add(ProcessorJoined{.rank = Rank(rank),
                            .incarnation = Incarnation(incarnation),
                            .host = rank < m_wanted.ranks / 2 ? "node0" : "node1",
                            .pid = 4000 + rank,
                            .slots = 1});
        m_idle.push_back(rank);
        m_present[rank] = incarnation;
    }

    void step(std::uint32_t last)
    {
        while (!m_idle.empty() && (!m_again.empty() || m_next < last)) {
            AttemptKey key;
            if (!m_again.empty()) {
                key = m_again.front();
                m_again.erase(m_again.begin());
            } else {
                key = {TaskId(m_next++), AttemptNumber(1)};
            }
            begin(key);
        }
        if (!m_running.empty())
            finish();
        if (m_wanted.system)
            stepOfSystem();
        else
            stepOfPlainRun();
    }

    void stepOfPlainRun()
    {
        if (!m_lostOnce && m_next > m_wanted.tasks / 4) {
            m_lostOnce = true;
            drop(2);
            add(Notice{.severity = Severity::Warning,
                       .text = "rank 2 on node1 is gone; its tasks are run elsewhere"});
        }
        if (m_lostOnce && !m_backAgain && m_next > m_wanted.tasks * 3 / 10) {
            m_backAgain = true;
            join(2, 2);
        }
    }

    void stepOfSystem()
    {
        for (; m_act < SampleSystem::acts
             && m_next > m_wanted.tasks * SampleSystem::when(m_act) / 100;
             ++m_act) {
            SampleSystem::Act act = SampleSystem::act(m_act, m_now);
            m_now += act.pause;
            addAll(std::move(act.before));
            for (const std::int32_t rank : act.lost)
                drop(rank);
            m_now += act.takes;
            addAll(std::move(act.after));
            for (const std::int32_t rank : act.taken)
                join(rank, 2);
        }
    }

    void begin(AttemptKey key)
    {
        const std::int32_t rank = m_idle.front();
        m_idle.erase(m_idle.begin());
        m_now += microseconds(400 + draw(900));
        add(AttemptStarted{
            .key = key, .rank = Rank(rank), .slot = SlotIndex(0), .startedAt = m_now});
        const auto length = microseconds(400'000 + draw(2'600'000)
                                         + (draw(20) == 0 ? 9'000'000 : 0));
        m_running.push({m_now + length, key, rank, m_now});
    }

    void finish()
    {
        const Running run = m_running.top();
        m_running.pop();
        m_now = std::max(m_now, run.end);
        m_idle.push_back(run.rank);
        end(run, outcomeOf(run.key));
    }

    Outcome outcomeOf(AttemptKey key)
    {
        const std::uint32_t task = key.task.value();
        if (task == 200)
            return Outcome::Cancelled;
        if (task % 41 == 7)
            return Outcome::Failed;
        if (task % 97 == 31)
            return Outcome::Signalled;
        if (task % 131 == 100)
            return Outcome::TimedOut;
        if (task % 29 == 10 && key.number.value() == 1)
            return Outcome::Failed;
        return Outcome::Succeeded;
    }

    void end(const Running& run, Outcome outcome)
    {
        AttemptResult result;
        result.outcome = outcome;
        result.code = outcome == Outcome::Failed ? 3 : outcome == Outcome::Signalled ? 11 : 0;
        result.startedAt = run.start;
        result.elapsed = std::chrono::duration_cast<microseconds>(m_now - run.start);
        result.usage = {.user = result.elapsed * 9 / 10,
                        .system = result.elapsed / 30,
                        .maxResidentKiB = 21'000 + draw(9'000)};
        std::string text = "window: hann, 4096 samples\n";
        for (int line = 1; line <= 12; ++line)
            text += "pass " + std::to_string(line) + ": residual 0.00"
                + std::to_string(draw(90) + 10) + "\n";
        result.standardOutput = {.head = text, .tail = {}, .totalBytes = text.size()};
        if (outcome == Outcome::Failed) {
            result.standardError.head = "fit: no convergence after 12 passes\n";
            result.standardError.totalBytes = result.standardError.head.size();
        }
        const std::uint32_t task = run.key.task.value();
        const bool retried = outcome == Outcome::Lost
            || (outcome == Outcome::Failed && task % 3 == 1 && run.key.number.value() < 3);
        add(AttemptFinished{.key = run.key,
                            .rank = Rank(run.rank),
                            .slot = SlotIndex(0),
                            .disposition = retried ? Disposition::Retry : Disposition::Final,
                            .result = std::move(result)});
        if (retried)
            m_again.push_back({run.key.task, run.key.number.next()});
    }

    /// A rank is lost, with what runs on it.
    void drop(std::int32_t rank)
    {
        std::vector<Running> kept;
        for (; !m_running.empty(); m_running.pop()) {
            if (m_running.top().rank == rank)
                end(m_running.top(), Outcome::Lost);
            else
                kept.push_back(m_running.top());
        }
        for (const Running& run : kept)
            m_running.push(run);
        std::erase(m_idle, rank);
        add(ProcessorLost{.rank = Rank(rank),
                          .incarnation = Incarnation(m_present.at(rank)),
                          .cause = LossCause::Gone});
        m_present.erase(rank);
    }

    SampleRun m_wanted;
    WallTime m_now;
    Sequence m_last;
    std::vector<Event> m_events;
    std::vector<std::int32_t> m_idle;
    std::vector<AttemptKey> m_again;
    std::priority_queue<Running, std::vector<Running>, std::greater<>> m_running;
    std::mt19937 m_random{7};
    std::uint32_t m_next = 0;
    std::map<std::int32_t, std::uint32_t> m_present; ///< incarnations
    EventId m_firstAlarm;
    std::uint32_t m_act = 0;
    bool m_lostOnce = false;
    bool m_backAgain = false;
};

} // namespace

std::vector<Event> sampleEvents(const SampleRun& wanted) { return Player(wanted).play(); }

} // namespace tasuki
