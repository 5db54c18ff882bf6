// SPDX-License-Identifier: GPL-3.0-or-later
#include "runplan.h"

#include "runfile/runfilereader.h"
#include "tasklist/matching.h"
#include "version.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

namespace tasuki {

namespace {

bool mustReopen(TaskState state, bool retryFailed)
{
    // What was skipped has never run: whether it can now is for the scheduler to find out.
    return state == TaskState::Skipped
        || (retryFailed && (state == TaskState::Failed || state == TaskState::Cancelled));
}

std::vector<EventPayload> reopenings(const RunState& state, bool retryFailed)
{
    std::vector<EventPayload> events;
    for (std::uint32_t i = 0; i < state.tasks().size(); ++i) {
        if (mustReopen(state.tasks()[i].state, retryFailed))
            events.emplace_back(TaskReopened{TaskId(i)});
    }
    return events;
}

Result<RunState> readRecord(const std::string& path)
{
    Result<RunFileReader> reader = RunFileReader::open(path);
    if (!reader)
        return reader.error();
    RunState state;
    const Result<void> replayed = reader->replay(
        [&state](const Event& event) { return state.apply(event); }, {},
        RunFileReader::Outputs::Skip);
    if (!replayed)
        return replayed.error();
    return state;
}

RunOpened opening(const FarmOptions& options, const RunOrigin& origin, std::string directory)
{
    return {.host = origin.host,
            .version = programVersion,
            .directory = std::move(directory),
            .taskList = options.taskList.value_or(""),
            .processors = origin.processors,
            .dedicatedMaster = options.dedicatedMaster};
}

Result<void> checkDirectory(const std::string& directory)
{
    std::error_code error;
    if (std::filesystem::is_directory(directory, error))
        return {};
    return Error{.kind = ErrorKind::Input,
                 .message = "the directory in which the run was started, " + directory
                     + ", does not exist here",
                 .remedy = "the tasks must run there; make it or mount it"};
}

} // namespace

std::vector<EventPayload> continuation(const RunState& state, std::vector<Task> list,
                                       bool retryFailed)
{
    std::vector<RecordedTask> recorded;
    recorded.reserve(state.tasks().size());
    for (std::uint32_t i = 0; i < state.tasks().size(); ++i) {
        const TaskRecord& record = state.tasks()[i];
        recorded.push_back({TaskId(i), &record.task, record.state == TaskState::Removed});
    }
    ResumePlan plan = resumePlan(recorded, std::move(list));

    std::vector<EventPayload> events;
    events.reserve(plan.tasks.size());
    for (const TaskId id : plan.gone)
        events.emplace_back(TaskRemoved{id});
    std::vector<EventPayload> changes;
    std::vector<EventPayload> reopened;
    for (std::size_t i = 0; i < plan.tasks.size(); ++i) {
        const ResumePlan::Match& match = plan.matches[i];
        if (match.kind == MatchKind::New) {
            events.emplace_back(TaskAdded{.id = match.id, .task = std::move(plan.tasks[i])});
            continue;
        }
        if (match.kind == MatchKind::Changed)
            changes.emplace_back(TaskChanged{.id = match.id, .task = std::move(plan.tasks[i])});
        const TaskRecord& record = state.task(match.id);
        const TaskState before = record.state == TaskState::Removed ? record.stateBeforeRemoval
                                                                    : record.state;
        if (mustReopen(before, retryFailed))
            reopened.emplace_back(TaskReopened{match.id});
    }
    std::ranges::move(changes, std::back_inserter(events));
    std::ranges::move(reopened, std::back_inserter(events));
    return events;
}

Result<RunPlan> planRun(const FarmOptions& options, const RunOrigin& origin, TaskListParse* list)
{
    Result<RunFileWriter> file = options.resume
        ? RunFileWriter::open(options.runFile)
        : RunFileWriter::create(options.runFile, RunId::random());
    if (!file)
        return file.error();
    RunPlan plan{.file = std::move(*file),
                 .state = {},
                 .epoch = Epoch(1),
                 .opening = {},
                 .directory = std::filesystem::current_path().string()};
    if (options.resume) {
        Result<RunState> state = readRecord(options.runFile);
        if (!state)
            return state.error();
        plan.state = std::move(*state);
        plan.epoch = plan.file.lastEvent().epoch.next();
        if (plan.state.opened())
            plan.directory = plan.state.opened()->directory;
        if (const Result<void> checked = checkDirectory(plan.directory); !checked)
            return checked.error();
    }
    plan.opening.emplace_back(opening(options, origin, plan.directory));
    std::vector<EventPayload> events = list != nullptr
        ? continuation(plan.state, std::move(list->tasks), options.retryFailed)
        : reopenings(plan.state, options.retryFailed);
    std::ranges::move(events, std::back_inserter(plan.opening));
    return plan;
}

} // namespace tasuki
