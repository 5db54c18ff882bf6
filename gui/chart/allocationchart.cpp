// SPDX-License-Identifier: GPL-3.0-or-later
#include "allocationchart.h"

#include "allocationtext.h"

#include <QChart>
#include <QChartView>
#include <QCoreApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>

namespace tasuki {

AllocationChart::AllocationChart(AllocationList& list, QWidget* parent)
    : QWidget(parent),
      m_list(list),
      m_contents(list),
      m_diagram(m_contents.picture(), [this] { renew(); })
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
        m_contents.scrollTo(value);
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
    m_contents.setTitle(title);
    renew();
}

void AllocationChart::takeList()
{
    const bool isOtherOrder = m_contents.takeList();
    renew();
    if (isOtherOrder)
        takeSelection();
}

void AllocationChart::takeSelection()
{
    m_contents.bringSelectionIntoSight();
    renew();
}

/// Colours and font of the chart's own parts.
void AllocationChart::dress()
{
    m_contents.dress(palette(), font());
    m_diagram.dress();
}

void AllocationChart::renew()
{
    if (m_scroll == nullptr)
        return;
    m_contents.make(QSizeF(canvas().size()));
    m_diagram.show();
    describe();
    renewScroll();
}

void AllocationChart::renewScroll()
{
    const ChartWindow& window = m_contents.window();
    m_filling = true;
    m_scroll->setRange(0, window.lastFirst());
    m_scroll->setPageStep(std::max(1, window.shown()));
    m_scroll->setValue(window.first);
    m_filling = false;
    m_scroll->setVisible(window.isPartial());
}

void AllocationChart::describe()
{
    QString text = picture().summary;
    if (m_list.selectedRow() >= 0)
        text = AllocationText::line(m_list, m_list.selectedRow()) + QLatin1Char('\n') + text;
    if (text != accessibleDescription())
        setAccessibleDescription(text);
}

bool AllocationChart::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != &canvas())
        return QWidget::eventFilter(watched, event);
    switch (event->type()) {
    case QEvent::MouseButtonPress: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        setFocus(Qt::MouseFocusReason);
        const int row = m_contents.rowAt(mouse->position());
        if (mouse->button() == Qt::LeftButton && row >= 0)
            m_list.selectRow(row);
        return true;
    }
    case QEvent::ToolTip: {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int row = m_contents.rowAt(help->pos());
        if (row >= 0) {
            const QRectF rect = picture().rectOf(picture().columnAt(help->pos()));
            QToolTip::showText(help->globalPos(), AllocationText::toolTip(m_list, row), &canvas(),
                               rect.toRect());
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    case QEvent::Wheel:
        if (m_contents.window().isPartial())
            QCoreApplication::sendEvent(m_scroll, event);
        return m_contents.window().isPartial();
    default: return QWidget::eventFilter(watched, event);
    }
}

void AllocationChart::step(int rows)
{
    if (m_list.count() == 0)
        return;
    const int from = m_list.selectedRow();
    const int to = from < 0 ? m_contents.window().first
                            : std::clamp(from + rows, 0, m_list.count() - 1);
    m_list.selectRow(to);
}

void AllocationChart::keyPressEvent(QKeyEvent* event)
{
    const int page = std::max(1, m_contents.window().shown() - 1);
    switch (event->key()) {
    case Qt::Key_Left: step(-1); break;
    case Qt::Key_Right: step(1); break;
    case Qt::Key_PageUp: step(-page); break;
    case Qt::Key_PageDown: step(page); break;
    case Qt::Key_Home:
        if (m_list.count() > 0)
            m_list.selectRow(0);
        break;
    case Qt::Key_End:
        if (m_list.count() > 0)
            m_list.selectRow(m_list.count() - 1);
        break;
    default: QWidget::keyPressEvent(event);
    }
}

void AllocationChart::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    switch (event->type()) {
    case QEvent::PaletteChange:
    case QEvent::StyleChange:
    case QEvent::FontChange:
        dress();
        renew();
        break;
    case QEvent::LanguageChange: renew(); break;
    default: break;
    }
}

void AllocationChart::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void AllocationChart::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

void AllocationChart::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (!hasFocus())
        return;
    painter.setPen(QPen(palette().color(QPalette::Highlight), focusWidth));
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

QByteArray AllocationChart::drawn(ChartFormat format) const
{
    return drawScene(*chart().scene(), picture().area(), format, picture().title,
                     picture().colours.background);
}

} // namespace tasuki
