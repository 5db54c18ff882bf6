// SPDX-License-Identifier: GPL-3.0-or-later
#include "failoverfarm.h"

#include <QList>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <set>
#include <utility>

namespace tasuki::testing {

using namespace std::chrono_literals;

namespace {

const QStringList farmArguments{QStringLiteral("farm"), QStringLiteral("tasks.sh"),
                                QStringLiteral("--topology"), QStringLiteral("system.toml")};

QByteArray subcluster(const QByteArray& name, int restarts)
{
    return "\n[[subcluster]]\nname = \"" + name
        + "\"\nactive = 4\nstandby = 1\nio = 1\nminimum = 2\nunits = 2\nrestarts = { count = "
        + QByteArray::number(restarts) + ", within_s = 600 }\n";
}

QByteArray taskList(int tasks, const QByteArray& seconds)
{
    QByteArray list;
    for (int number = 0; number < tasks; ++number) {
        // Nothing but the shell itself, and what waits in its place.
        list += "read up rest < /proc/uptime; echo " + QByteArray::number(number)
            + " $TASUKI_RANK $TASUKI_ATTEMPT $PPID $$ $up >> trace; exec sleep " + seconds + '\n';
    }
    return list;
}

constexpr double microsASecond = 1e6;

/// When the host was started.
WallMicros hostStart()
{
    timespec up{};
    ::clock_gettime(CLOCK_BOOTTIME, &up);
    return wallNow() - WallMicros{up.tv_sec} * 1'000'000 - up.tv_nsec / 1'000;
}

double milliseconds(WallMicros micros) { return static_cast<double>(micros) / 1e3; }

} // namespace

FailoverFarm::FailoverFarm(Setup setup) : agent(place), m_setup(std::move(setup))
{
    place.write("tasks.sh", taskList(m_setup.tasks, m_setup.seconds));
    place.write("system.toml",
                "[system]\npolicy = \"" + m_setup.policy + "\"\n"
                    + subcluster("left", m_setup.restarts) + subcluster("right", m_setup.restarts));
}

void FailoverFarm::start()
{
    agent.start(m_setup.how, processors, farmArguments, m_setup.launcherOptions);
}

void FailoverFarm::resume()
{
    m_resumed = std::make_unique<AgentProcess>(place);
    m_resumed->start(Start::Launch, processors,
                     farmArguments + QStringList{"--resume", "tasks.tasuki"});
}

bool FailoverFarm::works(int lines)
{
    if (place.read("trace").count('\n') < lines) {
        return false;
    }
    m_pids = agent.ranks();
    return m_pids.size() == processors;
}

pid_t FailoverFarm::pid(int processor) const
{
    return m_pids.at(static_cast<std::size_t>(processor));
}

std::vector<ProcessInfo> FailoverFarm::processesOf(int processor) const
{
    const auto all = agent.allProcesses();
    std::set<pid_t> family{pid(processor)};
    // Children may stand before their parents.
    for (std::size_t before = 0; before != family.size();) {
        before = family.size();
        for (const ProcessInfo& process : all) {
            if (family.contains(process.parent)) {
                family.insert(process.pid);
            }
        }
    }
    std::vector<ProcessInfo> found;
    std::ranges::copy_if(all, std::back_inserter(found),
                         [&](const ProcessInfo& process) { return family.contains(process.pid); });
    return found;
}

WallMicros FailoverFarm::strike(int processor, int signal)
{
    const WallMicros now = wallNow();
    if (kill(pid(processor), signal) != 0) {
        qFatal("processor %d is not there any more", processor);
    }
    return now;
}

QByteArray FailoverFarm::finish(int losses)
{
    AgentProcess& last = m_resumed ? *m_resumed : agent;
    if (!last.finish(90s)) {
        return "does not end: " + last.story() + describeAll(last.allProcesses());
    }
    if (last.exitCode() != 0) {
        return last.story();
    }
    if (const auto left = last.remainder(5s); !left.empty()) {
        return "still lives: " + describeAll(left);
    }
    const FailoverRecord found = record();
    QByteArray problems;
    for (const std::string& problem : found.problems(m_setup.tasks)) {
        problems += QByteArray::fromStdString(problem) + '\n';
    }
    problems += traceProblems(found, losses);
    return problems.isEmpty() ? problems : problems + last.story();
}

QByteArray FailoverFarm::traceProblems(const FailoverRecord& record, int losses) const
{
    // What a lost processor ran, or had not reported yet.
    constexpr int mostRepeatedEach = 5;
    std::set<std::pair<int, int>> begun;
    std::vector<int> times(static_cast<std::size_t>(m_setup.tasks));
    for (const Line& line : lines()) {
        begun.emplace(line.task, line.attempt);
        ++times.at(static_cast<std::size_t>(line.task));
    }
    QByteArray problems;
    const auto repeated = std::ranges::count_if(times, [](int count) { return count > 1; });
    if (repeated > losses * mostRepeatedEach) {
        problems += QByteArray::number(static_cast<qlonglong>(repeated)) + " tasks began twice\n";
    }
    for (const auto& row : record.sql().query("SELECT task, attempt FROM event WHERE kind = 9 AND "
                                              "disposition = 0 AND outcome = 0")) {
        if (!begun.contains({std::stoi(row[0]), std::stoi(row[1])})) {
            problems += QByteArray::fromStdString("task " + row[0] + " never ran\n");
        }
    }
    return problems;
}

FailoverRecord FailoverFarm::record() const
{
    return FailoverRecord(place.path("tasks.tasuki").toStdString());
}

void FailoverFarm::tell(const FailoverRecord& record, int processor, WallMicros struck)
{
    const auto loss = record.lossOf(processor);
    if (!loss) {
        return;
    }
    std::printf("        processor %d: recorded lost after %.1f ms", processor,
                milliseconds(loss->at - struck));
    for (const RecordedTakeover& taken : record.takeovers()) {
        if (taken.from != processor) {
            continue;
        }
        std::printf(", its seat taken %.1f ms later", taken.takeoverMs);
        if (const WallMicros joined = record.joined(taken.seat, taken.incarnation); joined != 0) {
            std::printf(", which works after %.1f ms", milliseconds(joined - loss->at));
        }
    }
    std::printf("\n");
    std::fflush(stdout);
}

std::vector<FailoverFarm::Line> FailoverFarm::lines() const
{
    std::vector<Line> found;
    const WallMicros start = hostStart();
    for (const QByteArray& text : place.read("trace").split('\n')) {
        const QList<QByteArray> words = text.split(' ');
        constexpr int wordsOfALine = 6;
        if (words.size() != wordsOfALine) {
            continue; // the last one, or one whose task was killed as it wrote
        }
        found.push_back(
            {.task = words[0].toInt(),
             .rank = words[1].toInt(),
             .attempt = words[2].toInt(),
             .guardian = words[3].toInt(),
             .shell = words[4].toInt(),
             .at = start + static_cast<WallMicros>(words[5].toDouble() * microsASecond)});
    }
    return found;
}

} // namespace tasuki::testing
