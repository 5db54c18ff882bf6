// SPDX-License-Identifier: GPL-3.0-or-later
#include "tasklists.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace tasuki::testing {

std::string TracedTask::file() const { return "traces/" + std::to_string(number); }

std::string TracedTask::command() const
{
    std::string text = "echo " + std::to_string(number) + ' ' + std::to_string(version)
        + " $$ $TASUKI_EPOCH $TASUKI_ATTEMPT >> " + file();
    if (number % 2 == 0) {
        text += "; (setsid sh -c 'sleep 3; echo late $TASUKI_EPOCH $(date +%s%N) >> " + file()
            + "' </dev/null >/dev/null 2>&1 &)";
    }
    // Some end at once, some are likely to be running when the kill comes.
    constexpr int runTimes = 5;
    const int time = number % runTimes;
    if (time > 0) {
        text += "; sleep 0.0" + std::to_string(time);
    }
    return text;
}

void writeList(const std::filesystem::path& file, const std::vector<TracedTask>& tasks)
{
    std::ofstream list(file, std::ios::trunc);
    for (const TracedTask& task : tasks) {
        list << task.command() << '\n';
    }
    if (!list.flush()) {
        throw std::runtime_error("cannot write " + file.string());
    }
}

std::vector<Trace> tracesOf(const std::filesystem::path& directory, const TracedTask& task)
{
    std::vector<Trace> traces;
    std::ifstream file(directory / task.file());
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string first;
        Trace trace;
        words >> first;
        if (first == "late") {
            trace.late = true;
            words >> trace.epoch >> trace.nanoseconds;
        } else {
            std::int64_t process = 0;
            words >> trace.version >> process >> trace.epoch;
        }
        if (!words || (!trace.late && first != std::to_string(task.number))) {
            throw std::runtime_error(task.file() + " has a line that no task writes: " + line);
        }
        traces.push_back(trace);
    }
    return traces;
}

Edit edited(const std::vector<TracedTask>& tasks, std::mt19937_64& random)
{
    Edit edit;
    std::uniform_int_distribution<int> percent(0, 99);
    int next = 0;
    for (TracedTask task : tasks) {
        next = std::max(next, task.number + 1);
        const int dice = percent(random);
        if (dice < 10) {
            continue;
        }
        if (dice < 15) {
            ++task.version;
            edit.toBeRun.push_back(task);
        }
        edit.tasks.push_back(task);
    }
    const int added = std::max(1, static_cast<int>(tasks.size()) / 20);
    for (int count = 0; count < added; ++count) {
        edit.toBeRun.push_back({.number = next + count});
        edit.tasks.push_back(edit.toBeRun.back());
    }
    std::shuffle(edit.tasks.begin(), edit.tasks.end(), random);
    return edit;
}

} // namespace tasuki::testing
