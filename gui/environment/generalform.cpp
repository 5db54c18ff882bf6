// SPDX-License-Identifier: GPL-3.0-or-later
#include "generalform.h"

#include "models/wording.h"
#include "reasonbubble.h"
#include "valueline.h"

#include <QGridLayout>
#include <QLabel>

namespace tasuki {

namespace {

constexpr int fieldCharacters = 18;
constexpr int widestExplanation = 620;

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
    addTitle(*grid, tr("Messages"), tr("Longer ones wait for their receive before they travel."));
    addLine(*grid, GeneralField::EagerBytes, tr("Messages &wait above"), tr("bytes"));
    addTitle(*grid, tr("Links without figures of their own"),
             tr("A message of N bytes takes a0 + a1 N."));
    addLine(*grid, GeneralField::DefaultA0, tr("a&0"), tr("µs"));
    addLine(*grid, GeneralField::DefaultA1, tr("a&1"), tr("µs/byte"));
    addTitle(*grid, tr("Inside a node"), tr("Between tasks that share one."));
    addLine(*grid, GeneralField::InsideA0, tr("a0 in&side"), tr("µs"));
    addLine(*grid, GeneralField::InsideA1, tr("a1 insi&de"), tr("µs/byte"));
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
    auto* words = new QLabel(explanation);
    words->setForegroundRole(QPalette::PlaceholderText);
    words->setWordWrap(true);
    words->setMaximumWidth(widestExplanation);
    grid.addWidget(name, row, 0, 1, 4);
    grid.addWidget(words, row + 1, 0, 1, 4);
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
    line->setAccessibleName(fieldName(field));
    auto* name = new QLabel(label);
    name->setBuddy(line);
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
