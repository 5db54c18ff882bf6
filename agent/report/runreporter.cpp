// SPDX-License-Identifier: GPL-3.0-or-later
#include "runreporter.h"

#include "linetext.h"

#include "systemtext.h"

#include "domain/outputkeeping.h"
#include "domain/rankname.h"
#include "domain/visibletext.h"

#include <algorithm>

namespace tasuki {

namespace {

/// Failures beyond this many are counted in the progress line and told by `show`.
constexpr std::size_t mostFailuresTold = 10;
constexpr std::size_t longestCommandTold = 120;

std::string endText(const AttemptResult& result)
{
    switch (result.outcome) {
    case Outcome::Failed: return "exit code " + std::to_string(result.code);
    case Outcome::Signalled: return "killed by signal " + std::to_string(result.code);
    case Outcome::NotStarted: return "could not be started";
    case Outcome::Lost: return "its processor was lost";
    default: return std::string(outcomeName(result.outcome));
    }
}

std::string lossText(const SystemState& system, const ProcessorLost& loss)
{
    const std::string rank = rankName(system, loss.rank);
    switch (loss.cause) {
    case LossCause::Gone: return rank + " is gone: its process ended; its tasks run elsewhere";
    case LossCause::Silent: return rank + " is silent; its tasks run elsewhere";
    case LossCause::Left: return rank + " left";
    }
    return rank;
}

std::string downText(const SystemState& system, const SubclusterChanged& changed)
{
    const std::size_t index = changed.subcluster.value();
    const std::string name = index < system.subclusters().size()
        ? system.subclusters()[index].info.name
        : std::to_string(index);
    return "subcluster " + name + " is down: " + changed.cause.text();
}

} // namespace

RunReporter::RunReporter(const RunState& state, const Clock& clock, Options options)
    : m_state(state),
      m_clock(clock),
      m_options(options),
      m_progress(options.errors, options.columns, clock),
      m_begun(clock.now()),
      m_doneBefore(progressFigures(state).done) // of a successor; else told again by RunOpened
{}

void RunReporter::published(const Event& event)
{
    if (const auto* finished = std::get_if<AttemptFinished>(&event.payload)) {
        attemptFinished(*finished);
    } else if (const auto* lost = std::get_if<ProcessorLost>(&event.payload)) {
        say(lossText(m_state.system(), *lost));
    } else if (const auto* joined = std::get_if<ProcessorJoined>(&event.payload)) {
        if (joined->incarnation > Incarnation(1))
            say(rankName(m_state.system(), joined->rank) + " is taken over on " + joined->host);
    } else if (const auto* changed = std::get_if<SubclusterChanged>(&event.payload)) {
        if (changed->state == ClusterState::Down)
            say(downText(m_state.system(), *changed));
    } else if (const auto* master = std::get_if<MasterChanged>(&event.payload)) {
        if (master->role == MasterRole::System && master->previous)
            say(systemText(*master, m_state.system()));
    } else if (const auto* notice = std::get_if<Notice>(&event.payload)) {
        const std::string text = notice->text.text();
        if (!outputKeepingOf(text)) // it was asked for just here
            say(text);
    } else if (std::holds_alternative<RunOpened>(event.payload)) {
        m_doneBefore = progressFigures(m_state).done;
    }
}

void RunReporter::attemptFinished(const AttemptFinished& event)
{
    if (event.disposition != Disposition::Final || event.result.outcome == Outcome::Succeeded)
        return;
    // That its other ranks end with it is told of a world as a whole.
    const bool follows = m_state.task(event.key.task).task.settings->seat
        && event.result.outcome == Outcome::Cancelled;
    if (!follows)
        tellFailure(event);
}

void RunReporter::tellFailure(const AttemptFinished& event)
{
    if (m_options.quiet || m_failuresTold > mostFailuresTold)
        return;
    if (m_failuresTold++ == mostFailuresTold) {
        say("further failures are only counted here; see them with tasuki-agent show");
        return;
    }
    const TaskRecord& record = m_state.task(event.key.task);
    const std::optional<WorldSeat>& seat = record.task.settings->seat;
    std::string place = seat ? rankName(m_state.system(), seat->rank)
                             : "task " + std::to_string(event.key.task.value());
    if (record.task.line != 0)
        place += " (line " + std::to_string(record.task.line) + ')';
    say(place + " failed, " + endText(event.result) + ": "
        + oneLine(record.task.command, longestCommandTold));
}

void RunReporter::stalled(const std::optional<Error>& error)
{
    if (error) {
        m_stall = "paused";
        say("paused, the record cannot be written: " + error->text()
            + "; free some space, the run goes on by itself");
    } else {
        m_stall.clear();
        say("the record can be written again, going on");
    }
}

void RunReporter::tick()
{
    if (!m_options.quiet)
        m_progress.show([this](int columns) { return progressLine(figures(), columns); });
}

void RunReporter::finish(const std::string& runFile)
{
    m_progress.clear();
    if (!m_options.quiet)
        m_progress.finish([this](int columns) { return progressLine(figures(), columns); });
    std::string text = std::to_string(m_state.count(TaskState::Succeeded)) + " succeeded, "
        + std::to_string(m_state.count(TaskState::Failed)) + " failed";
    for (const TaskState state : {TaskState::Skipped, TaskState::Cancelled}) {
        if (m_state.count(state) != 0)
            text += ", " + std::to_string(m_state.count(state)) + ' '
                + std::string(taskStateName(state));
    }
    if (m_state.unfinished() != 0) {
        text += ", " + std::to_string(m_state.unfinished()) + " still to be done";
        if (m_state.count(TaskState::Held) != 0)
            text += " (" + std::to_string(m_state.count(TaskState::Held)) + " held)";
        text += m_options.kept ? "; go on with " + m_options.command + " --resume " + runFile
                               : std::string("; the run cannot be resumed");
    }
    if (!m_options.quiet || m_state.unfinished() != 0)
        say(text + (m_options.kept ? "; record: " + runFile : std::string("; no record is kept")));
}

void RunReporter::say(const std::string& line)
{
    m_progress.clear();
    std::fprintf(m_options.errors, "tasuki: %s\n", visible(line, Breaks::Kept).c_str());
    std::fflush(m_options.errors);
}

ProgressFigures RunReporter::figures() const
{
    ProgressFigures figures = progressFigures(m_state);
    figures.doneHere = figures.done - std::min(figures.done, m_doneBefore);
    figures.elapsed = std::chrono::floor<std::chrono::microseconds>(m_clock.now() - m_begun);
    figures.phase = !m_stall.empty() ? m_stall : !m_phase.empty() ? m_phase : waitingText();
    return figures;
}

/// @return what the run waits for when nothing runs and nothing is about to; empty: for nothing
std::string RunReporter::waitingText() const
{
    if (m_state.count(TaskState::Running) + m_state.count(TaskState::Queued) != 0)
        return {};
    if (m_state.count(TaskState::Held) != 0)
        return "what is left is held: release it in a window";
    return m_options.command == "serve" ? "waiting for tasks" : "";
}

} // namespace tasuki
