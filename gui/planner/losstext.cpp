// SPDX-License-Identifier: GPL-3.0-or-later
#include "losstext.h"

#include "chart/timetext.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace tasuki::planner {

namespace {

/// Context of the texts.
struct LossText {
    Q_DECLARE_TR_FUNCTIONS(LossText)
};

QString percent(double part, double whole)
{
    return QStringLiteral("%1 %").arg(100.0 * part / whole, 0, 'f', 0);
}

/// The task that computes for longest on the critical path.
std::size_t mainTask(const plan::PathTotals& totals)
{
    return static_cast<std::size_t>(std::ranges::max_element(totals.computeOfTaskUs)
                                    - totals.computeOfTaskUs.begin());
}

} // namespace

QString lossText(const plan::Timeline& timeline, const plan::Timeline& best,
                 const QStringList& nodes, bool unfinished)
{
    if (timeline.endUs <= 0.0 || timeline.tasks == 0)
        return {};
    const plan::PathTotals totals = plan::pathTotals(timeline);
    const plan::PathTotals bestTotals = plan::pathTotals(best);
    const std::size_t task = mainTask(totals);
    const QString node = nodes.value(static_cast<qsizetype>(task));
    if (timeline.endUs <= best.endUs) {
        return (unfinished
                    ? LossText::tr("The best so far: its critical path is %1 computation (most of "
                                   "it task %2 on %3), %4 messages and %5 calls.")
                    : LossText::tr("The best: its critical path is %1 computation (most of it task "
                                   "%2 on %3), %4 messages and %5 calls."))
            .arg(percent(totals.computeUs, timeline.endUs))
            .arg(task)
            .arg(node, percent(totals.messageUs, timeline.endUs),
                 percent(totals.callUs, timeline.endUs));
    }
    const TimeText times(plan::TimeScale(timeline.endUs, timeline.endUs));
    const auto difference = [&times](double us) {
        return QStringLiteral("%1 %2").arg(times.inUnit(us), 0, 'g', 3).arg(times.unitName());
    };
    const auto change = [&difference](double mine, double theirs) {
        return (mine >= theirs ? QStringLiteral("+") : QStringLiteral("-"))
            + difference(std::abs(mine - theirs));
    };
    return (unfinished
                ? LossText::tr("%1 longer than the best so far. On the critical path: computation "
                               "%2 (most of it task %3 on %4), messages %5, calls %6.")
                : LossText::tr("%1 longer than the best. On the critical path: computation %2 "
                               "(most of it task %3 on %4), messages %5, calls %6."))
        .arg(difference(timeline.endUs - best.endUs),
             change(totals.computeUs, bestTotals.computeUs))
        .arg(task)
        .arg(node, change(totals.messageUs, bestTotals.messageUs),
             change(totals.callUs, bestTotals.callUs));
}

} // namespace tasuki::planner
