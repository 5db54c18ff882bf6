// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkedline.h"

#include "views/theme.h"
#include "wrappedwords.h"

#include <QPainter>

namespace tasuki {

CheckedLine::CheckedLine(Check check, QWidget* parent)
    : QLineEdit(parent), m_check(std::move(check))
{
    connect(this, &QLineEdit::textChanged, this, &CheckedLine::look);
    look();
}

void CheckedLine::look()
{
    const QString problem = m_check(text());
    if (problem == m_problem)
        return;
    m_problem = problem;
    renewToolTip();
    QPalette colours; // without colours of its own: as the parent
    if (!problem.isEmpty())
        colours.setColor(QPalette::Base, theme::tint(theme::Tint::Failure, colours));
    setPalette(problem.isEmpty() ? QPalette() : colours);
    Q_EMIT problemChanged(problem);
}

void CheckedLine::setExplanation(const QString& explanation)
{
    m_explanation = explanation;
    renewToolTip();
}

void CheckedLine::renewToolTip()
{
    const bool right = m_problem.isEmpty();
    setToolTip(right ? wrapped(m_explanation) : m_problem);
    setAccessibleDescription(right ? m_explanation : m_problem);
}

void CheckedLine::paintEvent(QPaintEvent* event)
{
    QLineEdit::paintEvent(event);
    if (m_problem.isEmpty())
        return;
    QPainter painter(this);
    painter.setPen(QPen(theme::wrong(palette()), 2));
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

} // namespace tasuki
