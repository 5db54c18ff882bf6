// SPDX-License-Identifier: GPL-3.0-or-later
#include "lanearea.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>

namespace tasuki {

LaneArea::LaneArea(QWidget* parent) : QAbstractScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    viewport()->setCursor(Qt::ArrowCursor);
}

void LaneArea::setScrollRange(const LaneLayout& layout, int rows)
{
    verticalScrollBar()->setRange(0, layout.largestScroll());
    verticalScrollBar()->setPageStep(layout.height);
    verticalScrollBar()->setSingleStep(layout.rowHeight() * rows);
}

void LaneArea::scrollToRow(const LaneLayout& layout, std::size_t row)
{
    const int top = layout.yOf(row);
    const int below = top + layout.rowHeight() - layout.height;
    if (top < 0)
        verticalScrollBar()->setValue(layout.scroll + top);
    else if (below > 0)
        verticalScrollBar()->setValue(layout.scroll + below);
}

bool LaneArea::viewportEvent(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = describe(help->pos());
    if (text.isEmpty())
        QToolTip::hideText();
    else // hidden when the pointer leaves the place that it is about
        QToolTip::showText(help->globalPos(), text, viewport(),
                           QRect(help->pos() - QPoint(3, 3), QSize(6, 6)));
    return true;
}

void LaneArea::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    placeParts();
}

void LaneArea::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    switch (event->type()) {
    case QEvent::PaletteChange:
    case QEvent::FontChange:
    case QEvent::StyleChange:
    case QEvent::LanguageChange: restyle(); break;
    default: break;
    }
}

void LaneArea::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)
        return;
    m_pressed = event->position().toPoint();
    m_dragged = *m_pressed;
    m_dragging = false;
}

void LaneArea::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_pressed || !canBeDragged())
        return;
    const QPoint position = event->position().toPoint();
    if (!m_dragging
        && (position - *m_pressed).manhattanLength() < QApplication::startDragDistance())
        return;
    if (!m_dragging)
        viewport()->setCursor(Qt::ClosedHandCursor);
    m_dragging = true;
    const QPoint moved = m_dragged - position;
    m_dragged = position;
    if (moved.y() != 0)
        verticalScrollBar()->setValue(verticalScrollBar()->value() + moved.y());
    if (moved.x() != 0)
        panBy(moved.x());
}

void LaneArea::mouseReleaseEvent(QMouseEvent* event)
{
    if (!m_pressed)
        return;
    const bool isClick = !m_dragging && event->button() == Qt::LeftButton;
    m_pressed.reset();
    m_dragging = false;
    viewport()->setCursor(Qt::ArrowCursor);
    if (isClick)
        clicked(event->position().toPoint());
}

} // namespace tasuki
