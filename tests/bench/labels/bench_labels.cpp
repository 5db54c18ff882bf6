// SPDX-License-Identifier: GPL-3.0-or-later
// What a list costs in which COUNT tasks come after COUNT others by one label: reading it, its record,
// reading that, and scheduling it to the end. Each figure twice as large for twice the tasks is linear.
//
//   bench_labels [COUNT...]      (6000 12000 100000; processor time)
#include "domain/runstate.h"
#include "farm/scheduler.h"
#include "runfile/runfilereader.h"
#include "runfile/runfilewriter.h"
#include "support/programpart.h"
#include "tasklist/tasklistreader.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace bench_labels_tool {

namespace {

using namespace tasuki;

double cpuSeconds()
{
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Tells the time since it was last asked.
class Lap {
public:
    double next()
    {
        const double now = cpuSeconds();
        const double lap = now - m_last;
        m_last = now;
        return lap;
    }

private:
    double m_last = cpuSeconds();
};

void must(const Result<void>& result)
{
    if (result)
        return;
    std::fprintf(stderr, "%s\n", result.error().text().c_str());
    std::_Exit(EXIT_FAILURE);
}

std::string listOf(std::size_t count)
{
    std::string text;
    for (std::size_t i = 0; i < count; ++i)
        text += "#TASUKI label=a\ntrue\n";
    for (std::size_t i = 0; i < count; ++i)
        text += "#TASUKI after=a\ntrue\n";
    return text;
}

std::vector<Event> eventsOf(const std::vector<Task>& tasks)
{
    std::vector<Event> events;
    for (std::uint32_t i = 0; i < tasks.size(); ++i)
        events.push_back({.id = {Epoch(1), Sequence(i + 2U)},
                          .wallTime = {},
                          .monotonic = {},
                          .payload = TaskAdded{TaskId(i), tasks[i]}});
    events.insert(events.begin(),
                  Event{.id = {Epoch(1), Sequence(1)},
                        .wallTime = {},
                        .monotonic = {},
                        .payload = RunOpened{}});
    return events;
}

void scheduleAll(const RunState& state)
{
    farm::Scheduler scheduler;
    for (const TaskRecord& record : state.tasks())
        scheduler.add({.position = record.task.position, .after = prerequisitesOf(record.task)});
    scheduler.begin();
    const farm::GroupId group(0);
    scheduler.groupJoined(group, 64);
    while (!scheduler.complete()) {
        for (const farm::Assignment& assignment : scheduler.assignments({})) {
            for (const AttemptKey& key : assignment.keys) {
                scheduler.attemptEnded(group, key, Outcome::Succeeded,
                                       std::chrono::milliseconds(1));
                scheduler.endRecorded(key.task, {});
            }
        }
    }
}

void measure(std::size_t count)
{
    const std::filesystem::path file = std::filesystem::temp_directory_path()
        / ("bench_labels-" + std::to_string(::getpid()) + ".tasuki");
    Lap lap;
    const TaskListParse list = parseTaskList(listOf(count), "list");
    const double parsing = lap.next();
    {
        auto writer = RunFileWriter::create(file, RunId::random());
        must(writer ? writer->append(eventsOf(list.tasks)) : Result<void>(writer.error()));
    }
    const double writing = lap.next();
    RunState state;
    auto reader = RunFileReader::open(file);
    must(reader ? reader->replay([&](const Event& event) { return state.apply(event); })
                : Result<void>(reader.error()));
    const double reading = lap.next();
    scheduleAll(state);
    const double scheduling = lap.next();
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    std::printf("%7zu after %7zu: list %6.2f s, record %6.2f s, %8.1f MB, reading %6.2f s, "
                "scheduling %6.2f s; memory %6.0f MB\n",
                count, count, parsing, writing,
                static_cast<double>(std::filesystem::file_size(file)) / 1e6, reading, scheduling,
                static_cast<double>(usage.ru_maxrss) / 1e3);
    std::filesystem::remove(file);
}

} // namespace

TASUKI_TOOL_MAIN()
{
    std::vector<std::size_t> counts{6'000, 12'000, 100'000};
    if (argc > 1)
        counts.clear();
    for (int i = 1; i < argc; ++i)
        counts.push_back(static_cast<std::size_t>(std::atol(argv[i])));
    for (const std::size_t count : counts) { // each in a process of its own, whose memory is told
        std::fflush(stdout);
        const pid_t child = ::fork();
        if (child == 0) {
            measure(count);
            std::fflush(stdout);
            std::_Exit(EXIT_SUCCESS);
        }
        int status = 0;
        if (child < 0 || ::waitpid(child, &status, 0) != child || status != 0)
            return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}

} // namespace bench_labels_tool
