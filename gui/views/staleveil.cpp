// SPDX-License-Identifier: GPL-3.0-or-later
#include "staleveil.h"

#include <QEvent>
#include <QPaintEvent>
#include <QPainter>

namespace tasuki {

StaleVeil::StaleVeil(QWidget& covered) : QWidget(&covered)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    covered.installEventFilter(this);
    setGeometry(covered.rect());
    hide();
}

bool StaleVeil::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        setGeometry(parentWidget()->rect());
    // New children come up in front.
    if (event->type() == QEvent::ChildAdded || event->type() == QEvent::LayoutRequest)
        raise();
    return QWidget::eventFilter(watched, event);
}

void StaleVeil::paintEvent(QPaintEvent* event)
{
    QPainter painter(this);
    QColor fog = palette().color(QPalette::Window);
    fog.setAlpha(120);
    painter.fillRect(event->rect(), fog);
    QColor lines = palette().color(QPalette::WindowText);
    lines.setAlpha(20);
    painter.fillRect(event->rect(), QBrush(lines, Qt::BDiagPattern));
}

} // namespace tasuki
