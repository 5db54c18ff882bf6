// SPDX-License-Identifier: GPL-3.0-or-later
#include "operations.h"

#include "taskscope.h"

#include "tasklist/tasklistreader.h"
#include "tasklist/tasklistwriter.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace tasuki::farm {

namespace {

Phrase tasksText(std::size_t count)
{
    return (count == 1 ? Phrase::tr("%1 task") : Phrase::tr("%1 tasks"))(count);
}

/// @return what a task list would say against a task, apart from its place
Result<void> checkTask(Task task, const TaskListDefaults& defaults)
{
    task.stage = 0;
    task.position = 0;
    task.line = 0;
    task.links.reset();
    const Result<std::string> text = writeTaskList(std::span(&task, 1), defaults);
    if (!text)
        return text.error();
    return {};
}

EarlierTasks earlierTasks(const RunState& state)
{
    EarlierTasks earlier;
    earlier.count = static_cast<std::uint32_t>(state.tasks().size());
    for (std::uint32_t i = 0; i < earlier.count; ++i) {
        const TaskRecord& record = state.tasks()[i];
        if (record.state == TaskState::Removed)
            continue;
        earlier.stage = std::max(earlier.stage, record.task.stage);
        if (record.task.links && !record.task.links->label.empty())
            earlier.labels[record.task.links->label].emplace_back(i);
    }
    return earlier;
}

constexpr PhrasePattern noHierarchy = Phrase::tr("this run has no hierarchy");

bool waits(TaskState state) { return state == TaskState::Queued || state == TaskState::Held; }

/// Why a task that is neither queued nor held does not fit a command for those.
ConflictCause whyNotWaiting(TaskState state)
{
    switch (state) {
    case TaskState::Running: return ConflictCause::Started;
    case TaskState::Removed: return ConflictCause::Removed;
    default: return ConflictCause::Finished;
    }
}

} // namespace

Operations::Operations(const RunState& state, Scheduler& scheduler, Journal& journal,
                       TaskListDefaults defaults, Hooks hooks)
    : m_state(state),
      m_scheduler(scheduler),
      m_journal(journal),
      m_defaults(std::move(defaults)),
      m_hooks(std::move(hooks))
{}

void Operations::request(std::string who, OperatorCommand command, Reply reply)
{
    m_waiting.push_back({std::move(who), std::move(command), std::move(reply)});
}

void Operations::goOnCancelling(std::string who)
{
    CancelTasks command;
    for (std::uint32_t i = 0; i < m_state.tasks().size(); ++i) {
        if (m_state.tasks()[i].cancelling)
            command.targets.push_back({TaskId(i), m_state.tasks()[i].revision});
    }
    if (!command.targets.empty())
        m_waiting.push_front({.who = std::move(who),
                              .command = std::move(command),
                              .reply = [](const CommandAnswer&) {},
                              .promised = true});
}

void Operations::poll()
{
    if (m_step != Step::Idle || m_waiting.empty())
        return;
    Request next = std::move(m_waiting.front());
    m_waiting.pop_front();
    begin(std::move(next));
}

void Operations::begin(Request request)
{
    m_work = {};
    m_work.request = std::move(request);
    Phrase reason = m_hooks.refusal(m_work.request.command);
    if (!m_work.request.promised && !reason.empty()) {
        refuse(std::move(reason));
        return;
    }
    std::visit([this](const auto& command) { begin(command); }, m_work.request.command);
}

void Operations::begin(const AddTasks& command)
{
    EarlierTasks earlier = earlierTasks(m_state);
    earlier.lines = command.firstLine - 1;
    TaskListParse parse = parseTaskList(command.text, command.name, m_defaults, earlier);
    if (!parse.usable()) {
        std::vector<std::string> lines;
        lines.reserve(parse.diagnostics.size());
        for (const Diagnostic& diagnostic : parse.diagnostics)
            lines.push_back(diagnostic.text());
        const auto error = std::ranges::find_if(parse.diagnostics, &Diagnostic::isError);
        refuse("the tasks cannot be added: " + error->text(), std::move(lines));
        return;
    }
    auto id = static_cast<std::uint32_t>(m_state.tasks().size());
    for (Task& task : parse.tasks) {
        task.line = 0; // of no list: no later list removes it
        m_work.tasks.emplace_back(id);
        record(TaskAdded{TaskId(id++), std::move(task)});
    }
    closeRecord(Phrase::tr("added %1")(tasksText(m_work.tasks.size())));
}

