// SPDX-License-Identifier: GPL-3.0-or-later
#include "valueline.h"

#include <QKeyEvent>

namespace tasuki {

ValueLine::ValueLine(Check check, std::function<QString()> value,
                     std::function<void(const QString&)> take, QWidget* parent)
    : CheckedLine(std::move(check), parent), m_value(std::move(value)), m_take(std::move(take))
{
    renew();
}

void ValueLine::renew()
{
    if (!isModified() && text() != m_value())
        setText(m_value());
}

bool ValueLine::finish()
{
    if (!problem().isEmpty())
        return false;
    if (!isModified())
        return true;
    setModified(false);
    if (text() != m_value())
        m_take(text());
    setText(m_value());
    return true;
}

bool ValueLine::event(QEvent* event)
{
    // A line keeps these for what is typed; where nothing is, they are steps of the document.
    if (event->type() == QEvent::ShortcutOverride && !isModified()) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore();
            return true;
        }
    }
    return CheckedLine::event(event);
}

void ValueLine::keyPressEvent(QKeyEvent* event)
{
    if (!isModified()
        && (event->matches(QKeySequence::Undo) || event->matches(QKeySequence::Redo))) {
        event->ignore();
    } else if (event->key() == Qt::Key_Escape && isModified()) {
        setText(m_value());
        selectAll();
    } else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        if (finish())
            selectAll();
    } else {
        CheckedLine::keyPressEvent(event);
    }
}

void ValueLine::focusOutEvent(QFocusEvent* event)
{
    CheckedLine::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason && event->reason() != Qt::ActiveWindowFocusReason)
        finish();
}

} // namespace tasuki
