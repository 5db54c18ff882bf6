// SPDX-License-Identifier: GPL-3.0-or-later
#include "generalform.h"

#include "cells/explanation.h"
#include "cells/reasonbubble.h"
#include "cells/valueline.h"
#include "cells/wrappedwords.h"
#include "models/wording.h"

#include <QGridLayout>
#include <QLabel>

#include <algorithm>

namespace tasuki {

namespace {

constexpr int fieldCharacters = 18;

} // namespace

GeneralForm::GeneralForm(EnvironmentDocument& document, QWidget* parent)
    : QScrollArea(parent), m_document(document)
{
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setFocusPolicy(Qt::NoFocus);
    auto* content = new QWidget;
    auto* grid = new QGridLayout(content);
    grid->setContentsMargins(16, 12, 16, 16);
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(6);
    addTitle(*grid, tr("Trace"), tr("Where the trace was taken, nodes had this speed."));
    addLine(*grid, GeneralField::TraceSpeed, tr("S&peed of the traced nodes"), tr("relative"));
    addTitle(*grid, tr("Messages"),
             tr("Longer ones wait for their receive before they travel. A send is over when the "
                "rest of its message fits in the send buffer of its link."));
    addLine(*grid, GeneralField::EagerBytes, tr("Messages &wait above"), tr("bytes"));
    addLine(*grid, GeneralField::SendBufferBytes, tr("Send buffe&r"), tr("bytes"));
    addTitle(*grid, tr("Links without figures of their own"),
             tr("A message of N bytes takes a0 + a1 N. When a link with a burst has been idle, the "
                "burst goes through at once: a0 + a1 (N - burst), at least a0."));
    addLine(*grid, GeneralField::DefaultA0, tr("a&0"), tr("µs"));
    addLine(*grid, GeneralField::DefaultA1, tr("a&1"), tr("µs/byte"));
    addLine(*grid, GeneralField::DefaultBurst, tr("B&urst"), tr("bytes"));
    addTitle(*grid, tr("Inside a node"), tr("Between tasks that share one."));
    addLine(*grid, GeneralField::InsideA0, tr("a0 in&side"), tr("µs"));
    addLine(*grid, GeneralField::InsideA1, tr("a1 insi&de"), tr("µs/byte"));
    addLine(*grid, GeneralField::InsideBurst, tr("Burst &inside"), tr("bytes"));
    grid->setColumnStretch(3, 1);
    grid->setRowStretch(grid->rowCount(), 1);
    setWidget(content);

    const auto renew = [this] {
        for (ValueLine* line : m_lines)
            line->renew();
    };
    connect(&document, &EnvironmentDocument::generalEdited, this, renew);
    connect(&document, &EnvironmentDocument::reset, this, renew);
}

void GeneralForm::addTitle(QGridLayout& grid, const QString& title, const QString& explanation)
{
    const int row = grid.rowCount();
    auto* name = new QLabel(title);
    QFont bold = font();
    bold.setBold(true);
    name->setFont(bold);
    if (row > 1)
        name->setContentsMargins(0, 12, 0, 0);
    grid.addWidget(name, row, 0, 1, 4);
    grid.addWidget(new Explanation(explanation), row + 1, 0, 1, 4);
}

void GeneralForm::addLine(QGridLayout& grid, GeneralField field, const QString& label,
                          const QString& unit)
{
    auto* line = new ValueLine(
        [this, field](const QString& text) { return m_document.problem(field, text); },
        [this, field] { return editText(generalOf(m_document.environment()), field); },
        [this, field](const QString& text) { m_document.setGeneral(field, text); });
    line->setAlignment(Qt::AlignRight);
    line->setFixedWidth(fontMetrics().averageCharWidth() * fieldCharacters);
    line->setPlaceholderText(emptyText(field));
    line->setExplanation(explanation(field));
    line->setAccessibleName(fieldName(field));
    auto* name = new QLabel(label);
    name->setBuddy(line);
    name->setToolTip(wrapped(explanation(field)));
    const int row = grid.rowCount();
    grid.addWidget(name, row, 0);
    grid.addWidget(line, row, 1);
    grid.addWidget(new QLabel(unit), row, 2);
    m_lines[static_cast<std::size_t>(field)] = line;
    // The line gets its parent with the layout.
    QMetaObject::invokeMethod(
        line, [line] { new ReasonBubble(*line); }, Qt::QueuedConnection);
}

ValueLine& GeneralForm::line(GeneralField field) const
{
    return *m_lines[static_cast<std::size_t>(field)];
}

bool GeneralForm::finishEditing()
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
