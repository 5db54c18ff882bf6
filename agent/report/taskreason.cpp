// SPDX-License-Identifier: GPL-3.0-or-later
#include "taskreason.h"

#include "domain/rankname.h"
#include "domain/visibletext.h"

#include <algorithm>
#include <cstring>

namespace tasuki {

namespace {

using Kind = TaskReason::Kind;

std::string number(TaskId id) { return std::to_string(id.value()); }

std::string counted(std::size_t count, const char* one, const char* many)
{
    return std::to_string(count) + ' ' + (count == 1 ? one : many);
}

std::string_view causeName(RetryCause cause)
{
    switch (cause) {
    case RetryCause::Exit: return "an exit code";
    case RetryCause::Signal: return "a signal";
    case RetryCause::Timeout: return "a time-out";
    case RetryCause::ProcessorLost: return "a lost processor";
    }
    return {};
}

/// Looks at one task of a run.
class Inquiry {
public:
    Inquiry(const RunHistory& history, TaskId id, bool living)
        : m_history(history),
          m_state(history.state()),
          m_id(id),
          m_record(m_state.task(id)),
          m_living(living)
    {}

    [[nodiscard]] TaskReason reason() const
    {
        switch (m_record.state) {
        case TaskState::Queued: return queued();
        case TaskState::Running: return running();
        case TaskState::Held:
            return {Kind::Held, "is held: it starts when it is released" + past()};
        case TaskState::Skipped: return skipped();
        case TaskState::Failed: return {Kind::Failed, failed()};
        case TaskState::Cancelled: return {Kind::Cancelled, cancelled()};
        case TaskState::Removed: return {Kind::Removed, removed()};
        case TaskState::Succeeded: return {Kind::Succeeded, succeeded()};
        }
        return {};
    }

private:
    [[nodiscard]] std::string place() const
    {
        const AttemptSummary* const attempt = m_history.latest(m_id);
        if (attempt == nullptr)
            return {};
        const std::string& host = m_history.hostName(attempt->host);
        return (host.empty() ? "" : " on " + visible(host)) + " ("
            + visible(rankName(m_state.system(), attempt->rank)) + ')';
    }

    [[nodiscard]] std::string attempt() const
    {
        return "attempt " + std::to_string(m_record.attempts);
    }

    /// How the task came to be tried more than once; empty: it did not.
    [[nodiscard]] std::string past() const
    {
        if (m_record.attempts == 0)
            return {};
        std::string text = "; " + attempt() + lastEnd();
        const auto cause = retryCauseOf(m_record.lastOutcome);
        const auto used = cause ? m_record.retriesUsed[static_cast<std::size_t>(*cause)] : 0;
        if (used != 0)
            text += ", and " + std::to_string(used) + " of "
                + counted(m_record.task.settings->retries.of(*cause), "retry", "retries")
                + " after " + std::string(causeName(*cause)) + (used == 1 ? " is" : " are")
                + " used";
        return text;
    }

    [[nodiscard]] std::string lastEnd() const
    {
        return ' ' + outcomeText(m_record.lastOutcome, m_record.lastCode);
    }

    [[nodiscard]] bool ended() const { return !m_living || m_state.closed(); }

    [[nodiscard]] TaskReason running() const
    {
        if (ended())
            return {Kind::RunEnded,
                    "was running" + place() + " when the run was killed: a resume does it again"};
        if (m_record.cancelling)
            return {Kind::BeingCancelled,
                    "is being cancelled: " + attempt() + place() + " is being killed"};
        std::string text = "runs" + place() + ", " + attempt();
        // The record still has the end of the attempt before, which made this one necessary.
        if (m_record.attempts > 1)
            text += ": attempt " + std::to_string(m_record.attempts - 1) + lastEnd();
        return {Kind::Runs, text};
    }

    [[nodiscard]] TaskReason queued() const
    {
        if (ended())
            return {Kind::RunEnded,
                    "was still to be done when the run ended: a resume does it" + past()};
        if (m_record.cancelling)
            return {Kind::BeingCancelled, "is being cancelled"};
        if (m_state.ending())
            return {Kind::RunEnding,
                    "waits, but the run is ending and starts nothing new: a resume does it"
                        + past()};
        if (TaskReason waits = waitsForTasks(); !waits.because.empty())
            return waits;
        if (TaskReason waits = waitsForBarrier(); !waits.because.empty())
            return waits;
        std::uint64_t slots = 0;
        for (const auto& [rank, processor] : m_state.processors())
            slots += processor.present ? processor.slots : 0;
        if (slots == 0)
            return {Kind::WaitsForProcessor, "waits for a processor: none offers a slot" + past()};
        return {Kind::WaitsForSlot,
                "waits for its turn: "
                    + counted(m_state.count(TaskState::Running), "task runs", "tasks run") + " on "
                    + counted(slots, "slot", "slots") + past()};
    }

    [[nodiscard]] TaskReason waitsForTasks() const
    {
        std::vector<TaskId> open;
        for (const SharedGroup& group : prerequisitesOf(m_record.task))
            std::ranges::copy_if(*group, std::back_inserter(open),
                                 [this](TaskId before) { return stands(before); });
        std::ranges::sort(open);
        open.erase(std::unique(open.begin(), open.end()), open.end());
        if (open.empty())
            return {};
        return waiting(Kind::WaitsForTasks, "waits for ", open, ", which it comes after");
    }

    [[nodiscard]] TaskReason waitsForBarrier() const
    {
        std::vector<TaskId> open;
        for (std::uint32_t i = 0; m_record.task.stage > 0 && i < m_state.tasks().size(); ++i) {
            if (m_state.tasks()[i].task.stage < m_record.task.stage && stands(TaskId(i)))
                open.emplace_back(i);
        }
        if (open.empty())
            return {};
        return waiting(Kind::WaitsForBarrier, "waits behind a barrier: ", open,
                       open.size() == 1 ? " is not done" : " are not done");
    }

