// SPDX-License-Identifier: GPL-3.0-or-later
#include "allocationpicture.h"

#include "allocationtext.h"

#include <QFontInfo>
#include <QFontMetricsF>
#include <QLocale>

#include <algorithm>

namespace tasuki {

namespace {

constexpr qsizetype mostTaskTitles = 8;
/// A look at so many labels says how much room words take.
constexpr int lookedAt = 200;
constexpr int widestInDigits = 4;

/// Text on paper is as large as on screen only if its size is not in points.
QFont inPixels(QFont font)
{
    font.setPixelSize(QFontInfo(font).pixelSize());
    return font;
}

} // namespace

AllocationPicture::AllocationPicture(const AllocationList& list)
    : m_list(list), m_order(list.order())
{}

void AllocationPicture::dress(const QPalette& palette, const QFont& font)
{
    m_picture.colours = ChartColours::of(palette);
    m_picture.font = inPixels(font);
}

bool AllocationPicture::takeList()
{
    m_largestUs = 0.0;
    for (int row = 0; row < m_list.count(); ++row) {
        const AllocationResult& result = m_list.at(row);
        m_largestUs = std::max({m_largestUs, result.predictedUs, result.measuredUs.value_or(0.0),
                                result.measuredRange ? result.measuredRange->highUs : 0.0});
    }
    if (m_order == m_list.order())
        return false;
    m_order = m_list.order();
    m_window.first = 0;
    return true;
}

void AllocationPicture::make(QSizeF size)
{
    const QRectF area(QPointF(0, 0), size);
    fillTexts();
    m_picture.note.clear();
    m_picture.arrange(area);
    m_window.rows = m_list.count();
    m_window.worst = m_list.worstRow();
    m_window.capacity = std::min(m_picture.capacity(), ChartWindow::mostColumns);
    m_window.first = std::clamp(m_window.first, 0, m_window.lastFirst());
    // What it says depends on the width alone, and it takes of the height alone.
    m_picture.note = noteText();
    if (!m_picture.note.isEmpty())
        m_picture.arrange(area);
    fillColumns();
}

int AllocationPicture::rowAt(QPointF place) const
{
    const int column = m_picture.columnAt(place);
    return column < 0 ? -1 : m_picture.columns[static_cast<std::size_t>(column)].row;
}

/// Everything of the picture that does not depend on the room.
void AllocationPicture::fillTexts()
{
    m_picture.title = m_title.isEmpty() ? tr("Runtime of each allocation") : m_title;
    m_picture.summary = AllocationText::summary(m_list);
    m_picture.withMeasured = m_list.hasMeasurements();
    m_picture.largest = m_list.times().inUnit(m_largestUs);
    makeKeys();
    measureWords();
}

/// Words of nodes below each other, a line for each task, where they are short and few; else labels
/// as they are.
void AllocationPicture::measureWords()
{
    const QFontMetricsF metrics(m_picture.font);
    m_picture.taskTitles.clear();
    m_picture.widestWord = 0.0;
    const int rows = std::min(m_list.count(), lookedAt);
    double widestLabel = 0.0;
    bool lines = rows > 0;
    for (int row = 0; row < rows; ++row) {
        const AllocationResult& result = m_list.at(row);
        const QStringList words = result.label.split(QLatin1Char(' '), Qt::SkipEmptyParts);
        lines = lines && words.size() == static_cast<qsizetype>(result.allocation.size())
            && words.size() <= mostTaskTitles;
        for (const QString& word : words)
            m_picture.widestWord = std::max(m_picture.widestWord, metrics.horizontalAdvance(word));
        widestLabel = std::max(widestLabel, metrics.horizontalAdvance(result.label));
    }
    if (lines
        && m_picture.widestWord <= widestInDigits * metrics.horizontalAdvance(QLatin1Char('0'))) {
        for (std::size_t task = 0; task < m_list.at(0).allocation.size(); ++task)
            m_picture.taskTitles << tr("Task %1").arg(task);
    } else {
        m_picture.widestWord = widestLabel;
    }
}

void AllocationPicture::makeKeys()
{
    using Sign = ChartKey::Sign;
    std::vector<ChartKey>& keys = m_picture.keys;
    keys.clear();
    if (m_list.count() == 0)
        return;
    const auto add = [&](Sign sign, const QString& text) {
        keys.push_back({.sign = sign, .text = text, .rect = {}});
    };
    add(Sign::None, tr("Runtime (%1)").arg(m_list.times().unitName()));
    add(Sign::Predicted, tr("Predicted"));
    if (m_list.hasMeasurements())
        add(Sign::Measured, tr("Measured"));
    const bool unfinished = m_list.summary().isUnfinished();
    add(Sign::Best, unfinished ? tr("Predicted best so far") : tr("Predicted best"));
    if (m_list.hasMeasurements())
        add(Sign::BestMeasured, tr("Measured best"));
    if (!unfinished)
        add(Sign::Worst, tr("Predicted worst"));
}

ChartColumn AllocationPicture::columnOf(int row) const
{
    ChartColumn column;
    if (row < 0)
        return column;
    const AllocationResult& result = m_list.at(row);
    const TimeText& times = m_list.times();
    column.row = row;
    column.words = result.label.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    column.predicted = times.inUnit(result.predictedUs);
    if (result.measuredUs) {
        column.measured = times.inUnit(*result.measuredUs);
        column.low = column.high = *column.measured;
    }
    if (result.measuredUs && result.measuredRange) {
        column.low = times.inUnit(result.measuredRange->lowUs);
        column.high = times.inUnit(result.measuredRange->highUs);
    }
    column.best = row == m_list.bestRow();
    column.worst = row == m_list.worstRow() && m_list.count() > 1;
    column.bestMeasured = row == m_list.bestMeasuredRow();
    column.selected = row == m_list.selectedRow();
    return column;
}

void AllocationPicture::fillColumns()
{
    m_picture.columns.clear();
    for (const int row : m_window.columns())
        m_picture.columns.push_back(columnOf(row));
}

QString AllocationPicture::noteText() const
{
    const AllocationSummary& summary = m_list.summary();
    const QLocale locale;
    QStringList sentences;
    if (m_window.isPartial()) {
        sentences << tr("%1 to %2 of %3 shown; scroll for the others.")
                         .arg(locale.toString(m_window.first + 1),
                              locale.toString(m_window.first + m_window.shown()),
                              locale.toString(m_window.rows));
    }
    if (summary.tried > summary.listed && summary.listed > 0) {
        sentences << tr("%1 slower ones are left out.")
                         .arg(locale.toString(qulonglong{summary.tried - summary.listed}));
    }
    return sentences.join(QLatin1Char(' '));
}

} // namespace tasuki