void Operations::begin(const EditTasks& command)
{
    std::vector<TaskTarget> targets;
    for (const TaskEdit& edit : command.edits)
        targets.push_back(edit.target);
    take(targets, [](TaskState state) {
        return waits(state) ? std::nullopt : std::optional(whyNotWaiting(state));
    });
    if (!m_work.conflicts.empty()) {
        refuse(Phrase::tr("the tasks are no longer as they were when the edit was made"));
        return;
    }
    for (const TaskEdit& edit : command.edits) {
        Task task = m_state.task(edit.target.id).task;
        task.command = edit.command;
        task.settings = edit.settings;
        if (const Result<void> checked = checkTask(std::move(task), m_defaults); !checked) {
            refuse("task " + std::to_string(edit.target.id.value()) + ": "
                   + checked.error().text());
            return;
        }
    }
    if (!nothingLeft())
        withdraw();
}

void Operations::begin(const CancelTasks& command)
{
    take(command.targets, [](TaskState state) {
        return waits(state) || state == TaskState::Running ? std::nullopt
                                                           : std::optional(whyNotWaiting(state));
    });
    if (!nothingLeft())
        withdraw();
}

void Operations::begin(const HoldTasks& command)
{
    take(command.targets, [](TaskState state) {
        return waits(state) ? std::nullopt : std::optional(whyNotWaiting(state));
    });
    // What is held already needs nothing.
    std::erase_if(m_work.tasks, [this](TaskId id) { return m_work.held.contains(id); });
    if (!nothingLeft())
        withdraw();
}

void Operations::begin(const ReleaseTasks& command)
{
    take(command.targets, [](TaskState state) {
        return state == TaskState::Held ? std::nullopt : std::optional(ConflictCause::NotHeld);
    });
    keepParked();
    if (nothingLeft())
        return;
    for (const TaskId id : m_work.tasks)
        record(TaskReleased{id});
    closeRecord(Phrase::tr("released %1")(tasksText(m_work.tasks.size())));
}

void Operations::begin(const RepeatTasks& command)
{
    take(command.targets, [](TaskState state) {
        if (isFinal(state))
            return std::optional<ConflictCause>();
        return std::optional(state == TaskState::Removed ? ConflictCause::Removed
                                                         : ConflictCause::NotFinished);
    });
    if (nothingLeft())
        return;
    m_work.tasks = withSkippedDependents(withEndedRanks(std::move(m_work.tasks)));
    for (const TaskId id : m_work.tasks)
        record(TaskReopened{id});
    closeRecord(Phrase::tr("wants %1 to be done again")(tasksText(m_work.tasks.size())));
}

void Operations::begin(const StopRun& command)
{
    m_hooks.stopRun(command.kill); // that is recorded first: with the notice it is promised
    closeRecord(command.kill ? Phrase::tr("ends the run and kills what runs")
                             : Phrase::tr("ends the run"));
}

void Operations::begin(const AcknowledgeAlarms& command)
{
    std::set<EventId> wanted;
    for (const AlarmTarget& target : command.targets) {
        const Alarm* const alarm = m_state.alarms().find(target.alarm);
        if (!alarm) {
            refuse("event " + eventIdText(target.alarm) + " has raised no alarm");
            return;
        }
        const auto& seen = alarm->acknowledgement;
        if ((seen ? seen->event : EventId{}) != target.base)
            m_work.alarms.push_back(target.alarm);
        else
            wanted.insert(target.alarm);
    }
    if (wanted.empty() && m_work.alarms.empty()) {
        refuse(Phrase::tr("no alarm was named"));
        return;
    }
    if (wanted.empty()) {
        const EventId first = m_work.alarms.front();
        refuse("alarm " + eventIdText(first) + " has been acknowledged meanwhile by "
               + m_state.alarms().find(first)->acknowledgement->who
               + (m_work.alarms.size() == 1 ? "" : ", and the others too"));
        return;
    }
    // Each says who it was: no notice is needed.
    for (const EventId alarm : wanted)
        m_work.last = m_journal.append(AlarmAcknowledged{.alarm = alarm,
                                                         .who = m_work.request.who,
                                                         .comment = command.comment,
                                                         .until = command.until});
    m_step = Step::Committing;
}

