// SPDX-License-Identifier: GPL-3.0-or-later
#include "round.h"

#include "runrecord.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <thread>

namespace tasuki::testing {

namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// After a kill, tasks may live this long.
constexpr auto taskGrace = 1s;
/// After a kill, the agents may live this long.
constexpr auto agentGrace = 20s;
constexpr auto longestLife = 180s;

std::int64_t nanosecondsOfDay()
{
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

void killAll(const std::vector<pid_t>& pids)
{
    for (const pid_t pid : pids) {
        kill(pid, SIGKILL);
    }
}

std::string lastLines(const std::filesystem::path& file)
{
    std::ifstream stream(file);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    constexpr std::size_t shown = 400;
    return text.size() <= shown ? text : text.substr(text.size() - shown);
}

} // namespace

const char* nameOf(Victims victims)
{
    switch (victims) {
    case Victims::Everything: return "everything";
    case Victims::Mpirun: return "mpirun";
    case Victims::RankZero: return "rank 0";
    case Victims::WithGuardians: return "guardians too";
    }
    return "?";
}

Round::Round(RoundOptions options, std::filesystem::path directory, std::mt19937_64& random)
    : m_options(options), m_directory(std::move(directory)), m_random(random)
{
    for (int number = 0; number < m_options.tasks; ++number) {
        m_tasks.push_back({.number = number});
    }
}

void Round::problem(const std::string& text) { m_problems.push_back(text); }

bool Round::recordHasBegun() const
{
    std::error_code error;
    const auto size = std::filesystem::file_size(m_directory / "tasks.tasuki", error);
    return !error && size > 0;
}

std::vector<std::string> Round::arguments() const
{
    if (recordHasBegun()) {
        return {"farm", "tasks.sh", "--resume", "tasks.tasuki", "--quiet"};
    }
    // A kill within the first milliseconds leaves a file without a byte in it: nothing to resume.
    std::error_code ignored;
    std::filesystem::remove(m_directory / "tasks.tasuki", ignored);
    return {"farm", "tasks.sh", "--run", "tasks.tasuki", "--quiet"};
}

void Round::run()
{
    std::filesystem::create_directory(m_directory / "traces");
    writeList(m_directory / "tasks.sh", m_tasks);
    const int kills = std::uniform_int_distribution<int>(1, 2)(m_random);
    // A run that went on without its rank 0 to its end leaves nothing to be killed.
    for (int kill = 0; kill < kills && !m_wentOn; ++kill) {
        liveAndBeKilled();
    }
    liveToTheEnd();
    checkRecord(m_tasks);
    resumeEdited();
    // What was left behind would have spoken by now.
    std::this_thread::sleep_for(3500ms);
    checkTraces(m_tasks);
}

void Round::strike(FarmLife& life)
{
    const FarmLife::Processes found = life.processes();
    switch (m_options.victims) {
    case Victims::Everything:
        killAll(found.launch);
        killAll(found.mpirun);
        killAll(found.ranks);
        break;
    case Victims::Mpirun: killAll(found.mpirun); break;
    case Victims::RankZero: killAll({found.rankZero}); break;
    case Victims::WithGuardians:
        killAll(found.guardians);
        killAll(found.ranks);
        killAll(found.mpirun);
        break;
    }
}

void Round::liveAndBeKilled()
{
    // Short enough that the list cannot be done, four commands at a time.
    const int latest = 400 + m_options.tasks * 5 / 2;
    const milliseconds moment(std::uniform_int_distribution<int>(300, latest)(m_random));
    FarmLife life(m_options.starter, m_options.ranks, m_directory, arguments());
    const auto begin = steady_clock::now();
    std::this_thread::sleep_until(begin + moment);
    // Before the victim exists there is nothing to be killed.
    const auto hasVictim = [this](const FarmLife::Processes& found) {
        return m_options.victims == Victims::RankZero     ? found.rankZero > 0
            : m_options.victims == Victims::WithGuardians ? !found.guardians.empty()
                                                          : !found.mpirun.empty();
    };
    while (!hasVictim(life.processes()) && !life.ended() && steady_clock::now() < begin + 30s) {
        std::this_thread::sleep_for(20ms);
    }
    if (life.ended()) {
        problem("ended before it could be killed: " + lastLines(m_directory / "farm.err"));
        return;
    }
    strike(life);
    const std::int64_t silentSince = goesOn() ? waitForSuccessor(life) : waitForSilence(life);
    m_snapshots.push_back(snapshot());
    const Snapshot& seen = m_snapshots.back();
    m_silentSince.emplace(seen.epoch, silentSince);
    m_story += ' ' + std::to_string(moment.count()) + " ms (" + std::to_string(seen.done.size())
        + " done)";
}

bool Round::goesOn() const
{
    return m_options.victims == Victims::RankZero && m_options.starter == Starter::Launch;
}

std::int64_t Round::waitForSilence(FarmLife& life)
{
    const auto struck = steady_clock::now();
    const std::int64_t deadline = nanosecondsOfDay() + std::chrono::nanoseconds(taskGrace).count();
    std::this_thread::sleep_until(struck + taskGrace);
    for (const ProcessInfo& task : life.processes().tasks) {
        problem("lives 1 s after the kill: " + describe(task));
    }
    if (!life.waitForEverything(agentGrace)) {
        for (const ProcessInfo& process : life.all()) {
            problem("lives 20 s after the kill: " + describe(process));
        }
    }
    return deadline;
}

std::int64_t Round::waitForSuccessor(FarmLife& life)
{
    if (!life.waitForEverything(longestLife)) {
        problem("does not end after the kill: " + lastLines(m_directory / "farm.err"));
    } else if (life.ended() == 0) {
        m_wentOn = true;
        m_story += " (went on)";
    }
    return nanosecondsOfDay();
}

void Round::liveToTheEnd()
{
    FarmLife life(m_options.starter, m_options.ranks, m_directory, arguments());
    if (!life.waitForEverything(longestLife)) {
        problem("does not end: " + lastLines(m_directory / "farm.err"));
        return;
    }
    if (life.ended() != 0) {
        problem("exit code " + std::to_string(life.ended().value_or(-1)) + ": "
                + lastLines(m_directory / "farm.err"));
    }
    m_snapshots.push_back(snapshot());
    m_silentSince.emplace(m_snapshots.back().epoch, nanosecondsOfDay());
}

Round::Snapshot Round::snapshot() const
{
    Snapshot seen;
    if (!recordHasBegun()) {
        return seen;
    }
    const RunRecord record(m_directory / "tasks.tasuki");
    if (record.number("select count(*) from sqlite_master where name = 'tasks'") == 0) {
        return seen;
    }
    seen.epoch = static_cast<std::uint32_t>(record.number("select max(id) >> 40 from event"));
    // The number of a task stands behind the first word of its command.
    for (const auto& row : record.query("select command from tasks where state = 'succeeded'")) {
        seen.done.insert(std::stoi(row.front().substr(5)));
    }
    return seen;
}

void Round::checkRecord(const std::vector<TracedTask>& tasks)
{
    const RunRecord record(m_directory / "tasks.tasuki");
    const auto succeeded = record.number("select count(*) from tasks where state = 'succeeded'");
    if (succeeded != static_cast<long long>(tasks.size())) {
        problem(std::to_string(succeeded) + " tasks succeeded, not "
                + std::to_string(tasks.size()));
    }
    std::set<std::string> expected;
    for (const TracedTask& task : tasks) {
        expected.insert(task.command());
    }
    for (const auto& row : record.query("select command from tasks where state = 'succeeded'")) {
        if (expected.erase(row.front()) == 0) {
            problem("recorded, but not in the list: " + row.front());
        }
    }
    // Kind 9: an attempt has ended.
    for (const auto& row :
         record.query("select task, sum(disposition = 0 and outcome = 0) as wins "
                      "from event where kind = 9 group by task having wins <> 1")) {
        problem("task " + row[0] + " is recorded done " + row[1] + " times");
    }
}

void Round::checkTraces(const std::vector<TracedTask>& tasks)
{
    for (const TracedTask& task : tasks) {
        const auto traces = tracesOf(m_directory, task);
        if (traces.empty()) {
            problem("task " + std::to_string(task.number) + " is recorded done and never ran");
        }
        for (const Trace& trace : traces) {
            const auto silent = m_silentSince.find(trace.epoch);
            if (trace.late && silent != m_silentSince.end() && trace.nanoseconds > silent->second) {
                problem("something of task " + std::to_string(task.number)
                        + " spoke after the end of epoch " + std::to_string(trace.epoch));
            }
        }
    }
    for (const Snapshot& seen : m_snapshots) {
        for (const int number : seen.done) {
            for (const Trace& trace : tracesOf(m_directory, {.number = number})) {
                // Another version of the task is another task.
                if (!trace.late && trace.version == 1 && trace.epoch > seen.epoch) {
                    problem("task " + std::to_string(number) + " was recorded done in epoch "
                            + std::to_string(seen.epoch) + " and ran again in epoch "
                            + std::to_string(trace.epoch));
                }
            }
        }
    }
}

void Round::resumeEdited()
{
    const Edit edit = edited(m_tasks, m_random);
    const std::uint32_t before = m_snapshots.back().epoch;
    writeList(m_directory / "tasks.sh", edit.tasks);
    liveToTheEnd();
    checkRecord(edit.tasks);
    std::set<int> toBeRun;
    for (const TracedTask& task : edit.toBeRun) {
        toBeRun.insert(task.number);
    }
    std::vector<TracedTask> everything = m_tasks;
    everything.insert(everything.end(), edit.toBeRun.begin(), edit.toBeRun.end());
    for (const TracedTask& task : everything) {
        const auto traces = tracesOf(m_directory, task);
        const auto ran = std::count_if(traces.begin(), traces.end(), [before](const Trace& trace) {
            return !trace.late && trace.epoch > before;
        });
        const bool due = toBeRun.contains(task.number);
        if (ran != (due ? 1 : 0)) {
            problem("after the list was edited, task " + std::to_string(task.number) + " ran "
                    + std::to_string(ran) + " times" + (due ? ", not once" : ""));
        }
    }
    m_story += ", " + std::to_string(edit.toBeRun.size()) + " edited";
}

} // namespace tasuki::testing
