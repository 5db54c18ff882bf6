// SPDX-License-Identifier: GPL-3.0-or-later
#include "runsummary.h"

#include <algorithm>

namespace tasuki {

namespace {

using std::chrono::microseconds;

/// With so many tasks done in the last seconds, their rate tells more than the mean run time, which
/// does not know of what lies between tasks.
constexpr std::uint64_t enoughForRate = 20;

std::optional<microseconds> estimateRemaining(const RunSummary& summary, const RunState& state,
                                              const ActivityMeter& meter, WallTime now)
{
    const std::size_t open = summary.queued + summary.running;
    if (open == 0)
        return microseconds(0);
    if (summary.slots == 0)
        return std::nullopt;
    if (meter.recentlyDone(now) >= enoughForRate && summary.rate && *summary.rate > 0)
        return microseconds(
            static_cast<std::int64_t>(static_cast<double>(open) / *summary.rate * 1e6));
    const std::uint64_t ended = meter.tasksDone();
    if (ended == 0)
        return std::nullopt;
    const auto mean = state.finishedRunTime() / static_cast<std::int64_t>(ended);
    const double work = static_cast<double>(mean.count()) * static_cast<double>(open)
        - static_cast<double>(meter.runningTime(now, mean).count());
    const auto hands = static_cast<double>(std::min<std::size_t>(summary.slots, open));
    return microseconds(static_cast<std::int64_t>(std::max(work, 0.0) / hands));
}

} // namespace

RunSummary summarize(const Session& session, const ActivityMeter& meter)
{
    const RunState& state = session.state();
    const WallTime now = session.runNow();
    RunSummary summary;
    summary.queued = state.count(TaskState::Queued);
    summary.held = state.count(TaskState::Held);
    summary.running = state.count(TaskState::Running);
    summary.succeeded = state.count(TaskState::Succeeded);
    summary.failed = state.count(TaskState::Failed);
    summary.skipped = state.count(TaskState::Skipped);
    summary.cancelled = state.count(TaskState::Cancelled);
    summary.total = state.tasks().size() - state.count(TaskState::Removed);
    summary.slots = meter.slots();
    summary.busySlots = meter.running();
    summary.over = state.closed().has_value();
    summary.current = session.connection().state == ConnectionState::Live && !session.loading()
        && session.damage().isEmpty();
    summary.dataAge = session.dataAge();
    summary.utilisation = meter.utilisation(now);
    if (summary.over) {
        summary.elapsed = meter.earlierLives() + state.closed()->elapsed;
        if (state.unfinished() == 0)
            summary.remaining = microseconds(0);
        return summary;
    }
    summary.rate = meter.rate(now);
    summary.recentUtilisation = meter.recentUtilisation(now);
    if (meter.openedAt())
        summary.elapsed = meter.earlierLives() + std::max(now - *meter.openedAt(), microseconds(0));
    if (!state.tasks().empty())
        summary.remaining = estimateRemaining(summary, state, meter, now);
    return summary;
}

RunSummaryMonitor::RunSummaryMonitor(const Session& session, const ActivityMeter& meter,
                                     QObject* parent)
    : QObject(parent), m_session(session), m_meter(meter)
{
    m_timer.setInterval(500);
    connect(&m_timer, &QTimer::timeout, this, &RunSummaryMonitor::refresh);
    connect(&session, &Session::connectionChanged, this, &RunSummaryMonitor::refresh);
    connect(&session, &Session::wasReset, this, &RunSummaryMonitor::refresh);
    m_timer.start();
}

void RunSummaryMonitor::refresh()
{
    RunSummary summary = summarize(m_session, m_meter);
    if (summary == m_summary)
        return;
    m_summary = summary;
    Q_EMIT changed();
}

} // namespace tasuki
