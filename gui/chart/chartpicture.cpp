// SPDX-License-Identifier: GPL-3.0-or-later
#include "chartpicture.h"

#include <QFontMetricsF>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace tasuki {

namespace {

constexpr double keyGap = 18.0;
constexpr double leastPlotHeight = 64.0;
constexpr double mostUprightHeight = 110.0;
constexpr double pixelsPerTick = 30.0;

double heightOf(const QFont& font, const QString& text, double width)
{
    if (text.isEmpty())
        return 0.0;
    constexpr double tall = 10'000.0;
    return std::ceil(QFontMetricsF(font)
                         .boundingRect(QRectF(0, 0, width, tall), Qt::TextWordWrap, text)
                         .height());
}

} // namespace

QFont ChartPicture::boldFont() const
{
    QFont bold = font;
    bold.setBold(true);
    return bold;
}

void ChartPicture::arrangeKeys(double left, double width)
{
    const QFontMetricsF metrics(font);
    const double height = metrics.height() + 2.0;
    double x = left;
    double y = 0.0;
    for (ChartKey& key : keys) {
        const double sign = key.sign == ChartKey::Sign::None ? 0.0 : signSize + between;
        const double needed = sign + std::ceil(metrics.horizontalAdvance(key.text));
        if (x > left && x + needed > left + width) {
            x = left;
            y += height;
        }
        key.rect = QRectF(x, y, needed, height);
        x += needed + keyGap;
    }
    m_keysHeight = keys.empty() ? 0.0 : y + height;
}

double ChartPicture::wordsHeight() const
{
    const double line = std::ceil(QFontMetricsF(font).height());
    if (!taskTitles.isEmpty())
        return line * static_cast<double>(taskTitles.size()) + 2.0 * between;
    return std::min(std::ceil(widestWord), mostUprightHeight) + 2.0 * between;
}

void ChartPicture::arrange(const QRectF& area)
{
    m_area = area;
    const QRectF inside = area.adjusted(margin, margin * 0.6, -margin, -margin * 0.6);
    const QFontMetricsF metrics(font);
    titleRect = QRectF(inside.left(), inside.top(), inside.width(),
                       title.isEmpty() ? 0.0 : std::ceil(QFontMetricsF(boldFont()).height()) + 2.0);
    summaryRect = QRectF(inside.left(), titleRect.bottom(), inside.width(),
                         heightOf(font, summary, inside.width()));
    arrangeKeys(inside.left(), inside.width());
    const double noteHeight = note.isEmpty() ? 0.0 : std::ceil(metrics.height()) + 2.0;
    noteRect = QRectF(inside.left(), inside.bottom() - noteHeight, inside.width(), noteHeight);
    double words = wordsHeight();
    const auto freeHeight = [&] {
        return noteRect.top() - words - summaryRect.bottom() - m_keysHeight - 3.0 * between;
    };
    if (freeHeight() < leastPlotHeight) {
        summaryRect.moveTop(titleRect.top());
        titleRect.setHeight(0.0);
    }
    if (freeHeight() < leastPlotHeight)
        words = between;
    if (freeHeight() < leastPlotHeight)
        summaryRect.setHeight(0.0);
    const double top = summaryRect.bottom() + between;
    for (ChartKey& key : keys)
        key.rect.translate(0.0, top);
    const double height = std::max(1.0, freeHeight());

    const double marks = 2.0 * (markSize + 2.0);
    scale = scaleFor(largest, std::max(3, static_cast<int>(height / pixelsPerTick)),
                     std::min(0.4, marks / height));
    const QString longest = QLocale().toString(scale.maximum, 'f', scale.decimals);
    double gutter = metrics.horizontalAdvance(longest);
    for (const QString& task : taskTitles)
        gutter = std::max(gutter, metrics.horizontalAdvance(task));
    const double left = inside.left() + std::ceil(gutter) + 2.0 * between;
    plot = QRectF(left, top + m_keysHeight + 2.0 * between, std::max(1.0, inside.right() - left),
                  height);
    wordsRect = QRectF(plot.left(), plot.bottom(), plot.width(), words);
}

int ChartPicture::capacity() const
{
    constexpr double leastBar = 6.0;
    const double word = taskTitles.isEmpty() ? QFontMetricsF(font).height() : widestWord + between;
    const double least = std::max(word, (withMeasured ? 2.0 : 1.5) * leastBar + between);
    return std::max(1, static_cast<int>(plot.width() / least));
}

double ChartPicture::columnWidth() const
{
    return plot.width() / static_cast<double>(std::max<std::size_t>(1, columns.size()));
}

double ChartPicture::centreOf(int column) const
{
    return plot.left() + (column + 0.5) * columnWidth();
}

double ChartPicture::yOf(double value) const
{
    return plot.bottom() - value / scale.maximum * plot.height();
}

QRectF ChartPicture::barOf(int column, bool measured) const
{
    const ChartColumn& one = columns[static_cast<std::size_t>(column)];
    const double group = columnWidth() * groupWidth;
    const double width = withMeasured ? group / 2.0 : group;
    const double left = centreOf(column) - group / 2.0 + (measured ? width : 0.0);
    const double y = yOf(measured ? one.measured.value_or(0.0) : one.predicted);
    return {QPointF(left, y), QPointF(left + width, plot.bottom())};
}

QRectF ChartPicture::rectOf(int column) const
{
    const double width = columnWidth();
    return {plot.left() + column * width, plot.top(), width, plot.height() + wordsRect.height()};
}

int ChartPicture::columnAt(QPointF place) const
{
    if (place.x() < plot.left() || place.x() >= plot.right() || place.y() < plot.top()
        || place.y() > wordsRect.bottom())
        return -1;
    const int column = static_cast<int>((place.x() - plot.left()) / columnWidth());
    return column < static_cast<int>(columns.size()) ? column : -1;
}

} // namespace tasuki
