// SPDX-License-Identifier: GPL-3.0-or-later
#include "cpslog.h"

#include "files/recordmode.h"
#include "files/wholefile.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

namespace tasuki {

namespace {

using Seconds = std::chrono::duration<double>;

std::string secondsText(std::chrono::microseconds time)
{
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.3f [s]", Seconds(time).count());
    return text.data();
}

bool hasRun(const TaskRecord& record)
{
    return record.state == TaskState::Succeeded
        || (record.state == TaskState::Failed && record.attempts > 0);
}

std::vector<const TaskRecord*> listed(const RunState& state)
{
    std::vector<const TaskRecord*> records;
    records.reserve(state.tasks().size());
    for (const TaskRecord& record : state.tasks()) {
        if (record.state != TaskState::Removed)
            records.push_back(&record);
    }
    std::ranges::stable_sort(records, {},
                             [](const TaskRecord* record) { return record->task.position; });
    return records;
}

} // namespace

std::string cpsLogText(const RunState& state, const CpsLogHead& head)
{
    const std::vector<const TaskRecord*> records = listed(state);
    std::chrono::microseconds total{};
    for (const TaskRecord* record : records) {
        if (hasRun(*record))
            total += record->lastElapsed;
    }
    const double capacity = Seconds(head.elapsed).count() * static_cast<double>(head.slots);
    const double efficiency = capacity > 0 ? Seconds(state.finishedRunTime()).count() / capacity
                                           : 0.0;
    std::array<char, 40> efficiencyText{};
    std::snprintf(efficiencyText.data(), efficiencyText.size(), "%.6g", efficiency);

    std::string text;
    text += "Number of tasks : " + std::to_string(records.size()) + '\n';
    text += "Number of processes : " + std::to_string(head.processes) + '\n';
    text += "Total execution time: " + secondsText(total) + '\n';
    text += "Elapsed time: " + secondsText(head.elapsed) + '\n';
    text += std::string("Parallel Efficiency : ") + efficiencyText.data() + '\n';
    text += "\nTask list:\nCommand : Elapsed time\n";
    for (const TaskRecord* record : records) {
        if (hasRun(*record))
            text += record->task.command + " : " + secondsText(record->lastElapsed) + '\n';
    }
    return text;
}

Result<void> writeCpsLog(const std::string& path, const std::string& text)
{
    const Result<mode_t> mode = recordMode();
    if (!mode)
        return mode.error();
    return writeWholeFile(path, text, *mode);
}

} // namespace tasuki
