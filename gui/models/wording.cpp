// SPDX-License-Identifier: GPL-3.0-or-later
#include "wording.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <QRegularExpression>

#include <cstring>

namespace tasuki::wording {

namespace {

/// Groups the words for translators.
struct Words {
    Q_DECLARE_TR_FUNCTIONS(Words)
};

QString signalText(std::int32_t number)
{
    const char* name = sigabbrev_np(number);
    return name ? Words::tr("signal %1 (SIG%2)").arg(number).arg(QLatin1String(name))
                : Words::tr("signal %1").arg(number);
}

} // namespace

QString state(TaskState state)
{
    switch (state) {
    case TaskState::Queued: return Words::tr("queued");
    case TaskState::Running: return Words::tr("running");
    case TaskState::Succeeded: return Words::tr("succeeded");
    case TaskState::Failed: return Words::tr("failed");
    case TaskState::Skipped: return Words::tr("skipped");
    case TaskState::Removed: return Words::tr("removed");
    case TaskState::Held: return Words::tr("held");
    case TaskState::Cancelled: return Words::tr("cancelled");
    }
    return {};
}

QString outcome(Outcome outcome, std::int32_t code)
{
    switch (outcome) {
    case Outcome::Succeeded: return Words::tr("exit 0");
    case Outcome::Failed: return Words::tr("exit %1").arg(code);
    case Outcome::Signalled: return signalText(code);
    case Outcome::TimedOut: return Words::tr("timed out");
    case Outcome::Cancelled: return Words::tr("cancelled");
    case Outcome::Interrupted: return Words::tr("interrupted");
    case Outcome::Lost: // the program of a world's rank, which goes on: by a signal
        return code == 0 ? Words::tr("processor lost")
                         : Words::tr("lost: %1").arg(signalText(code));
    case Outcome::NotStarted:
        return Words::tr("not started: %1").arg(QString::fromLocal8Bit(std::strerror(code)));
    }
    return {};
}

QString loss(LossCause cause)
{
    switch (cause) {
    case LossCause::Gone: return Words::tr("its process ended");
    case LossCause::Silent: return Words::tr("nothing was heard of it");
    case LossCause::Left: return Words::tr("left");
    }
    return {};
}

QString severity(Severity severity)
{
    switch (severity) {
    case Severity::Information: return Words::tr("information");
    case Severity::Warning: return Words::tr("warning");
    case Severity::Failure: return Words::tr("failure");
    }
    return {};
}

QString connection(ConnectionState state)
{
    switch (state) {
    case ConnectionState::Idle: return Words::tr("not connected");
    case ConnectionState::Connecting: return Words::tr("connecting");
    case ConnectionState::Greeting: return Words::tr("greeting the agent");
    case ConnectionState::CatchingUp: return Words::tr("catching up");
    case ConnectionState::Live: return Words::tr("live");
    case ConnectionState::Waiting: return Words::tr("connection lost");
    case ConnectionState::Refused: return Words::tr("refused");
    case ConnectionState::Ended: return Words::tr("the agent has ended");
    case ConnectionState::Offline: return Words::tr("run file");
    }
    return {};
}

QString conflict(ConflictCause cause)
{
    switch (cause) {
    case ConflictCause::Unknown: return Words::tr("The run has no such task.");
    case ConflictCause::Changed: return Words::tr("The task has been changed meanwhile.");
    case ConflictCause::Started: return Words::tr("The task has started meanwhile.");
    case ConflictCause::Finished: return Words::tr("The task has ended meanwhile.");
    case ConflictCause::NotFinished: return Words::tr("The task has not ended yet.");
    case ConflictCause::NotHeld: return Words::tr("The task is not held.");
    case ConflictCause::Removed: return Words::tr("The task is no longer in the list.");
    }
    return {};
}

QString retries(const RetryBudget& budget)
{
    QStringList parts;
    const auto add = [&](RetryCause cause, const QString& words) {
        if (budget.of(cause) > 0)
            parts.append(words.arg(QLocale().toString(budget.of(cause))));
    };
    add(RetryCause::Exit, Words::tr("%1 after an exit"));
    add(RetryCause::Signal, Words::tr("%1 after a signal"));
    add(RetryCause::Timeout, Words::tr("%1 after a timeout"));
    add(RetryCause::ProcessorLost, Words::tr("%1 after a lost processor"));
    return parts.isEmpty() ? Words::tr("none") : parts.join(Words::tr(", ", "between two words"));
}

QString duration(std::optional<std::chrono::microseconds> duration)
{
    using namespace std::chrono;
    if (!duration)
        return Words::tr("-", "no duration");
    const auto us = std::max<std::int64_t>(duration->count(), 0);
    const QLocale locale;
    const auto number = [&](double value, int decimals) {
        return locale.toString(value, 'f', decimals);
    };
    if (us < 1'000)
        return Words::tr("%1 µs").arg(us);
    if (us < 1'000'000)
        return Words::tr("%1 ms").arg(number(static_cast<double>(us) / 1e3, us < 10'000 ? 1 : 0));
    if (us < 60'000'000)
        return Words::tr("%1 s").arg(
            number(static_cast<double>(us) / 1e6, us < 10'000'000 ? 2 : 1));
    const std::int64_t total = us / 1'000'000;
    const auto two = [](std::int64_t value) {
        return QStringLiteral("%1").arg(value, 2, 10, QLatin1Char('0'));
    };
    if (total < 3'600)
        return Words::tr("%1 min %2 s").arg(total / 60).arg(two(total % 60));
    if (total < 86'400)
        return Words::tr("%1 h %2 min").arg(total / 3'600).arg(two(total / 60 % 60));
    return Words::tr("%1 d %2 h").arg(total / 86'400).arg(two(total / 3'600 % 24));
}

QString time(WallTime time, bool milliseconds)
{
    const auto at = QDateTime::fromMSecsSinceEpoch(time.time_since_epoch().count() / 1000);
    return at.toString(milliseconds ? QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz")
                                    : QStringLiteral("yyyy-MM-dd HH:mm:ss"));
}

QString bytes(std::uint64_t bytes)
{
    return QLocale().formattedDataSize(static_cast<qint64>(bytes), 1);
}

QString share(double share)
{
    return Words::tr("%1 %").arg(QLocale().toString(share * 100, 'f', 0));
}

QString text(std::string_view bytes)
{
    return QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size()));
}

QString phrase(const Phrase& phrase)
{
    return text(phrase.text([](const std::string& english) {
        return QCoreApplication::translate("tasuki::Phrase", english.c_str()).toStdString();
    }));
}

QString withoutMnemonic(QString text)
{
    static const QRegularExpression inParentheses(QStringLiteral(R"(\s*\(&\w\))"));
    return text.remove(inParentheses).remove(QLatin1Char('&'));
}

} // namespace tasuki::wording
