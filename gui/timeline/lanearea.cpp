// SPDX-License-Identifier: GPL-3.0-or-later
#include "lanearea.h"

#include "imageexport.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolButton>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace tasuki {

namespace {

constexpr double wheelNotch = 120;  ///< in Qt's units
constexpr double zoomOfWheel = 0.8; ///< the span after a notch, as a part of that before
constexpr double zoomOfKey = 1.5;   ///< how many times as much or as little
constexpr double panOfWheel = 80;   ///< pixels
constexpr double panStep = 0.1;     ///< part of the width
constexpr double panPage = 0.9;     ///< the same
constexpr int rowsOfScroll = 2;
constexpr int cornerMargin = 4;

} // namespace

LaneArea::LaneArea(LaneScene& scene, QWidget* parent) : QAbstractScrollArea(parent), m_scene(scene)
{
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    viewport()->setCursor(Qt::ArrowCursor);
    connect(&addButton(), &QToolButton::clicked, this, &LaneArea::showAll);
}

QToolButton& LaneArea::addButton()
{
    auto* button = new QToolButton(this);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::NoFocus); // the same is done by a key
    m_buttons.push_back(button);
    return *button;
}

void LaneArea::restyle()
{
    allButton().setText(tr("All"));
    allButton().setToolTip(tr("Show everything (F)"));
    retranslate();
    m_scene.setStyle(palette(), font());
    selectionMoved();
    placeParts();
}

void LaneArea::placeParts()
{
    m_scene.setGeometry(viewport()->size());
    const LaneLayout& layout = m_scene.layout();
    verticalScrollBar()->setRange(0, layout.largestScroll());
    verticalScrollBar()->setPageStep(layout.height);
    verticalScrollBar()->setSingleStep(layout.rowHeight() * rowsOfScroll);
    const QRect axis = m_scene.axisRect();
    int left = cornerMargin;
    for (QToolButton* button : m_buttons) {
        const QSize wanted = button->sizeHint();
        const QSize size(wanted.width(), std::min(wanted.height(), axis.height() - 2));
        button->setVisible(button->isEnabled() && !m_scene.isEmpty()
                           && left + size.width() < axis.left());
        button->setGeometry({QPoint(left, axis.top() + (axis.height() - size.height()) / 2), size});
        left += size.width() + cornerMargin / 2;
    }
    viewport()->update();
    if (m_toldLabelWidth == m_scene.ownLabelWidth())
        return;
    m_toldLabelWidth = m_scene.ownLabelWidth();
    Q_EMIT ownLabelWidthChanged();
}

void LaneArea::timeMoved()
{
    viewport()->update();
    Q_EMIT viewChanged();
}