void Operations::begin(const DrainProcessor&) { giveOrder(); }
void Operations::begin(const StopProcessor&) { giveOrder(); }
void Operations::begin(const PromoteProcessor&) { giveOrder(); }
void Operations::begin(const ChangeTopology&) { giveOrder(); }
void Operations::begin(const ChangeRole&) { giveOrder(); }

/// What the system of processors is asked for is answered by the system.
void Operations::giveOrder()
{
    if (!m_hooks.order) {
        refuse(noHierarchy);
        return;
    }
    m_step = Step::Ordering;
    const auto answered = [this, number = ++m_orders](Result<SystemOutcome> outcome) {
        if (m_step != Step::Ordering || number != m_orders)
            return; // the command was refused meanwhile
        if (!outcome) {
            refuse(outcome.error().phrase());
            return;
        }
        for (EventPayload& event : outcome->events)
            record(std::move(event));
        closeRecord(outcome->what);
    };
    m_hooks.order(m_work.request.command, m_work.request.who, answered);
}

/// Sorts targets into those that fit and conflicts.
void Operations::take(const std::vector<TaskTarget>& targets, const Fit& fit)
{
    std::set<TaskId> seen;
    for (const TaskTarget& target : targets) {
        if (!seen.insert(target.id).second)
            continue;
        std::optional<ConflictCause> cause;
        if (target.id.value() >= m_state.tasks().size()) {
            cause = ConflictCause::Unknown;
        } else {
            const TaskRecord& record = m_state.task(target.id);
            cause = fit(record.state);
            if (!cause && record.revision != target.base)
                cause = ConflictCause::Changed;
            if (record.state == TaskState::Held)
                m_work.held.insert(target.id);
        }
        if (cause)
            m_work.conflicts.push_back({target.id, *cause});
        else
            m_work.tasks.push_back(target.id);
    }
}

/// Ends a command that would change nothing.
/// @return whether it did
bool Operations::nothingLeft()
{
    if (!m_work.tasks.empty())
        return false;
    if (m_work.conflicts.empty() && m_work.held.empty()) {
        refuse(Phrase::tr("no task was named"));
    } else if (m_work.conflicts.empty()) {
        answer({.accepted = true, .reason = {}, .details = {}, .conflicts = {}});
    } else {
        const TaskConflict& first = m_work.conflicts.front();
        refuse("task " + std::to_string(first.id.value()) + ' '
               + std::string(conflictText(first.cause))
               + (m_work.conflicts.size() == 1 ? "" : ", and none of the others fits either"));
    }
    return true;
}

/// Parks the tasks and calls back what worker groups hold. To be called again when that has been
/// answered, and when ends are in the record: an attempt that ran before may have ended, and its
/// task be waiting or at another worker group.
void Operations::withdraw()
{
    m_step = Step::Withdrawing;
    m_work.ending = false;
    for (const TaskId id : m_work.tasks) {
        const auto held = m_scheduler.held(id);
        if (held && isKept(held->first, held->second))
            continue;
        const Parking parking = m_scheduler.park(id);
        m_work.ending = m_work.ending || parking == Parking::Ending;
        if (parking == Parking::Awaited)
            m_work.asked[held->first].push_back(held->second);
    }
    for (const auto& [group, keys] : m_work.asked)
        m_hooks.send(group, Withdraw{keys});
    if (m_work.asked.empty() && !m_work.ending)
        recordWithdrawn();
}

bool Operations::isKept(GroupId group, AttemptKey key) const
{
    const auto found = m_work.kept.find(group);
    return found != m_work.kept.end() && found->second.contains(key);
}

