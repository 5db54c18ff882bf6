// SPDX-License-Identifier: GPL-3.0-or-later
#include "allocationchart.h"

#include "allocationtext.h"

#include <QChart>
#include <QChartView>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QLocale>
#include <QScrollBar>
#include <QVBoxLayout>

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

AllocationChart::AllocationChart(AllocationList& list, QWidget* parent)
    : QWidget(parent),
      m_list(list),
      m_diagram(m_picture, [this] { renew(); }),
      m_order(list.order())
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Runtime of each allocation"));
    m_diagram.canvas().installEventFilter(this);
    m_scroll = new QScrollBar(Qt::Horizontal);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setAccessibleName(tr("Which allocations the chart shows"));
    m_scroll->hide();
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(focusWidth, focusWidth, focusWidth, focusWidth);
    box->setSpacing(0);
    box->addWidget(&m_diagram.view(), 1);
    box->addWidget(m_scroll);

    connect(m_scroll, &QScrollBar::valueChanged, this, [this](int value) {
        if (m_filling)
            return;
        m_window.first = value;
        renew();
    });
    connect(&list, &AllocationList::renewed, this, &AllocationChart::takeList);
    connect(&list, &AllocationList::selectedChanged, this, &AllocationChart::takeSelection);
    dress();
    takeList();
}

AllocationChart::~AllocationChart() = default;

void AllocationChart::setTitle(const QString& title)
{
    m_title = title;
    renew();
}

void AllocationChart::takeList()
{
    m_largestUs = 0.0;
    for (int row = 0; row < m_list.count(); ++row) {
        const AllocationResult& result = m_list.at(row);
        m_largestUs = std::max({m_largestUs, result.predictedUs, result.measuredUs.value_or(0.0),
                                result.measuredRange ? result.measuredRange->highUs : 0.0});
    }
    if (m_order != m_list.order()) {
        m_order = m_list.order();
        m_window.first = 0;
        renew();
        takeSelection();
        return;
    }
    renew();
}

void AllocationChart::takeSelection()
{
    m_window.bringIntoSight(m_list.selectedRow());
    renew();
}

/// Colours and font of the chart's own parts.
void AllocationChart::dress()
{
    m_picture.colours = ChartColours::of(palette());
    m_picture.font = inPixels(font());
    m_diagram.dress();
}

void AllocationChart::renew()
{
    if (m_scroll == nullptr)
        return;
    makePicture();
    m_picture.note.clear();
    arrange();
    m_window.rows = m_list.count();
    m_window.worst = m_list.worstRow();
    m_window.capacity = std::min(m_picture.capacity(), ChartWindow::mostColumns);
    m_window.first = std::clamp(m_window.first, 0, m_window.lastFirst());
    // What it says depends on the width alone, and it takes of the height alone.
    m_picture.note = noteText();
    if (!m_picture.note.isEmpty())
        arrange();
    fillColumns();
    m_diagram.show();
    describe();
    renewScroll();
}

/// Everything of the picture that does not depend on the room.
void AllocationChart::makePicture()
{
    m_picture.title = m_title.isEmpty() ? tr("Runtime of each allocation") : m_title;
    m_picture.summary = AllocationText::summary(m_list);
    m_picture.withMeasured = m_list.hasMeasurements();
    m_picture.largest = m_list.times().inUnit(m_largestUs);
    makeKeys();
    measureWords();
}

void AllocationChart::arrange()
{
    m_picture.arrange(QRectF(QPointF(0, 0), QSizeF(canvas().size())));
}

/// Words of nodes below each other, a line for each task, where they are short and few; else labels
/// as they are.
void AllocationChart::measureWords()
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

void AllocationChart::makeKeys()
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

ChartColumn AllocationChart::columnOf(int row) const
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

void AllocationChart::fillColumns()
{
    m_picture.columns.clear();
    for (const int row : m_window.columns())
        m_picture.columns.push_back(columnOf(row));
}

QString AllocationChart::noteText() const
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

void AllocationChart::renewScroll()
{
    m_filling = true;
    m_scroll->setRange(0, m_window.lastFirst());
    m_scroll->setPageStep(std::max(1, m_window.shown()));
    m_scroll->setValue(m_window.first);
    m_filling = false;
    m_scroll->setVisible(m_window.isPartial());
}

void AllocationChart::describe()
{
    QString text = m_picture.summary;
    if (m_list.selectedRow() >= 0)
        text = AllocationText::line(m_list, m_list.selectedRow()) + QLatin1Char('\n') + text;
    if (text != accessibleDescription())
        setAccessibleDescription(text);
}

QByteArray AllocationChart::drawn(ChartFormat format) const
{
    return drawScene(*chart().scene(), m_picture.area(), format, m_picture.title,
                     m_picture.colours.background);
}

} // namespace tasuki
