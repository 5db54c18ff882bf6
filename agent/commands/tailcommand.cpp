// SPDX-License-Identifier: GPL-3.0-or-later
#include "tailcommand.h"

#include "report/taskreason.h"
#include "runfile/recordedoutput.h"
#include "steering/liverun.h"
#include "steering/outputtail.h"
#include "steerrun.h"
#include "tailoutlet.h"

#include <algorithm>
#include <functional>

namespace tasuki {

namespace {

/// Without anything new the agent is asked again after this, and then less often.
constexpr std::chrono::milliseconds shortestPause(50);
constexpr std::chrono::milliseconds longestPause(500);
/// For so long nobody may have the output of an attempt: it ends just now and the record will have it, or masters change.
constexpr std::chrono::seconds longestUnknown(30);
/// The same once its end was told.
constexpr std::chrono::seconds longestUnrecorded(1);

std::uint32_t firstAttempt(const SteerOptions& options, const TaskRecord& record)
{
    if (options.from)
        return options.from->attempt;
    return options.attempt.value_or(std::max(record.attempts, 1U));
}

steering::OutputTail tailOf(const SteerOptions& options, AttemptKey key)
{
    if (options.from && options.from->attempt == key.number.value())
        return {key, options.from->output, options.from->error};
    return {key, options.lines};
}

/// Goes on with what the record keeps of an attempt that has ended.
Result<void> showRecorded(const std::filesystem::path& path, steering::OutputTail tail,
                          TailOutlet& outlet)
{
    Result<RunFileReader> reader = RunFileReader::open(path);
    if (!reader)
        return reader.error();
    while (!tail.atEnd()) {
        Result<OutputAnswer> answer = recordedOutput(*reader, tail.query());
        if (!answer)
            return answer.error();
        if (!answer->known) {
            outlet.say("attempt " + std::to_string(answer->key.number.value()) + " of task "
                       + std::to_string(answer->key.task.value())
                       + " has left nothing in the record");
            return {};
        }
        const steering::TailText text = tail.take(std::move(*answer));
        outlet.print(tail, text);
    }
    return {};
}

/// One use of `tail` on a run that lives.
class Following {
public:
    Following(const SteerOptions& options, RunHistory& history, TaskId task,
              const steering::FoundRun& run, TailOutlet& outlet)
        : m_options(options),
          m_outlet(outlet),
          m_history(history),
          m_task(task),
          m_record(run.record),
          m_live(*run.accessFile, {.events = [this](const EventBatch& batch) { take(batch); }})
    {}

    /// @return whether it was followed to its end; an Error: it could not be
    Result<void> run()
    {
        if (const Result<void> joined = m_live.join(); !joined)
            return joined.error();
        m_live.link().follow(m_history.state().lastEvent());
        std::uint32_t next = firstAttempt(m_options, record());
        for (;;) {
            if (record().attempts < next && !awaitAttempt(next))
                return m_problem ? Result<void>(*m_problem) : Result<void>();
            const Result<void> shown = show(AttemptNumber(next));
            if (!shown || m_options.attempt || !m_options.follow)
                return shown;
            if (isOver())
                return {};
            ++next;
        }
    }

private:
    void take(const EventBatch& batch)
    {
        for (const Event& event : batch.events) {
            const auto applied = m_history.apply(event);
            if (!applied)
                m_problem = applied.error();
        }
    }

    [[nodiscard]] const TaskRecord& record() const { return m_history.state().task(m_task); }
    [[nodiscard]] bool hasEnded(AttemptNumber number) const
    {
        return record().attempts > number.value() || record().state != TaskState::Running;
    }
    /// No attempt will follow.
    [[nodiscard]] bool isOver() const
    {
        return isSettled(record().state) || m_history.state().closed().has_value();
    }