void Operations::withdrawn(GroupId group, const Withdrawn& message)
{
    const auto found = m_work.asked.find(group);
    if (m_step != Step::Withdrawing || found == m_work.asked.end())
        return;
    m_scheduler.withdrawn(group, found->second, message.keys);
    m_work.kept[group].insert(found->second.begin(), found->second.end());
    m_work.asked.erase(found);
    if (m_work.asked.empty())
        withdraw();
}

void Operations::groupLost(GroupId group)
{
    m_work.kept.erase(group);
    if (m_step == Step::Withdrawing && m_work.asked.erase(group) != 0 && m_work.asked.empty())
        withdraw();
}

void Operations::groupResynced(GroupId group)
{
    m_work.kept.erase(group);
    if (m_step != Step::Withdrawing)
        return;
    if (const auto asked = m_work.asked.find(group); asked != m_work.asked.end())
        m_hooks.send(group, Withdraw{asked->second});
}

/// Precondition: every task that could be had is parked.
void Operations::recordWithdrawn()
{
    const OperatorCommand& command = m_work.request.command;
    if (const auto* edit = std::get_if<EditTasks>(&command))
        recordEdits(*edit);
    else if (std::holds_alternative<CancelTasks>(command))
        recordCancels();
    else
        recordHolds();
}

void Operations::recordEdits(const EditTasks& command)
{
    keepParked();
    if (!m_work.conflicts.empty()) {
        for (const TaskId id : m_work.tasks) {
            if (!m_work.held.contains(id))
                m_scheduler.unpark(id);
        }
        refuse(Phrase::tr("a task has started or finished before it could be changed"));
        return;
    }
    for (const TaskEdit& edit : command.edits) {
        Task task = m_state.task(edit.target.id).task;
        task.command = edit.command;
        task.settings = edit.settings;
        record(TaskChanged{edit.target.id, std::move(task)});
    }
    closeRecord(Phrase::tr("changed %1")(tasksText(m_work.tasks.size())));
}

void Operations::recordCancels()
{
    std::vector<TaskId> parked;
    std::size_t running = 0;
    for (const TaskId id : m_work.tasks) {
        if (m_scheduler.isParked(id)) {
            parked.push_back(id);
            record(TaskCancelled{id});
        } else if (const auto held = m_scheduler.held(id)) {
            ++running;
            m_scheduler.condemn(id);
            if (!m_state.task(id).cancelling)
                record(TaskCancelling{id});
            m_work.stops[held->first].push_back(held->second);
        } else {
            m_work.conflicts.push_back({id, ConflictCause::Finished});
        }
    }
    if (parked.empty() && running == 0) {
        m_work.tasks.clear();
        nothingLeft();
        return;
    }
    m_scheduler.cancel(parked);
    for (const auto& [group, keys] : m_work.stops)
        m_hooks.send(group, Stop{.keys = keys});
    closeRecord((m_work.request.promised
                     ? Phrase::tr("goes on with cancelling %1")
                     : Phrase::tr("cancelled %1"))(tasksText(parked.size() + running)));
    m_hooks.recordSkipped();
}

void Operations::recordHolds()
{
    keepParked();
    if (nothingLeft())
        return;
    for (const TaskId id : m_work.tasks)
        record(TaskHeld{id});
    closeRecord(Phrase::tr("holds %1")(tasksText(m_work.tasks.size())));
}

void Operations::keepParked()
{
    std::erase_if(m_work.tasks, [this](TaskId id) {
        if (m_scheduler.isParked(id))
            return false;
        const bool runs = m_scheduler.held(id).has_value();
        m_work.conflicts.push_back({id, runs ? ConflictCause::Started : ConflictCause::Finished});
        return true;
    });
}

void Operations::record(EventPayload payload) { m_journal.append(std::move(payload)); }

/// Ends what a command records with a notice, whose commit completes the command.
/// @param what  completes "ann ...": what the operator does
void Operations::closeRecord(const Phrase& what)
{
    m_work.last = m_journal.append(Notice{.severity = Severity::Information,
                                          .text = Phrase::tr("%1 %2")(m_work.request.who, what)});
    m_step = Step::Committing;
}