    /// A task that others may have to wait for.
    [[nodiscard]] bool stands(TaskId id) const
    {
        if (id.value() >= m_state.tasks().size())
            return false; // it is about to be added
        return !isSettled(m_state.task(id).state);
    }

    [[nodiscard]] TaskReason waiting(Kind kind, const char* begin, const std::vector<TaskId>& open,
                                     const char* end) const
    {
        const TaskId first = open.front();
        std::string text = begin + ("task " + number(first)) + " ("
            + std::string(taskStateName(m_state.task(first).state)) + ')';
        if (open.size() > 1)
            text += " and " + counted(open.size() - 1, "other", "others");
        const auto named = std::min(open.size(), TaskReason::named);
        return {kind, text + end + past(),
                std::vector(open.begin(), open.begin() + static_cast<std::ptrdiff_t>(named))};
    }

    /// Down to the task that did not succeed by itself.
    [[nodiscard]] TaskReason skipped() const
    {
        TaskReason reason{Kind::Skipped, "was skipped"};
        std::string link = ": it comes after task ";
        for (auto cause = m_history.skippedBecause(m_id); cause;
             cause = m_history.skippedBecause(*cause)) {
            const TaskRecord& record = m_state.task(*cause);
            const bool isNew = std::ranges::find(reason.because, *cause) == reason.because.end();
            if (!isNew || reason.because.size() == TaskReason::named)
                break;
            reason.because.push_back(*cause);
            const bool goesOn = record.state == TaskState::Skipped
                && m_history.skippedBecause(*cause).has_value();
            if (reason.because.size() <= 3 || !goesOn)
                reason.text += link + number(*cause) + ", which " + fate(record);
            link = ", as it comes after task ";
            if (!goesOn)
                break;
        }
        std::ranges::sort(reason.because);
        return reason;
    }

    [[nodiscard]] static std::string fate(const TaskRecord& record)
    {
        switch (record.state) {
        case TaskState::Failed:
            return "failed (it " + outcomeText(record.lastOutcome, record.lastCode) + ')';
        case TaskState::Cancelled: return "was cancelled";
        case TaskState::Skipped: return "was skipped";
        case TaskState::Removed: return "is no longer in the list";
        default: return "is " + std::string(taskStateName(record.state)) + " by now";
        }
    }

    [[nodiscard]] std::string failed() const
    {
        std::string text = "failed: " + attempt() + place() + lastEnd();
        const auto cause = retryCauseOf(m_record.lastOutcome);
        if (!cause)
            return text;
        const auto allowed = m_record.task.settings->retries.of(*cause);
        const auto used = m_record.retriesUsed[static_cast<std::size_t>(*cause)];
        if (allowed == 0)
            return text + ", and it has no retries after " + std::string(causeName(*cause));
        return text + ", and " + std::to_string(used) + " of "
            + counted(allowed, "retry", "retries") + " after " + std::string(causeName(*cause))
            + (used == 1 ? " is" : " are") + " used";
    }

    [[nodiscard]] std::string cancelled() const
    {
        return m_record.attempts == 0 ? "was cancelled by an operator before it ran"
                                      : "was cancelled by an operator; " + attempt() + lastEnd();
    }

    [[nodiscard]] std::string removed() const
    {
        return "is no longer in the task list; it was "
            + std::string(taskStateName(m_record.stateBeforeRemoval));
    }

    [[nodiscard]] std::string succeeded() const
    {
        std::string text = "succeeded in " + attempt() + place();
        return text + ": a resume does not run it again";
    }

    const RunHistory& m_history;
    const RunState& m_state;
    TaskId m_id;
    const TaskRecord& m_record;
    bool m_living;
};

} // namespace

std::string_view reasonName(TaskReason::Kind kind)
{
    switch (kind) {
    case Kind::Runs: return "runs";
    case Kind::BeingCancelled: return "being cancelled";
    case Kind::RunEnded: return "run ended";
    case Kind::RunEnding: return "run ending";
    case Kind::WaitsForTasks: return "waits for tasks";
    case Kind::WaitsForBarrier: return "waits for barrier";
    case Kind::WaitsForProcessor: return "waits for processor";
    case Kind::WaitsForSlot: return "waits for slot";
    case Kind::Held: return "held";
    case Kind::Skipped: return "skipped";
    case Kind::Failed: return "failed";
    case Kind::Cancelled: return "cancelled";
    case Kind::Removed: return "removed";
    case Kind::Succeeded: return "succeeded";
    }
    return "unknown";
}

std::string outcomeText(Outcome outcome, std::int32_t code)
{
    switch (outcome) {
    case Outcome::Succeeded: return "succeeded";
    case Outcome::Failed: return "ended with exit code " + std::to_string(code);
    case Outcome::Signalled: {
        const char* const name = ::sigabbrev_np(code);
        return "was ended by signal " + std::to_string(code)
            + (name != nullptr ? " (SIG" + std::string(name) + ')' : "");
    }
    case Outcome::TimedOut: return "ran out of time";
    case Outcome::Cancelled: return "was killed";
    case Outcome::Interrupted: return "was cut off by the end of a run";
    case Outcome::Lost: return "was lost with its processor";
    case Outcome::NotStarted: return "could not be started (error " + std::to_string(code) + ')';
    }
    return std::string(outcomeName(outcome));
}

TaskReason taskReason(const RunHistory& history, TaskId id, bool living)
{
    return Inquiry(history, id, living).reason();
}

} // namespace tasuki