void LaneArea::selectionMoved()
{
    viewport()->update();
    QString text = helpText() + QLatin1Char(' ')
        + tr("Arrow keys left and right select in the row, up and down in other rows, with Control "
             "they pan. Plus and minus zoom, F shows everything, Escape selects nothing.");
    if (const QString selected = m_scene.selectedText(); !selected.isEmpty())
        text = selected + QStringLiteral(". ") + text;
    if (text == accessibleDescription())
        return;
    setAccessibleDescription(text);
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

void LaneArea::bringIntoSight(const LanePlace& place)
{
    scrollToRow(place.row);
    const TimeWindow before = view().window();
    m_scene.view().reveal(place.time.begin, place.time.end());
    if (before != view().window())
        timeMoved();
}

void LaneArea::scrollToRow(std::size_t row)
{
    verticalScrollBar()->setValue(m_scene.layout().scrollTo(row));
}

void LaneArea::zoomIn() { zoomAt(1 / zoomOfKey, view().width() / 2); }

void LaneArea::zoomOut() { zoomAt(zoomOfKey, view().width() / 2); }

void LaneArea::zoomAt(double factor, double x)
{
    m_scene.view().zoom(factor, std::clamp(x, 0.0, view().width()));
    timeMoved();
}

void LaneArea::panBy(double pixels)
{
    m_scene.view().pan(pixels);
    timeMoved();
}

void LaneArea::showAll()
{
    m_scene.view().showAll();
    timeMoved();
}

void LaneArea::selectBeside(LaneScene::Side side)
{
    if (m_scene.selectBeside(side))
        selectedByKey();
}

void LaneArea::selectedByKey()
{
    selectionMoved();
    tellSelected();
    if (const auto place = m_scene.selectedPlace())
        bringIntoSight(*place);
}

void LaneArea::showLarge()
{
    const auto place = m_scene.selectedPlace();
    if (!place)
        return;
    m_scene.view().enlarge(place->time.begin, place->time.end());
    timeMoved();
    activated();
}

bool LaneArea::viewportEvent(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = m_scene.describe(help->pos());
    if (text.isEmpty())
        QToolTip::hideText();
    else // hidden when the pointer leaves the place that it is about
        QToolTip::showText(help->globalPos(), text, viewport(),
                           QRect(help->pos() - QPoint(3, 3), QSize(6, 6)));
    return true;
}

void LaneArea::paintEvent(QPaintEvent*)
{
    m_scene.setRatio(viewport()->devicePixelRatioF());
    QPainter painter(viewport());
    m_scene.paint(painter);
    if (!hasFocus() || !framesFocus())
        return;
    painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(viewport()->rect().adjusted(1, 1, -1, -1));
}

/// A scroll bar that goes away just before makes no event of its own.
void LaneArea::showEvent(QShowEvent* event)
{
    QAbstractScrollArea::showEvent(event);
    placeParts();
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

void LaneArea::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void LaneArea::focusOutEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

void LaneArea::scrollContentsBy(int, int)
{
    m_scene.setScroll(verticalScrollBar()->value());
    viewport()->update();
}

void LaneArea::wheelEvent(QWheelEvent* event)
{
    const QPoint delta = event->angleDelta();
    const double notches = (delta.x() != 0 ? delta.x() : delta.y()) / wheelNotch;
    const bool scrolls = verticalScrollBar()->maximum() > 0;
    if (m_scene.isEmpty()) {
        event->ignore();
        return;
    }
    if (event->modifiers().testFlag(Qt::ShiftModifier) || delta.x() != 0) {
        panBy(-notches * panOfWheel);
    } else if (event->modifiers().testFlag(Qt::ControlModifier) || !scrolls) {
        zoomAt(std::pow(zoomOfWheel, notches), event->position().x() - m_scene.rowsRect().left());
    } else {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    event->accept();
}

void LaneArea::keyPressEvent(QKeyEvent* event)
{
    if (m_scene.isEmpty() || !handleKey(*event))
        QAbstractScrollArea::keyPressEvent(event);
}

bool LaneArea::handleKey(const QKeyEvent& event)
{
    const auto modifiers = event.modifiers() & ~Qt::KeypadModifier;
    const bool shift = modifiers.testFlag(Qt::ShiftModifier);
    const bool sideways = event.key() == Qt::Key_Left || event.key() == Qt::Key_Right;
    if (sideways && (shift || modifiers.testFlag(Qt::ControlModifier))) {
        const double step = view().width() * (shift ? panPage : panStep);
        panBy(event.key() == Qt::Key_Left ? -step : step);
        return true;
    }
    // With others it is somebody else's shortcut.
    return (modifiers & ~Qt::ShiftModifier) == Qt::NoModifier
        && (handlePlainKey(event.key()) || takeKey(event.key()));
}

bool LaneArea::handlePlainKey(int key)
{
    switch (key) {
    case Qt::Key_Left: selectBeside(LaneScene::Side::Left); break;
    case Qt::Key_Right: selectBeside(LaneScene::Side::Right); break;
    case Qt::Key_Up: selectBeside(LaneScene::Side::Up); break;
    case Qt::Key_Down: selectBeside(LaneScene::Side::Down); break;
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoomIn(); break;
    case Qt::Key_Minus: zoomOut(); break;
    case Qt::Key_F: showAll(); break;
    case Qt::Key_Home:
        m_scene.view().showFirst();
        timeMoved();
        break;
    case Qt::Key_End:
        m_scene.view().showLast();
        timeMoved();
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter: showLarge(); break;
    case Qt::Key_Escape:
        if (!m_scene.hasSelection())
            return false;
        m_scene.selectNothing();
        selectionMoved();
        tellSelected();
        break;
    default: return false;
    }
    return true;
}

void LaneArea::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton || event->button() == Qt::MiddleButton)
        m_drag.press(event->position().toPoint());
}

void LaneArea::mouseMoveEvent(QMouseEvent* event)
{
    if (m_scene.isEmpty())
        return;
    const QPoint moved = m_drag.move(event->position().toPoint());
    if (m_drag.isDragging())
        viewport()->setCursor(Qt::ClosedHandCursor);
    if (moved.y() != 0)
        verticalScrollBar()->setValue(verticalScrollBar()->value() - moved.y());
    if (moved.x() != 0)
        panBy(-moved.x());
}

void LaneArea::mouseReleaseEvent(QMouseEvent* event)
{
    viewport()->setCursor(Qt::ArrowCursor);
    if (m_drag.release() && event->button() == Qt::LeftButton)
        selectAt(event->position().toPoint());
}

void LaneArea::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && selectAt(event->position().toPoint()))
        showLarge();
}

/// @return whether it is a place in the rows
bool LaneArea::selectAt(const QPoint& position)
{
    if (m_scene.isEmpty() || !m_scene.rowsRect().contains(position))
        return false;
    m_scene.selectAt(position);
    selectionMoved();
    tellSelected();
    return true;
}

Result<void> LaneArea::exportImage(const QString& path)
{
    const double ratio = viewport()->devicePixelRatioF();
    return ImageExport::write(path, viewport()->size(), ratio, accessibleName(),
                              [this, ratio](QPainter& painter, bool vector) {
                                  if (vector) {
                                      m_scene.paintShapes(painter);
                                      return;
                                  }
                                  m_scene.setRatio(ratio);
                                  m_scene.paint(painter);
                              });
}

} // namespace tasuki
