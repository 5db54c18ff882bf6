// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtables.h"

#include "linetext.h"
#include "systemtext.h"

#include "domain/rankname.h"
#include "domain/visibletext.h"

#include <algorithm>
#include <array>

namespace tasuki {

namespace {

constexpr std::size_t longestCommandShown = 100;

std::string endText(const AttemptSummary& attempt)
{
    if (!attempt.ended)
        return "running";
    switch (attempt.outcome) {
    case Outcome::Succeeded: return "exit 0";
    case Outcome::Failed: return "exit " + std::to_string(attempt.code);
    case Outcome::Signalled: return "signal " + std::to_string(attempt.code);
    default: return std::string(outcomeName(attempt.outcome));
    }
}

/// In a column with that heading: the number alone, where it says which.
std::string rankCell(const SystemState& system, Rank rank)
{
    return system.subclusters().size() > 1 ? rankName(system, rank) : std::to_string(rank.value());
}

std::size_t rankWidth(const SystemState& system)
{
    std::size_t width = 5;
    if (system.subclusters().size() < 2)
        return width;
    for (const SystemSubcluster& subcluster : system.subclusters()) {
        const SeatLabel last{.subcluster = subcluster.info.name,
                             .kind = SeatKind::Active,
                             .index = std::max(subcluster.info.active, 1U) - 1};
        width = std::max(width, seatName(last).size());
    }
    return width;
}

std::string rightIn(const std::string& text, std::size_t width)
{
    return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

std::string keyText(AttemptKey key)
{
    return "task " + std::to_string(key.task.value()) + " attempt "
        + std::to_string(key.number.value());
}

struct Describe {
    const SystemState& system;

    std::string operator()(const RunOpened& e) const
    {
        return "on " + e.host + ", " + std::to_string(e.processors) + " processors, in "
            + e.directory + (e.taskList.empty() ? "" : ", list " + e.taskList);
    }
    std::string operator()(const TaskAdded& e) const
    {
        return "task " + std::to_string(e.id.value()) + ": "
            + oneLine(e.task.command, longestCommandShown);
    }
    std::string operator()(const TaskChanged& e) const
    {
        return "task " + std::to_string(e.id.value()) + ": "
            + oneLine(e.task.command, longestCommandShown);
    }
    std::string operator()(const TaskRemoved& e) const { return taskText(e.id); }
    std::string operator()(const TaskReopened& e) const { return taskText(e.id); }
    std::string operator()(const TaskHeld& e) const { return taskText(e.id); }
    std::string operator()(const TaskReleased& e) const { return taskText(e.id); }
    std::string operator()(const TaskCancelled& e) const { return taskText(e.id); }
    std::string operator()(const TaskCancelling& e) const { return taskText(e.id); }
    std::string operator()(const TaskSkipped& e) const
    {
        return taskText(e.id) + " because of task " + std::to_string(e.because.value());
    }
    std::string operator()(const ProcessorJoined& e) const
    {
        return rankName(system, e.rank) + " incarnation " + std::to_string(e.incarnation.value())
            + " on " + e.host + ", pid " + std::to_string(e.pid) + ", " + std::to_string(e.slots)
            + " slots";
    }
    std::string operator()(const ProcessorLost& e) const
    {
        constexpr std::array<const char*, 3> causes{"gone", "silent", "left"};
        return rankName(system, e.rank) + " incarnation " + std::to_string(e.incarnation.value())
            + ": " + causes.at(static_cast<std::size_t>(e.cause));
    }
    std::string operator()(const AttemptStarted& e) const
    {
        return keyText(e.key) + " on " + rankName(system, e.rank) + " slot "
            + std::to_string(e.slot.value());
    }
    std::string operator()(const AttemptFinished& e) const
    {
        constexpr std::array<const char*, 3> dispositions{"", ", will be tried again",
                                                          ", goes back into the queue"};
        return keyText(e.key) + " on " + rankName(system, e.rank) + ": "
            + std::string(outcomeName(e.result.outcome))
            + formatted(" (%d) after %.3f s", e.result.code, secondsOf(e.result.elapsed))
            + dispositions.at(static_cast<std::size_t>(e.disposition));
    }
    std::string operator()(const Notice& e) const { return e.text.text(); }
    std::string operator()(const RunClosed& e) const
    {
        return (e.end == RunEnd::Complete ? "complete" : "interrupted")
            + formatted(" after %.3f s", secondsOf(e.elapsed));
    }
    template <class Payload>
    std::string operator()(const Payload& e) const
    {
        return systemText(e, system);
    }

private:
    static std::string taskText(TaskId id) { return "task " + std::to_string(id.value()); }
};

} // namespace

std::string taskTableHeading(const SystemState& system)
{
    return "   task   line state      att.   seconds " + rightIn("rank", rankWidth(system))
        + " end            command\n";
}

std::string taskTableRow(const RunHistory& history, TaskId id)
{
    const TaskRecord& record = history.state().task(id);
    const AttemptSummary* const attempt = history.latest(id);
    const SystemState& system = history.state().system();
    std::string row = formatted("%7u %6llu %-10s %4u ", id.value(),
                                static_cast<unsigned long long>(record.task.line),
                                std::string(taskStateName(record.state)).c_str(), record.attempts);
    if (attempt != nullptr) {
        row += formatted("%9.3f ", secondsOf(attempt->elapsed))
            + rightIn(visible(rankCell(system, attempt->rank)), rankWidth(system))
            + formatted(" %-14s ", endText(*attempt).c_str());
    } else {
        row += formatted("%9s ", "-") + rightIn("-", rankWidth(system)) + formatted(" %-14s ", "-");
    }
    return row + oneLine(record.task.command, longestCommandShown) + '\n';
}

std::string joblogHeading()
{
    return "Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand\n";
}

std::string joblogRow(const RunHistory& history, const AttemptSummary& attempt)
{
    const double started =
        std::chrono::duration<double>(attempt.startedAt.time_since_epoch()).count();
    const bool signalled = attempt.outcome == Outcome::Signalled;
    // As GNU Parallel has it: -1 where there was no exit status.
    const int exitValue = attempt.outcome == Outcome::Succeeded ? 0
        : attempt.outcome == Outcome::Failed                    ? attempt.code
        : signalled                                             ? 0
                                                                : -1;
    const std::string& host = history.hostName(attempt.host);
    return std::to_string(attempt.key.task.value() + 1U) + '\t' + (host.empty() ? ":" : host)
        + formatted("\t%.3f\t%10.3f\t0\t%llu\t%d\t%d\t", started, secondsOf(attempt.elapsed),
                    static_cast<unsigned long long>(attempt.standardOutputBytes), exitValue,
                    signalled ? attempt.code : 0)
        + history.state().task(attempt.key.task).task.command + '\n';
}

std::string attemptDetails(const RunHistory& history, const AttemptSummary& attempt)
{
    std::string text = "attempt " + std::to_string(attempt.key.number.value()) + ": "
        + endText(attempt) + '\n';
    text += "  " + visible(rankName(history.state().system(), attempt.rank)) + " slot "
        + std::to_string(attempt.slot.value()) + " on " + visible(history.hostName(attempt.host))
        + '\n';
    if (attempt.startedAt != WallTime{})
        text += "  started " + localTime(attempt.startedAt) + '\n';
    if (attempt.ended) {
        text += formatted("  ran %.3f s, user %.3f s, system %.3f s, at most %llu KiB resident\n",
                          secondsOf(attempt.elapsed), secondsOf(attempt.usage.user),
                          secondsOf(attempt.usage.system),
                          static_cast<unsigned long long>(attempt.usage.maxResidentKiB));
    }
    return text;
}

std::string eventLine(const Event& event, const SystemState& system)
{
    return formatted("%u.%llu ", event.id.epoch.value(),
                     static_cast<unsigned long long>(event.id.sequence.value()))
        + localTime(event.wallTime) + "  "
        + formatted("%-17s ", std::string(eventKindName(event.payload)).c_str())
        + visible(eventText(event, system), Breaks::Blanks) + '\n';
}

std::string eventText(const Event& event, const SystemState& system)
{
    return std::visit(Describe{system}, event.payload);
}

std::string runSummary(const RunHistory& history)
{
    const RunState& state = history.state();
    std::string text;
    for (const TaskState kind :
         {TaskState::Succeeded, TaskState::Failed, TaskState::Skipped, TaskState::Cancelled,
          TaskState::Running, TaskState::Queued, TaskState::Held, TaskState::Removed}) {
        if (state.count(kind) != 0) {
            text += (text.empty() ? "" : ", ") + std::to_string(state.count(kind)) + ' '
                + std::string(taskStateName(kind));
        }
    }
    text = text.empty() ? "no tasks" : text;
    text += "; epoch " + std::to_string(state.lastEvent().epoch.value());
    if (!state.closed())
        return text + ", goes on or was killed\n";
    return text + (state.closed()->end == RunEnd::Complete ? ", complete" : ", interrupted")
        + formatted(" after %.3f s\n", secondsOf(state.closed()->elapsed));
}

} // namespace tasuki
