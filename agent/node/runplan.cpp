// SPDX-License-Identifier: GPL-3.0-or-later
#include "runplan.h"

#include "newrecord.h"

#include "domain/outputkeeping.h"
#include "runfile/runfilereader.h"
#include "startup/version.h"
#include "tasklist/matching.h"

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

/// Tasks that were being cancelled when the last life was cut off: what ran has ended with it.
std::vector<EventPayload> cancellations(const RunState& state)
{
    std::vector<EventPayload> events;
    for (std::uint32_t i = 0; i < state.tasks().size(); ++i) {
        if (state.tasks()[i].cancelling)
            events.emplace_back(TaskCancelled{TaskId(i)});
    }
    return events;
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

struct Record {
    RunState state;
    WallTime lastAt{};                            ///< when the last event was,
    std::chrono::nanoseconds lastElapsed{};       ///< and how long its epoch had lasted
    std::unordered_map<AttemptKey, Rank> started; ///< attempts that run
    std::size_t endsOfLife = 0;                   ///< of tasks, in the latest epoch
};

/// Takes an event that has been applied.
void follow(Record& record, const Event& event)
{
    record.lastAt = event.wallTime;
    record.lastElapsed = event.monotonic;
    if (const auto* started = std::get_if<AttemptStarted>(&event.payload))
        record.started.emplace(started->key, started->rank);
    if (const auto* finished = std::get_if<AttemptFinished>(&event.payload)) {
        record.started.erase(finished->key);
        record.endsOfLife += finished->disposition == Disposition::Final ? 1U : 0U;
    } else if (std::holds_alternative<RunOpened>(event.payload)) {
        record.started.clear();
        record.endsOfLife = 0;
    }
}

/// @return how many system masters of an epoch others have succeeded
std::uint32_t successionsIn(const RunState& state, Epoch epoch)
{
    return static_cast<std::uint32_t>(
        std::ranges::count_if(state.failovers(), [epoch](const Failover& failover) {
            return failover.ofSystem && failover.id.epoch == epoch;
        }));
}

Result<Record> readRecord(const std::string& path)
{
    Result<RunFileReader> reader = RunFileReader::open(path);
    if (!reader)
        return reader.error();
    Record record;
    const Result<void> replayed = reader->replay(
        [&record](const Event& event) {
            Result<void> applied = record.state.apply(event);
            if (applied)
                follow(record, event);
            return applied;
        },
        {}, RunFileReader::Outputs::Skip);
    if (!replayed)
        return replayed.error();
    return record;
}

/// A file that a successor cannot go on with.
Error cannotGoOn(Error error, const std::string& file)
{
    if (!error.place)
        error.place = SourcePlace{.file = file};
    if (error.remedy.empty())
        error.remedy =
            "the run can be resumed where its run file can be used; a successor on another "
            "host needs it in a directory that all hosts share";
    return error;
}

/// Whether the launch has begun to write its record.
Result<void> checkBegun(const RunFileWriter& file, const Briefing& briefing)
{
    const Epoch found = file.lastEvent().epoch;
    if (found < briefing.epoch)
        return Error{.kind = ErrorKind::System,
                     .message = "does not have epoch " + std::to_string(briefing.epoch.value())
                         + " yet: the master was lost before it began",
                     .remedy = "start the run again"};
    return {};
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

OutputKeeping keepingOf(const OutputOptions& options)
{
    OutputKeeping keeping{.recordBytes = options.recordBytes};
    if (options.directory)
        keeping.directory =
            std::filesystem::absolute(*options.directory).lexically_normal().string();
    return keeping;
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

Result<NewRecord> resumedRecord(const FarmOptions& options, const OwnerWaiting& waiting)
{
    Result<RunFileWriter> file = RunFileWriter::open(options.runFile, ownerPatience, waiting);
    if (!file)
        return file.error();
    return NewRecord{.file = std::move(*file), .name = options.runFile};
}

/// Ranks of worlds come behind the tasks of a list.
void addWorlds(std::vector<EventPayload>& events, std::vector<Task> worlds)
{
    auto next = static_cast<std::uint32_t>(std::ranges::count_if(
        events, [](const auto& event) { return std::holds_alternative<TaskAdded>(event); }));
    for (Task& task : worlds) {
        task.position = next;
        events.emplace_back(TaskAdded{.id = TaskId(next++), .task = std::move(task)});
    }
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
    for (ResumePlan::Kept& kept : plan.kept) {
        if (kept.kind == MatchKind::Changed)
            changes.emplace_back(TaskChanged{.id = kept.id, .task = std::move(kept.task)});
        if (mustReopen(state.task(kept.id).state, retryFailed))
            reopened.emplace_back(TaskReopened{kept.id});
    }
    std::ranges::move(changes, std::back_inserter(events));
    std::ranges::move(reopened, std::back_inserter(events));
    return events;
}

Result<RunPlan> planRun(const FarmOptions& options, const RunOrigin& origin, TaskListParse* list,
                        std::vector<Task> worlds, const OwnerWaiting& waiting)
{
    Result<NewRecord> record = options.resume ? resumedRecord(options, waiting)
                                              : beginRecord(options, SystemClock().wallNow());
    if (!record)
        return record.error();
    RunPlan plan{.file = std::move(record->file),
                 .runFile = std::move(record->name),
                 .state = {},
                 .epoch = Epoch(1),
                 .opening = {},
                 .directory = std::filesystem::current_path().string(),
                 .elapsed = {},
                 .started = {},
                 .term = {}};
    if (options.resume) {
        Result<Record> recorded = readRecord(options.runFile);
        if (!recorded)
            return recorded.error();
        plan.state = std::move(recorded->state);
        plan.fruitless = recorded->endsOfLife == 0;
        plan.epoch = plan.file.token().epoch;
        if (plan.state.opened())
            plan.directory = plan.state.opened()->directory;
        if (const Result<void> checked = checkDirectory(plan.directory); !checked)
            return checked.error();
    }
    plan.opening.emplace_back(opening(options, origin, plan.directory));
    if (const OutputKeeping keeping = keepingOf(options.output); keeping != OutputKeeping{})
        plan.opening.emplace_back(Notice{.text = outputNotice(keeping)});
    std::ranges::move(cancellations(plan.state), std::back_inserter(plan.opening));
    std::vector<EventPayload> events = list != nullptr
        ? continuation(plan.state, std::move(list->tasks), options.retryFailed)
        : reopenings(plan.state, options.retryFailed);
    std::ranges::move(events, std::back_inserter(plan.opening));
    if (!options.resume)
        addWorlds(plan.opening, std::move(worlds));
    return plan;
}

Result<RunPlan> planSuccession(const Briefing& briefing, WallTime now, FormerWriter former)
{
    Result<RunFileWriter> file = RunFileWriter::succeed(
        briefing.runFile,
        {.run = briefing.run, .epoch = briefing.epoch, .breaks = former == FormerWriter::IsBroken});
    if (!file)
        return cannotGoOn(file.error(), briefing.runFile);
    if (const Result<void> same = checkBegun(*file, briefing); !same)
        return cannotGoOn(same.error(), briefing.runFile);
    Result<Record> record = readRecord(briefing.runFile);
    if (!record)
        return cannotGoOn(record.error(), briefing.runFile);
    // Recorded behind all of the list: what comes before it may be a part of that.
    if (!record->state.system().started())
        return cannotGoOn({.kind = ErrorKind::System,
                           .message = "ends before the run began: tasks may be missing in it",
                           .remedy = "resume the run with its task list"},
                          briefing.runFile);
    std::string directory = record->state.opened()->directory;
    if (const Result<void> checked = checkDirectory(directory); !checked)
        return checked.error();
    // A master may have died before it recorded that it had succeeded.
    const Term term = std::max(Term(successionsIn(record->state, briefing.epoch) + 1),
                               file->token().term);
    const auto since = std::max(now - record->lastAt, WallTime::duration::zero());
    return RunPlan{.file = std::move(*file),
                   .runFile = briefing.runFile,
                   .state = std::move(record->state),
                   .epoch = briefing.epoch,
                   .opening = {},
                   .directory = std::move(directory),
                   .elapsed = record->lastElapsed + since,
                   .started = std::move(record->started),
                   .term = term};
}

Briefing placedBriefing(Briefing briefing, const RecordPlace& record)
{
    briefing.runFile = record.path;
    return briefing;
}

FarmOptions placedOptions(FarmOptions options, const Briefing& briefing)
{
    options.runFile = briefing.runFile;
    if (options.cpsLog)
        options.cpsLog = (std::filesystem::path(briefing.directory) / *options.cpsLog).string();
    return options;
}

} // namespace tasuki
