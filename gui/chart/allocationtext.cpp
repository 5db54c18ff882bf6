// SPDX-License-Identifier: GPL-3.0-or-later
#include "allocationtext.h"

#include <QLocale>

#include <cmath>
#include <limits>

namespace tasuki {

namespace {

/// More lines would not fit a screen.
constexpr qsizetype mostTaskLines = 16;

QString rowOfTable(const QString& title, const QString& value)
{
    return QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align=\"right\"><b>%2</b></td></tr>")
        .arg(title.toHtmlEscaped(), value.toHtmlEscaped());
}

} // namespace

QString AllocationText::countText(const AllocationSummary& summary)
{
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<int>::max());
    if (summary.tried > most)
        return tr("%1 allocations.").arg(QLocale().toString(qulonglong{summary.tried}));
    return tr("%Ln allocation(s).", nullptr, static_cast<int>(summary.tried));
}

QString AllocationText::numberText(const plan::AllocationCount& count)
{
    if (const auto exact = count.exact())
        return QLocale().toString(qulonglong{*exact});
    if (count.isOnlyMore())
        return tr("more than 10^18");
    return tr("about 10^%1").arg(std::llround(count.log10()));
}

QString AllocationText::summary(const AllocationList& list)
{
    const AllocationSummary& summary = list.summary();
    if (summary.listed == 0)
        return {};
    const TimeText& times = list.times();
    QStringList sentences{countText(summary)};
    if (summary.isUnfinished()) {
        sentences = {tr("Not all were tried: best so far of %1 of %2. It takes %3.")
                         .arg(QLocale().toString(qulonglong{summary.tried}),
                              numberText(summary.all), times.text(summary.bestUs))};
    } else if (summary.tried > 1) {
        sentences << tr("Best %1, worst %2: spread (worst − best) / best = %3.")
                         .arg(times.text(summary.bestUs), times.text(summary.worstUs),
                              percentText(summary.spread()));
        if (!summary.placementMatters())
            sentences << tr("Placement does not matter here: take any.");
    }
    if (summary.errorA)
        sentences << tr("Error of the choice a = %1.").arg(percentText(*summary.errorA));
    if (summary.meanError) {
        const QString error = percentText(*summary.meanError);
        const auto measured = static_cast<int>(summary.measured);
        sentences << tr("Mean prediction error %1 over %Ln measured allocation(s).", nullptr,
                        measured)
                         .arg(error);
    }
    return sentences.join(QLatin1Char(' '));
}

QString AllocationText::measuredText(const AllocationList& list, int row)
{
    const AllocationResult& result = list.at(row);
    if (!result.measuredUs)
        return tr("not measured");
    const QString time = list.times().text(*result.measuredUs);
    if (!result.measuredRange)
        return time;
    return tr("%1 (%2 to %3)")
        .arg(time, list.times().text(result.measuredRange->lowUs),
             list.times().text(result.measuredRange->highUs));
}

QString AllocationText::toolTip(const AllocationList& list, int row)
{
    const AllocationResult& result = list.at(row);
    QString text = QStringLiteral("<table cellspacing=\"0\">");
    for (qsizetype task = 0; task < std::min(result.nodes.size(), mostTaskLines); ++task)
        text += rowOfTable(tr("Task %1").arg(task), result.nodes[task]);
    if (result.nodes.size() > mostTaskLines) {
        const auto more = static_cast<int>(result.nodes.size() - mostTaskLines);
        text += rowOfTable(tr("and %n more task(s)", nullptr, more), QString());
    }
    const QLocale locale;
    text += rowOfTable(tr("Predicted"), list.times().text(result.predictedUs));
    if (list.hasMeasurements())
        text += rowOfTable(tr("Measured"), measuredText(list, row));
    if (const auto error = predictionError(result))
        text += rowOfTable(tr("Prediction error"), signedPercentText(*error));
    text += rowOfTable(tr("Time / best"), locale.toString(list.ratioAt(row), 'f', 3));
    text += rowOfTable(tr("Place"), locale.toString(list.placeAt(row)));
    return text + QStringLiteral("</table>");
}

QString AllocationText::line(const AllocationList& list, int row)
{
    const AllocationResult& result = list.at(row);
    QString text = tr("Place %1: nodes %2; predicted %3, %4 times the best")
                       .arg(QLocale().toString(list.placeAt(row)),
                            result.nodes.isEmpty() ? result.label
                                                   : result.nodes.join(QStringLiteral(", ")),
                            list.times().text(result.predictedUs),
                            QLocale().toString(list.ratioAt(row), 'f', 3));
    if (result.measuredUs)
        text += tr("; measured %1").arg(measuredText(list, row));
    return text;
}

} // namespace tasuki
