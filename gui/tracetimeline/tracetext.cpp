// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracetext.h"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tasuki {

namespace {

constexpr double usPerMillisecond = 1e3;
constexpr double usPerSecond = 1e6;
constexpr std::size_t messagesNamed = 3;

/// @return how many decimals give a number so many digits in all
int decimalsFor(double value, int digits)
{
    const double size = std::abs(value);
    const int whole = size < 1 ? 1 : static_cast<int>(std::floor(std::log10(size))) + 1;
    return std::max(0, digits - whole);
}

QString taskLine(const QString& task, const QString& note)
{
    return note.isEmpty() ? task : task + QStringLiteral(" \u00b7 ") + note;
}

} // namespace

QString TraceText::duration(double us)
{
    constexpr int digits = 4;
    const QLocale locale;
    const auto number = [&locale](double value) {
        return locale.toString(value, 'f', decimalsFor(value, digits));
    };
    if (std::abs(us) < usPerMillisecond)
        return tr("%1 µs").arg(us == std::floor(us) ? locale.toString(us, 'f', 0) : number(us));
    if (std::abs(us) < usPerSecond)
        return tr("%1 ms").arg(number(us / usPerMillisecond));
    return tr("%1 s").arg(number(us / usPerSecond));
}

QString TraceText::time(double us)
{
    const QLocale locale;
    if (std::abs(us) < usPerMillisecond)
        return tr("%1 µs").arg(locale.toString(us, 'f', us == std::floor(us) ? 0 : 1));
    if (std::abs(us) < usPerSecond)
        return tr("%1 ms").arg(locale.toString(us / usPerMillisecond, 'f', 3));
    return tr("%1 s").arg(locale.toString(us / usPerSecond, 'f', 6));
}

QString TraceText::task(trace::Task task) { return tr("task %1").arg(task.value()); }

QString TraceText::category(const TraceCategories& categories, TraceCategory category)
{
    if (category == TraceCategories::idle)
        return tr("nothing");
    if (category == TraceCategories::compute)
        return tr("Computation");
    if (TraceCategories::isState(category))
        return QString::fromStdString(categories.stateOf(category).name);
    const bool waiting = TraceCategories::isWaiting(category);
    switch (TraceCategories::familyOfCategory(category)) {
    case CallFamily::Send: return waiting ? tr("Send, waiting") : tr("Send");
    case CallFamily::Receive: return waiting ? tr("Receive, waiting") : tr("Receive");
    case CallFamily::Wait: return waiting ? tr("Wait, waiting") : tr("Wait");
    case CallFamily::Collective: return waiting ? tr("Collective, waiting") : tr("Collective");
    case CallFamily::Other: break;
    }
    return waiting ? tr("Other call, waiting") : tr("Other call");
}

QString TraceText::callName(const TraceStore& store, std::uint32_t span)
{
    const trace::Trace* trace = store.trace();
    const plan::TimelineSpan& part = store.timeline().spans[span];
    if (part.kind == plan::SpanKind::Compute)
        return tr("Computation");
    if (trace == nullptr || part.call >= trace->calls.size())
        return tr("call");
    return QString::fromStdString(trace->stateOf(trace->calls[part.call]).name);
}

QString TraceText::messageOf(const TraceStore& store, std::uint32_t arrow, trace::Task task)
{
    const plan::TimelineArrow& item = store.timeline().arrows[arrow];
    const QString travel = duration(item.arrivedUs - item.sentUs);
    const QString peer = TraceText::task(item.from == task ? item.to : item.from);
    const trace::Trace* trace = store.trace();
    if (trace == nullptr || item.message >= trace->messages.size())
        return item.from == task ? tr("to %1, travels %2").arg(peer, travel)
                                 : tr("from %1, travels %2").arg(peer, travel);
    const trace::Message& message = trace->messages[item.message];
    const QString bytes = QLocale().toString(static_cast<qulonglong>(message.bytes));
    return (item.from == task ? tr("to %1: %2 bytes, tag %3, travels %4")
                              : tr("from %1: %2 bytes, tag %3, travels %4"))
        .arg(peer, bytes, QString::number(message.tag), travel);
}

