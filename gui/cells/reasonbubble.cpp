// SPDX-License-Identifier: GPL-3.0-or-later
#include "reasonbubble.h"

#include "views/theme.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>

namespace tasuki {

namespace {

constexpr int bubbleMargin = 6;
constexpr int bubbleGap = 2;
constexpr int widestBubble = 380;

} // namespace

ReasonBubble::ReasonBubble(CheckedLine& line) : QLabel(line.parentWidget()), m_line(&line)
{
    setObjectName(QStringLiteral("reason"));
    setWordWrap(true);
    setMargin(bubbleMargin);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Window); // in a table it would be the table's
    setForegroundRole(QPalette::WindowText);
    setTextFormat(Qt::PlainText);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
    line.installEventFilter(this);
    connect(&line, &CheckedLine::problemChanged, this, &ReasonBubble::renew);
    connect(&line, &QObject::destroyed, this, &QObject::deleteLater);
    renew();
}

void ReasonBubble::renew()
{
    const bool wanted = m_line && m_line->isVisible() && !m_line->problem().isEmpty();
    setVisible(wanted);
    if (!wanted)
        return;
    QPalette colours;
    colours.setColor(QPalette::Window, theme::tint(theme::Tint::Failure, colours));
    setPalette(colours);
    setText(m_line->problem());
    const QRect room = parentWidget()->rect();
    const QRect line = m_line->geometry();
    const int oneLine = fontMetrics().horizontalAdvance(text()) + 2 * bubbleMargin + 2;
    const int width = std::min({oneLine, widestBubble, room.width()});
    const int height = heightForWidth(width);
    QRect place(line.left(), line.bottom() + 1 + bubbleGap, width, height);
    if (place.bottom() > room.bottom() && line.top() - bubbleGap >= height)
        place.moveBottom(line.top() - bubbleGap - 1);
    place.moveRight(std::min(place.right(), room.right()));
    place.moveLeft(std::max(place.left(), 0));
    setGeometry(place);
    raise();
}

bool ReasonBubble::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::Move:
    case QEvent::Resize:
    case QEvent::Show:
    case QEvent::Hide:
        QMetaObject::invokeMethod(this, &ReasonBubble::renew, Qt::QueuedConnection);
        break;
    default: break;
    }
    return QLabel::eventFilter(watched, event);
}

void ReasonBubble::paintEvent(QPaintEvent* event)
{
    QLabel::paintEvent(event);
    QPainter painter(this);
    painter.setPen(theme::wrong(palette()));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

} // namespace tasuki
