// SPDX-License-Identifier: GPL-3.0-or-later
#include "valueform.h"

#include "explanation.h"
#include "reasonbubble.h"
#include "wrappedwords.h"

#include <QGridLayout>
#include <QLabel>

namespace tasuki {

ValueForm::ValueForm(QWidget* parent) : QScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setFocusPolicy(Qt::NoFocus);
}

void ValueForm::space(QGridLayout& grid)
{
    grid.setHorizontalSpacing(10);
    grid.setVerticalSpacing(6);
    grid.setColumnStretch(3, 1);
}

void ValueForm::addTitle(QGridLayout& grid, const QString& title, const QString& explanation,
                         int above)
{
    const int row = grid.rowCount();
    auto* name = new QLabel(title);
    QFont bold = font();
    bold.setBold(true);
    name->setFont(bold);
    name->setContentsMargins(0, above, 0, 0);
    grid.addWidget(name, row, 0, 1, 4);
    grid.addWidget(new Explanation(explanation), row + 1, 0, 1, 4);
}

ValueLine* ValueForm::addLine(QGridLayout& grid, const Words& words, int characters,
                              CheckedLine::Check check, std::function<QString()> value,
                              std::function<void(const QString&)> take)
{
    auto* line = new ValueLine(std::move(check), std::move(value), std::move(take));
    line->setAlignment(Qt::AlignRight);
    line->setFixedWidth(fontMetrics().averageCharWidth() * characters);
    line->setExplanation(words.explanation);
    line->setAccessibleName(words.name);
    auto* label = new QLabel(words.label);
    label->setBuddy(line);
    label->setToolTip(wrapped(words.explanation));
    const int row = grid.rowCount();
    grid.addWidget(label, row, 0);
    grid.addWidget(line, row, 1);
    m_lines.push_back(line);
    QMetaObject::invokeMethod(
        line, [line] { new ReasonBubble(*line); }, Qt::QueuedConnection);
    return line;
}

void ValueForm::renewLines()
{
    for (ValueLine* line : m_lines)
        line->renew();
}

bool ValueForm::finishEditing()
{
    for (ValueLine* line : m_lines) {
        if (!line->finish()) {
            line->setFocus();
            return false;
        }
    }
    return true;
}

} // namespace tasuki