QStringList TraceText::ofCall(const TraceStore& store, std::uint32_t span, const QString& taskNote)
{
    const plan::TimelineSpan& part = store.timeline().spans[span];
    const auto [first, last] = store.wholeCall(span);
    const double beginUs = toMicroseconds(store.beginOf(first));
    const double endUs = toMicroseconds(store.endOf(last));
    QStringList lines{callName(store, span)};
    lines << taskLine(task(part.task), taskNote);
    lines << tr("Begins at %1").arg(time(beginUs));
    lines << tr("Takes %1").arg(duration(endUs - beginUs));
    double waitedUs = 0;
    store.forEachSpanOfCall(span, [&](std::uint32_t index) {
        if (store.timeline().spans[index].kind == plan::SpanKind::Wait)
            waitedUs += toMicroseconds(store.endOf(index) - store.beginOf(index));
    });
    if (waitedUs > 0)
        lines << tr("Waits for %1 of it").arg(duration(waitedUs));
    const auto messages = store.messagesOf(span, messagesNamed + 1);
    for (std::size_t i = 0; i < std::min(messages.size(), messagesNamed); ++i)
        lines << messageOf(store, messages[i], part.task);
    if (messages.size() > messagesNamed)
        lines << tr("and more messages");
    return lines;
}

QStringList TraceText::ofMessage(const TraceStore& store, std::uint32_t arrow)
{
    const plan::TimelineArrow& item = store.timeline().arrows[arrow];
    const trace::Trace* trace = store.trace();
    QStringList lines{tr("Message from %1 to %2").arg(task(item.from), task(item.to))};
    if (trace != nullptr && item.message < trace->messages.size()) {
        const trace::Message& message = trace->messages[item.message];
        lines << tr("%1 bytes, tag %2")
                     .arg(QLocale().toString(static_cast<qulonglong>(message.bytes)))
                     .arg(message.tag);
    } else {
        lines << tr("Part of a collective call");
    }
    lines << tr("Sent at %1").arg(time(item.sentUs));
    lines << tr("Arrives at %1").arg(time(item.arrivedUs));
    lines << tr("Travels %1").arg(duration(item.arrivedUs - item.sentUs));
    return lines;
}

QStringList TraceText::ofComputation(trace::Task task, const QString& taskNote)
{
    return {tr("Computation"), taskLine(TraceText::task(task), taskNote)};
}

QStringList TraceText::ofMany(const TraceStore& store, trace::Task task, std::size_t calls,
                              const TraceColumns::Column& column)
{
    QStringList lines{tr("%Ln calls here", nullptr, static_cast<int>(calls)),
                      TraceText::task(task)};
    std::vector<std::pair<float, TraceCategory>> parts;
    for (std::size_t i = TraceCategories::compute; i < column.shares.size(); ++i) {
        if (column.shares[i] > 0)
            parts.emplace_back(column.shares[i], static_cast<TraceCategory>(i));
    }
    std::ranges::sort(parts, std::greater<>());
    constexpr std::size_t mostParts = 5;
    parts.resize(std::min(parts.size(), mostParts));
    for (const auto& [share, category] : parts)
        lines << tr("%1: %2 %", "a kind of call and its part of the time")
                     .arg(TraceText::category(store.categories(), category))
                     .arg(QLocale().toString(static_cast<double>(share) * 100, 'f', 1));
    lines << tr("Zoom in to tell them apart");
    return lines;
}

QString TraceText::ofCondensedPath()
{
    return tr(
        "On the critical path, which goes to and fro between tasks here too often to be drawn "
        "whole: zoom in to see it");
}

QString TraceText::rich(const QStringList& lines)
{
    QStringList escaped;
    for (const QString& line : lines)
        escaped << line.toHtmlEscaped();
    if (!escaped.isEmpty())
        escaped.front() = QStringLiteral("<b>%1</b>").arg(escaped.front());
    return escaped.join(QStringLiteral("<br>"));
}

} // namespace tasuki
