// SPDX-License-Identifier: GPL-3.0-or-later
#include "bardiagram.h"

#include "chartitems.h"
#include "chartpicture.h"

#include <QBarCategoryAxis>
#include <QBarSeries>
#include <QBarSet>
#include <QChart>
#include <QChartView>
#include <QValueAxis>

#include <algorithm>

namespace tasuki {

namespace {

/// Tells its size when the chart has it.
class Canvas : public QChartView {
public:
    Canvas(QChart* chart, std::function<void()> resized)
        : QChartView(chart), m_resized(std::move(resized))
    {}

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        QChartView::resizeEvent(event);
        m_resized();
    }

private:
    std::function<void()> m_resized;
};

/// Changes only what is other, so that nothing else is painted anew.
void fill(QBarSet& set, const QList<qreal>& values)
{
    const auto count = static_cast<int>(values.size());
    for (int i = 0; i < std::min(set.count(), count); ++i) {
        if (set.at(i) != values[i])
            set.replace(i, values[i]);
    }
    if (set.count() > count)
        set.remove(count, set.count() - count);
    else if (set.count() < count)
        set.append(values.mid(set.count()));
}

} // namespace

BarDiagram::BarDiagram(const ChartPicture& picture, std::function<void()> resized)
    : m_picture(picture),
      m_chart(new QChart),
      m_view(new Canvas(m_chart, std::move(resized))),
      m_series(new QBarSeries),
      m_bars{new QBarSet(QString()), new QBarSet(QString())},
      m_spare(m_bars[1]),
      m_columns(new QBarCategoryAxis),
      m_values(new QValueAxis),
      m_behind(new PictureItem(picture, PictureItem::Part::Behind, m_chart)),
      m_above(new PictureItem(picture, PictureItem::Part::Above, m_chart))
{
    m_chart->legend()->hide();
    m_chart->setBackgroundRoundness(0);
    m_chart->setBackgroundPen(Qt::NoPen);
    m_chart->setDropShadowEnabled(false);
    m_chart->setAnimationOptions(QChart::NoAnimation);
    m_chart->setLocalizeNumbers(true);
    m_series->setBarWidth(ChartPicture::groupWidth);
    m_series->append(m_bars[0]);
    m_chart->addSeries(m_series);
    m_columns->setLabelsVisible(false);
    m_columns->setGridLineVisible(false);
    m_chart->addAxis(m_columns, Qt::AlignBottom);
    m_chart->addAxis(m_values, Qt::AlignLeft);
    m_series->attachAxis(m_columns);
    m_series->attachAxis(m_values);

    m_view->setFocusPolicy(Qt::NoFocus);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setRenderHint(QPainter::Antialiasing);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

BarDiagram::~BarDiagram() = default;

QWidget& BarDiagram::canvas() const { return *m_view->viewport(); }

void BarDiagram::dress()
{
    const ChartColours& colours = m_picture.colours;
    m_chart->setBackgroundBrush(colours.background);
    m_view->setBackgroundBrush(colours.background);
    m_bars[0]->setBrush(colours.predicted);
    m_bars[0]->setPen(Qt::NoPen);
    m_bars[1]->setBrush(colours.measured);
    m_bars[1]->setPen(QPen(colours.measuredLine, 1.2));
    const std::array<QAbstractAxis*, 2> axes{m_columns, m_values};
    for (QAbstractAxis* axis : axes) {
        axis->setLinePen(QPen(colours.axis, 1.0));
        axis->setGridLinePen(QPen(colours.grid, 1.0));
        axis->setLabelsColor(colours.dimText);
        axis->setLabelsFont(m_picture.font);
    }
}

void BarDiagram::show()
{
    m_chart->setPlotArea(m_picture.plot);
    fillBars();
    fillAxes();
    m_behind->renew();
    m_above->renew();
}

void BarDiagram::fillBars()
{
    QList<qreal> predicted;
    QList<qreal> measured;
    for (const ChartColumn& column : m_picture.columns) {
        predicted << column.predicted;
        measured << column.measured.value_or(0.0);
    }
    fill(*m_bars[0], predicted);
    fill(*m_bars[1], measured);
    if (m_picture.withMeasured && m_spare)
        m_series->append(m_spare.release());
    else if (!m_picture.withMeasured && !m_spare && m_series->take(m_bars[1]))
        m_spare.reset(m_bars[1]);
}

void BarDiagram::fillAxes()
{
    const auto count = static_cast<int>(m_picture.columns.size());
    if (m_columns->count() != count) {
        QStringList names;
        for (int column = 0; column < count; ++column)
            names << QString::number(column);
        m_columns->setCategories(names);
        if (count > 0)
            m_columns->setRange(names.front(), names.back());
    }
    const ChartScale& scale = m_picture.scale;
    m_columns->setVisible(count > 0);
    m_values->setVisible(count > 0);
    m_values->setRange(0.0, scale.maximum);
    m_values->setTickCount(scale.ticks());
    m_values->setLabelFormat(QStringLiteral("%.%1f").arg(scale.decimals));
}

} // namespace tasuki
