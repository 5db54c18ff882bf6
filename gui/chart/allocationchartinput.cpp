// SPDX-License-Identifier: GPL-3.0-or-later
#include "allocationchart.h"
#include "allocationtext.h"

#include <QCoreApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>

namespace tasuki {

int AllocationChart::rowAt(QPointF place) const
{
    const int column = m_picture.columnAt(place);
    return column < 0 ? -1 : m_picture.columns[static_cast<std::size_t>(column)].row;
}

bool AllocationChart::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != &canvas())
        return QWidget::eventFilter(watched, event);
    switch (event->type()) {
    case QEvent::MouseButtonPress: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        setFocus(Qt::MouseFocusReason);
        const int row = rowAt(mouse->position());
        if (mouse->button() == Qt::LeftButton && row >= 0)
            m_list.selectRow(row);
        return true;
    }
    case QEvent::ToolTip: {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int row = rowAt(help->pos());
        if (row >= 0) {
            const QRectF rect = m_picture.rectOf(m_picture.columnAt(help->pos()));
            QToolTip::showText(help->globalPos(), AllocationText::toolTip(m_list, row), &canvas(),
                               rect.toRect());
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    case QEvent::Wheel:
        if (m_window.isPartial())
            QCoreApplication::sendEvent(m_scroll, event);
        return m_window.isPartial();
    default: return QWidget::eventFilter(watched, event);
    }
}

void AllocationChart::step(int rows)
{
    if (m_list.count() == 0)
        return;
    const int from = m_list.selectedRow();
    const int to = from < 0 ? m_window.first : std::clamp(from + rows, 0, m_list.count() - 1);
    m_list.selectRow(to);
}

void AllocationChart::keyPressEvent(QKeyEvent* event)
{
    const int page = std::max(1, m_window.shown() - 1);
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

} // namespace tasuki
