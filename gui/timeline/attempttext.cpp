// SPDX-License-Identifier: GPL-3.0-or-later
#include "attempttext.h"

#include <QDateTime>
#include <QLocale>
#include <QStringList>

#include <algorithm>

namespace tasuki {

namespace {

constexpr qsizetype longestCommand = 200;

QString shortened(QString text)
{
    if (text.size() > longestCommand)
        text = text.left(longestCommand) + QChar(0x2026);
    return text.toHtmlEscaped();
}

} // namespace

QString AttemptText::outcome(const TimelineAttempt& attempt)
{
    if (!attempt.outcome)
        return tr("running");
    switch (*attempt.outcome) {
    case Outcome::Succeeded: return tr("succeeded");
    case Outcome::Failed: return tr("failed");
    case Outcome::Signalled: return tr("ended by a signal");
    case Outcome::TimedOut: return tr("timed out");
    case Outcome::Cancelled: return tr("cancelled");
    case Outcome::Interrupted: return tr("interrupted");
    case Outcome::Lost: return tr("lost");
    case Outcome::NotStarted: return tr("could not be started");
    }
    return {};
}

QString AttemptText::duration(std::chrono::microseconds length)
{
    const QLocale locale;
    const auto microseconds = static_cast<qlonglong>(length.count());
    const double seconds = static_cast<double>(microseconds) / 1e6;
    if (microseconds < 1000)
        return tr("%1 µs").arg(locale.toString(microseconds));
    if (seconds < 1)
        return tr("%1 ms").arg(locale.toString(seconds * 1e3, 'f', seconds < 0.1 ? 2 : 1));
    if (seconds < 60)
        return tr("%1 s").arg(locale.toString(seconds, 'f', 2));
    const qlonglong whole = microseconds / 1'000'000;
    const auto two = [](qlonglong number) {
        return QString::number(number).rightJustified(2, QLatin1Char('0'));
    };
    if (whole < 3600)
        return tr("%1 min %2 s").arg(whole / 60).arg(two(whole % 60));
    if (whole < 24 * 3600)
        return tr("%1 h %2 min").arg(whole / 3600).arg(two(whole / 60 % 60));
    return tr("%1 d %2 h").arg(whole / (24 * 3600)).arg(two(whole / 3600 % 24));
}

QString AttemptText::time(WallTime time)
{
    const auto milliseconds =
        std::chrono::floor<std::chrono::milliseconds>(time.time_since_epoch()).count();
    return QDateTime::fromMSecsSinceEpoch(milliseconds)
        .toString(QStringLiteral("yyyy-MM-dd hh:mm:ss.zzz"));
}

QString AttemptText::rank(const LaneInfo& lane)
{
    const QString number = tr("rank %1").arg(lane.place.index);
    return lane.place.subcluster.empty()
        ? number
        : tr("%1 %2", "subcluster and rank")
              .arg(QString::fromStdString(lane.place.subcluster), number);
}

QString AttemptText::place(const LaneInfo& lane)
{
    return tr("%1, slot %2, %3")
        .arg(rank(lane).toHtmlEscaped())
        .arg(lane.slot.value())
        .arg(QString::fromStdString(lane.host).toHtmlEscaped());
}

QString AttemptText::replay(const ReplayStretch& stretch)
{
    return stretch.end ? tr("Until %1 it did again what the attempt before it had done (hatched)")
                             .arg(time(WallTime(std::chrono::microseconds(*stretch.end))))
                       : tr("It does again what the attempt before it had done (hatched)");
}

QString AttemptText::ofOne(const LaneInfo& lane, const TimelineAttempt& attempt,
                           const QString& command, const std::optional<ReplayStretch>& replayed)
{
    QStringList lines;
    lines << tr("<b>Task %1</b>, attempt %2: %3")
                 .arg(attempt.key.task.value())
                 .arg(attempt.key.number.value())
                 .arg(outcome(attempt));
    if (!command.isEmpty())
        lines << QStringLiteral("<code>%1</code>").arg(shortened(command));
    const QString length = duration(attempt.end - attempt.start);
    lines << (attempt.outcome ? tr("%1 to %2").arg(time(attempt.start), time(attempt.end))
                              : tr("since %1").arg(time(attempt.start)));
    lines << tr("Run time %1").arg(length);
    if (replayed)
        lines << replay(*replayed);
    lines << place(lane);
    return lines.join(QStringLiteral("<br>"));
}

QString AttemptText::ofMany(const LaneInfo& lane, std::span<const TimelineAttempt> attempts)
{
    const auto failures = std::count_if(
        attempts.begin(), attempts.end(),
        [](const TimelineAttempt& attempt) { return isFailure(attempt.kind()); });
    QStringList lines;
    lines << tr("<b>%n attempts here</b>", nullptr, static_cast<int>(attempts.size()));
    if (failures > 0)
        lines << tr("%n did not succeed", nullptr, static_cast<int>(failures));
    lines << place(lane);
    lines << tr("Zoom in to tell them apart");
    return lines.join(QStringLiteral("<br>"));
}

} // namespace tasuki
