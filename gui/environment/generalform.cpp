// SPDX-License-Identifier: GPL-3.0-or-later
#include "generalform.h"

#include <QGridLayout>
#include <QLabel>

namespace tasuki {

namespace {

constexpr int fieldCharacters = 18;
constexpr int gap = 12; ///< above a title, in pixels

} // namespace

GeneralForm::GeneralForm(EnvironmentDocument& document, QWidget* parent)
    : ValueForm(parent), m_document(document)
{
    auto* content = new QWidget;
    auto* grid = new QGridLayout(content);
    grid->setContentsMargins(16, 12, 16, 16);
    space(*grid);
    addTitle(*grid, tr("Trace"), tr("Where the trace was taken, nodes had this speed."));
    addField(*grid, GeneralField::TraceSpeed, tr("S&peed of the traced nodes"), tr("relative"));
    addTitle(*grid, tr("Messages"),
             tr("Longer ones wait for their receive before they travel. A send is over when the "
                "rest of its message fits in the send buffer of its link."),
             gap);
    addField(*grid, GeneralField::EagerBytes, tr("Messages &wait above"), tr("bytes"));
    addField(*grid, GeneralField::SendBufferBytes, tr("Send buffe&r"), tr("bytes"));
    addTitle(*grid, tr("Links without figures of their own"),
             tr("A message of N bytes takes a0 + a1 N. When a link with a burst has been idle, the "
                "burst goes through at once: a0 + a1 (N - burst), at least a0."),
             gap);
    addField(*grid, GeneralField::DefaultA0, tr("a&0"), tr("µs"));
    addField(*grid, GeneralField::DefaultA1, tr("a&1"), tr("µs/byte"));
    addField(*grid, GeneralField::DefaultBurst, tr("B&urst"), tr("bytes"));
    addTitle(*grid, tr("Inside a node"), tr("Between tasks that share one."), gap);
    addField(*grid, GeneralField::InsideA0, tr("a0 in&side"), tr("µs"));
    addField(*grid, GeneralField::InsideA1, tr("a1 insi&de"), tr("µs/byte"));
    addField(*grid, GeneralField::InsideBurst, tr("Burst &inside"), tr("bytes"));
    grid->setRowStretch(grid->rowCount(), 1);
    setWidget(content);

    connect(&document, &EnvironmentDocument::generalEdited, this, [this] { renewLines(); });
    connect(&document, &EnvironmentDocument::reset, this, [this] { renewLines(); });
}

void GeneralForm::addField(QGridLayout& grid, GeneralField field, const QString& label,
                           const QString& unit)
{
    const int row = grid.rowCount();
    ValueLine* const line = addLine(
        grid, {.label = label, .name = fieldName(field), .explanation = explanation(field)},
        fieldCharacters,
        [this, field](const QString& text) { return m_document.problem(field, text); },
        [this, field] { return editText(generalOf(m_document.environment()), field); },
        [this, field](const QString& text) { m_document.setGeneral(field, text); });
    line->setPlaceholderText(emptyText(field));
    grid.addWidget(new QLabel(unit), row, 2);
    m_lines[static_cast<std::size_t>(field)] = line;
}

ValueLine& GeneralForm::line(GeneralField field) const
{
    return *m_lines[static_cast<std::size_t>(field)];
}

} // namespace tasuki
