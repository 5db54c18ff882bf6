// SPDX-License-Identifier: GPL-3.0-or-later
#include "randomoperator.h"

#include <algorithm>
#include <utility>

namespace tasuki::farm::testing {

namespace {

const std::set<TaskState> anyState{TaskState::Queued, TaskState::Running,  TaskState::Succeeded,
                                   TaskState::Failed, TaskState::Skipped,  TaskState::Removed,
                                   TaskState::Held,   TaskState::Cancelled};
const std::set<TaskState> finalStates{TaskState::Succeeded, TaskState::Failed, TaskState::Skipped,
                                      TaskState::Cancelled};

/// Messages take up to a second, as long as nobody is paused.
constexpr std::chrono::milliseconds onItsWay{1'500};

std::string words(TaskId id) { return "task " + std::to_string(id.value()); }

template <class Kind>
const Kind* about(const Event& event, TaskId id)
{
    const Kind* payload = std::get_if<Kind>(&event.payload);
    if constexpr (requires { payload->key; })
        return payload && payload->key.task == id ? payload : nullptr;
    else
        return payload && payload->id == id ? payload : nullptr;
}

} // namespace

void RandomOperator::follow(Master& master, const RunState& state)
{
    m_master = &master;
    m_state = &state;
    for (const auto& given : m_given)
        given->unheard = given->unheard || given->answers == 0;
    m_peeks.clear();
}

void RandomOperator::act()
{
    switch (below(16)) {
    case 0:
    case 1: give(CancelTasks{someTargets(3, {TaskState::Queued, TaskState::Held})}); break;
    case 2: give(CancelTasks{someTargets(2, {TaskState::Running})}); break;
    case 3: give(CancelTasks{someTargets(4, anyState)}); break;
    case 4:
    case 5: give(HoldTasks{someTargets(20, {TaskState::Queued})}); break;
    case 6: give(HoldTasks{someTargets(3, anyState)}); break;
    case 7:
    case 8: give(ReleaseTasks{someTargets(10, {TaskState::Held})}); break;
    case 9:
    case 10:
    case 11: give(someEdits()); break;
    case 12: give(RepeatTasks{someTargets(3, finalStates)}); break;
    case 13: give(someTasks()); break;
    case 14: peek(); break;
    default:
        if (m_mayStop && below(4) == 0)
            give(StopRun{.kill = below(2) == 0});
        else
            peek();
    }
}

void RandomOperator::wrapUp()
{
    const bool pending = std::ranges::any_of(
        m_given, [](const auto& given) { return given->answers == 0 && !given->unheard; });
    if (pending || m_master->phase() != Master::Phase::Running)
        return;
    if (m_state->count(TaskState::Held) != 0)
        give(ReleaseTasks{someTargets(1'000'000, {TaskState::Held})});
    else if (m_state->unfinished() == 0)
        give(StopRun{});
}

void RandomOperator::give(OperatorCommand command)
{
    auto given = std::make_shared<Given>(Given{.command = std::move(command)});
    m_given.push_back(given);
    m_master->operate("operator", given->command,
                      [this, given](const CommandAnswer& answer) { answered(*given, answer); });
}

void RandomOperator::peek()
{
    const auto targets = someTargets(1, {TaskState::Running});
    if (targets.empty() || targets.front().id.value() >= m_state->tasks().size())
        return;
    const AttemptKey key{targets.front().id,
                         AttemptNumber(m_state->task(targets.front().id).attempts)};
    auto answers = std::make_shared<int>(0);
    m_peeks.push_back(answers);
    m_master->peek({.key = key}, [this, key, answers](const OutputAnswer& answer) {
        ++*answers;
        m_peeked += answer.known ? 1U : 0U;
        if (answer.key != key)
            complain("the output of another attempt is told");
    });
}

void RandomOperator::answered(Given& given, const CommandAnswer& answer)
{
    if (++given.answers != 1)
        complain("a command is answered twice");
    if (answer.accepted != answer.reason.empty())
        complain("an answer that contradicts itself");
    if (const auto* edit = std::get_if<EditTasks>(&given.command))
        checkEdits(*edit, answer.accepted);
    if (!answer.accepted)
        return;
    ++m_accepted[given.command.index()];
    if (const auto* hold = std::get_if<HoldTasks>(&given.command))
        // What was held already may be skipped while the others are called back.
        checkState(hold->targets, answer, {TaskState::Held, TaskState::Skipped});
    if (const auto* release = std::get_if<ReleaseTasks>(&given.command))
        checkState(release->targets, answer, {TaskState::Queued});
    if (const auto* repeat = std::get_if<RepeatTasks>(&given.command))
        checkState(repeat->targets, answer, {TaskState::Queued});
    if (std::holds_alternative<StopRun>(given.command) && m_stoppedAt == EventId{})
        m_stoppedAt = m_state->lastEvent();
    const auto* cancel = std::get_if<CancelTasks>(&given.command);
    if (!cancel)
        return;
    checkState(cancel->targets, answer, anyState);
    for (const TaskTarget& target : cancel->targets) {
        if (std::ranges::count(answer.conflicts, target.id, &TaskConflict::id))
            continue;
        m_doomed.push_back({target.id, m_state->lastEvent()});
        m_stopped += m_state->task(target.id).state == TaskState::Cancelled ? 0U : 1U;
    }
}

/// What was done has been applied when it is answered.
void RandomOperator::checkState(const std::vector<TaskTarget>& targets, const CommandAnswer& answer,
                                const std::set<TaskState>& states)
{
    for (const TaskTarget& target : targets) {
        if (std::ranges::count(answer.conflicts, target.id, &TaskConflict::id))
            continue;
        if (target.id.value() >= m_state->tasks().size())
            complain("a command is accepted for a task that does not exist");
        else if (!states.contains(m_state->task(target.id).state))
            complain(words(target.id) + " is "
                     + std::string(taskStateName(m_state->task(target.id).state))
                     + " after a command was accepted");
    }
}

/// Edits have commands that nothing else has.
void RandomOperator::checkEdits(const EditTasks& command, bool accepted)
{
    for (const TaskEdit& edit : command.edits) {
        if (edit.target.id.value() >= m_state->tasks().size())
            continue;
        if ((m_state->task(edit.target.id).task.command == edit.command) != accepted)
            complain(words(edit.target.id) + " is not what the answer to its edit says");
    }
}

std::string RandomOperator::check(const std::vector<Event>& record, bool masterEnded)
{
    for (const auto& given : m_given) {
        if (given->answers == 0 && !given->unheard && masterEnded)
            complain("a command is not answered");
    }
    for (const auto& answers : m_peeks) {
        if (*answers > 1 || (*answers == 0 && masterEnded))
            complain("a question for output is answered " + std::to_string(*answers) + " times");
    }
    for (const Doomed& doomed : m_doomed)
        checkDoomed(doomed, record, masterEnded);
    checkStopped(record);
    return m_complaint;
}

void RandomOperator::checkDoomed(const Doomed& doomed, const std::vector<Event>& record,
                                 bool masterEnded)
{
    for (const Event& event : record) {
        if (event.id <= doomed.since)
            continue;
        if (about<TaskReopened>(event, doomed.id))
            return;
        const auto* finished = about<AttemptFinished>(event, doomed.id);
        if (finished && finished->disposition != Disposition::Final)
            complain(words(doomed.id) + " is tried again although it was cancelled");
    }
    if (masterEnded && !finalStates.contains(m_state->task(doomed.id).state))
        complain(words(doomed.id) + " was cancelled and has no end");
}

/// Once it was answered that the run ends nothing begins any more, whoever is master: but for what was
/// on its way.
void RandomOperator::checkStopped(const std::vector<Event>& record)
{
    const auto stopped = std::ranges::find(record, m_stoppedAt, &Event::id);
    if (stopped == record.end())
        return;
    for (auto event = stopped; event != record.end(); ++event) {
        const auto* started = std::get_if<AttemptStarted>(&event->payload);
        const auto* finished = std::get_if<AttemptFinished>(&event->payload);
        const WallTime begun = started ? started->startedAt
            : finished                 ? finished->result.startedAt
                                       : WallTime{};
        if (begun > stopped->wallTime + onItsWay)
            complain("an attempt begins after the run was to end");
    }
}

/// @return tasks in one of the states, mostly as they are; and now and then one that is unknown
std::vector<TaskTarget> RandomOperator::someTargets(std::uint32_t most,
                                                    const std::set<TaskState>& states)
{
    std::vector<TaskTarget> targets;
    const auto count = static_cast<std::uint32_t>(m_state->tasks().size());
    if (count == 0)
        return targets;
    const std::uint32_t first = below(count);
    const std::uint32_t wanted = most > count ? count : 1 + below(most);
    for (std::uint32_t i = 0; i < count && targets.size() < wanted; ++i) {
        const TaskId id((first + i) % count);
        if (states.contains(m_state->task(id).state) && (most > count || below(3) != 0))
            targets.push_back({id, m_state->task(id).revision});
    }
    if (most < count && below(30) == 0)
        targets.push_back({TaskId(count + below(3)), Revision(1)});
    return targets;
}

AddTasks RandomOperator::someTasks()
{
    AddTasks added{.text = {}, .name = "added"};
    for (std::uint32_t count = 1 + below(5); count > 0; --count) {
        if (below(6) == 0)
            added.text += "#TASUKI barrier\n";
        if (below(4) == 0)
            added.text += "#TASUKI after=l" + std::to_string(10 * below(20) + 3) + "\n";
        if (below(4) == 0)
            added.text += "#TASUKI retries=" + std::to_string(below(3)) + "\n";
        added.text += "added " + std::to_string(++m_serial) + '\n';
    }
    if (below(10) == 0)
        added.text += "echo 'open\n";
    return added;
}

EditTasks RandomOperator::someEdits()
{
    EditTasks command;
    for (TaskTarget& target : someTargets(5, {TaskState::Queued, TaskState::Held})) {
        TaskSettings settings;
        settings.retries.allowed[0] = static_cast<std::uint16_t>(below(4));
        if (below(30) == 0)
            target.base = Revision(target.base.value() - 1);
        command.edits.push_back({target, "edit " + m_name + ' ' + std::to_string(++m_serial),
                                 std::make_shared<const TaskSettings>(settings)});
    }
    return command;
}

void RandomOperator::complain(const std::string& what)
{
    if (m_complaint.empty())
        m_complaint = what;
}

} // namespace tasuki::farm::testing