    /// @return whether there is such an attempt
    bool awaitAttempt(std::uint32_t number)
    {
        // The end of the one before may be told a little later than its output.
        const auto isEnding = [&] {
            return record().attempts + 1 == number && record().state == TaskState::Running;
        };
        if (!serve([&] { return !isEnding(); }))
            return false;
        if (record().attempts >= number)
            return true;
        if (!isOver() || number == 1)
            m_outlet.say("task " + std::to_string(m_task.value()) + ' '
                         + taskReason(m_history, m_task, true).text);
        return !isOver() && m_options.follow
            && serve([&] { return record().attempts >= number || isOver(); })
            && record().attempts >= number;
    }

    /// @return whether it holds now; else m_problem says why it does not
    bool serve(const std::function<bool()>& done)
    {
        const auto served = m_live.serve([&] { return done() || m_problem; });
        if (!served && !m_problem)
            m_problem = served.error();
        return !m_problem;
    }

    Result<void> show(AttemptNumber number)
    {
        steering::OutputTail tail = tailOf(m_options, {m_task, number});
        std::chrono::milliseconds pause = shortestPause;
        SteadyTime lastKnown = m_live.clock().now();
        while (!tail.atEnd()) {
            const auto patience = hasEnded(number) ? longestUnrecorded : longestUnknown;
            Result<OutputAnswer> answer = m_live.output(tail.query());
            if (!answer && m_live.saidGoodbye())
                return showRecorded(m_record, std::move(tail), m_outlet);
            if (!answer && m_live.link().isIn())
                return answer.error();
            if (answer) {
                const steering::TailText text = tail.take(std::move(*answer));
                m_outlet.print(tail, text);
                const SteadyTime now = m_live.clock().now();
                if (tail.known())
                    lastKnown = now;
                if (tail.known() ? !m_options.follow && tail.idle() : now - lastKnown > patience)
                    return {};
                pause = tail.idle() ? std::min(2 * pause, longestPause) : shortestPause;
            }
            if (tail.atEnd() || (answer && !tail.idle()))
                continue;
            const auto waited = m_live.serve([] { return false; }, m_live.clock().now() + pause);
            if (!waited && !m_live.saidGoodbye())
                return waited.error();
        }
        return {};
    }

    const SteerOptions& m_options;
    TailOutlet& m_outlet;
    RunHistory& m_history;
    TaskId m_task;
    std::filesystem::path m_record;
    steering::LiveRun m_live;
    std::optional<Error> m_problem;
};

Result<ExitCode> tail(const SteerOptions& options)
{
    const Result<steering::FoundRun> run = steering::findRun(options.run);
    if (!run)
        return run.error();
    Result<ChosenTasks> chosen = chooseTasks(*run, options);
    if (!chosen)
        return chosen.error();
    auto& [history, tasks] = *chosen;
    if (tasks.size() != 1)
        return Error{.kind = ErrorKind::Input,
                     .message = "tail: " + std::to_string(tasks.size()) + " tasks are named",
                     .remedy = "name one"};
    const TaskId task = tasks.front();
    const TaskRecord& record = history.state().task(task);
    const bool final = isFinal(record.state) && !options.attempt && !options.from;
    TailOutlet outlet(options.pieces);
    if (run->accessFile && !final) {
        const Result<void> followed = Following(options, history, task, *run, outlet).run();
        if (!followed) {
            printError(followed.error());
            return ExitCode::NotSteered;
        }
        const bool ended = isSettled(history.state().task(task).state);
        return options.follow && !options.attempt && !ended ? ExitCode::Interrupted
                                                            : ExitCode::Success;
    }
    const std::uint32_t attempt = record.attempts == 0 ? 0 : firstAttempt(options, record);
    if (attempt == 0) {
        outlet.say("task " + std::to_string(task.value()) + ' '
                   + taskReason(history, task, false).text);
        return ExitCode::Success;
    }
    for (std::uint32_t each = attempt; each <= record.attempts; ++each) {
        const Result<void> shown = showRecorded(
            run->record, tailOf(options, {task, AttemptNumber(each)}), outlet);
        if (!shown)
            return shown.error();
        if (!options.from)
            break;
    }
    return ExitCode::Success;
}

} // namespace

int tailCommand(const Arguments& arguments)
{
    return runSteering(SteerCommand::Tail, arguments, tail);
}

} // namespace tasuki
