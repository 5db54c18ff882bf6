// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include "activitymeter.h"
#include "client/session.h"

namespace tasuki {

/// The run in figures, as of one moment.
struct RunSummary {
    std::size_t total = 0; ///< tasks that are not removed
    std::size_t queued = 0;
    std::size_t held = 0;
    std::size_t running = 0;
    std::size_t succeeded = 0;
    std::size_t failed = 0;
    std::size_t skipped = 0;
    std::size_t cancelled = 0;
    std::uint32_t slots = 0;
    std::uint32_t busySlots = 0;
    std::optional<double> rate;              ///< tasks a second over the last ten seconds
    std::optional<double> recentUtilisation; ///< busy slots / slots over the last ten seconds
    std::optional<double> utilisation;       ///< the same over the life of the run
    std::optional<std::chrono::microseconds>
        remaining;                                    ///< an estimate; none: nothing to base it on
    std::optional<std::chrono::microseconds> elapsed; ///< of the present life
    std::optional<std::chrono::microseconds> dataAge;
    bool over = false;    ///< the present life was closed
    bool current = false; ///< what is shown is what is: live and caught up
    bool operator==(const RunSummary&) const = default;

    /// Tasks that have their final outcome.
    [[nodiscard]] std::size_t done() const { return succeeded + failed + skipped + cancelled; }
};

/// @return the figures now
RunSummary summarize(const Session& session, const ActivityMeter& meter);

/// Keeps a summary up to date at 2 Hz while something may change. GUI thread.
class RunSummaryMonitor : public QObject {
    Q_OBJECT

public:
    /// @param session, meter  must outlive this object; the meter is a sink of the session
    RunSummaryMonitor(const Session& session, const ActivityMeter& meter,
                      QObject* parent = nullptr);

    [[nodiscard]] const RunSummary& summary() const { return m_summary; }
    /// Computes it now.
    void refresh();

Q_SIGNALS:
    void changed();

private:
    const Session& m_session;
    const ActivityMeter& m_meter;
    RunSummary m_summary;
    QTimer m_timer;
};

} // namespace tasuki