void Operations::committed(EventId id)
{
    if (m_step == Step::Committing && id == m_work.last)
        finish();
}

void Operations::recorded()
{
    if (m_step == Step::Withdrawing && m_work.ending && m_work.asked.empty())
        withdraw();
}

void Operations::finish()
{
    const OperatorCommand& command = m_work.request.command;
    std::optional<AddedTasks> added;
    if (std::holds_alternative<AddTasks>(command)) {
        added = AddedTasks{.first = m_work.tasks.front(),
                           .count = static_cast<std::uint32_t>(m_work.tasks.size()),
                           .recorded = m_work.last};
        for (const TaskId id : m_work.tasks) {
            const Task& task = m_state.task(id).task;
            m_work.added.push_back({.stage = task.stage,
                                    .position = task.position,
                                    .budget = task.settings->retries,
                                    .after = prerequisitesOf(task)});
        }
        m_scheduler.extend(m_work.added);
    } else if (std::holds_alternative<EditTasks>(command)) {
        for (const TaskId id : m_work.tasks) {
            m_scheduler.setBudget(id, m_state.task(id).task.settings->retries);
            if (!m_work.held.contains(id))
                m_scheduler.unpark(id);
        }
    } else if (std::holds_alternative<ReleaseTasks>(command)) {
        for (const TaskId id : m_work.tasks)
            m_scheduler.unpark(id);
    } else if (std::holds_alternative<RepeatTasks>(command)) {
        m_scheduler.reopen(m_work.tasks);
    }
    m_hooks.recordSkipped();
    answer({.accepted = true,
            .reason = {},
            .details = {},
            .conflicts = std::move(m_work.conflicts),
            .alarms = std::move(m_work.alarms),
            .added = std::move(added)});
}

void Operations::refuse(Phrase reason, std::vector<std::string> details)
{
    answer({.accepted = false,
            .reason = std::move(reason),
            .details = std::move(details),
            .conflicts = std::move(m_work.conflicts),
            .alarms = std::move(m_work.alarms)});
}

void Operations::answer(CommandAnswer answer)
{
    m_step = Step::Idle;
    const Reply reply = std::move(m_work.request.reply);
    m_work = {};
    reply(std::move(answer));
}

void Operations::abandon(const Phrase& reason)
{
    if (m_step != Step::Idle)
        refuse(reason);
}

void Operations::refuseAll(const Phrase& reason)
{
    for (const Request& request : std::exchange(m_waiting, {}))
        request.reply({.accepted = false, .reason = reason, .details = {}, .conflicts = {}});
}

/// @return the tasks and, of their worlds, those that have ended; ascending
std::vector<TaskId> Operations::withEndedRanks(std::vector<TaskId> tasks) const
{
    tasks = wholeWorlds(m_state, std::move(tasks));
    std::erase_if(tasks, [this](TaskId id) { return !isFinal(m_state.task(id).state); });
    return tasks;
}

/// @return the tasks and what was skipped because of them, directly or not; ascending
std::vector<TaskId> Operations::withSkippedDependents(std::vector<TaskId> tasks) const
{
    Gates gates; // of skipped tasks alone
    for (std::uint32_t i = 0; i < m_state.tasks().size(); ++i) {
        const TaskRecord& record = m_state.tasks()[i];
        if (record.state != TaskState::Skipped || !record.task.links)
            continue;
        for (const SharedGroup& group : record.task.links->after.groups())
            gates.addDependent(group, TaskId(i));
    }
    std::set<TaskId> all;
    while (!tasks.empty()) {
        const TaskId id = tasks.back();
        tasks.pop_back();
        if (!all.insert(id).second)
            continue;
        gates.visitOf(id, [&tasks](Gate& gate) {
            if (!std::exchange(gate.spent, true))
                tasks.insert(tasks.end(), gate.dependents.begin(), gate.dependents.end());
        });
    }
    return {all.begin(), all.end()};
}

} // namespace tasuki::farm
