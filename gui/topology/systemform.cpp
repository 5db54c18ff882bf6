// SPDX-License-Identifier: GPL-3.0-or-later
#include "systemform.h"

#include "cells/wrappedwords.h"
#include "topologycells.h"
#include "views/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>

namespace tasuki {

namespace {

using config::TopologyField;

constexpr int lineCharacters = 10;

QString wordOf(DownPolicy policy)
{
    const std::string_view word = config::policyWord(policy);
    return QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
}

QLabel* makeNote()
{
    auto* note = new QLabel;
    note->setWordWrap(true);
    note->setTextFormat(Qt::PlainText);
    return note;
}

} // namespace

SystemForm::SystemForm(EditedTopology& document, QWidget* parent)
    : ValueForm(parent), m_document(document)
{
    auto* content = new QWidget;
    auto* columns = new QHBoxLayout(content);
    columns->setContentsMargins(16, 12, 16, 16);
    columns->setSpacing(40);
    const auto addColumn = [columns] {
        auto* grid = new QGridLayout;
        space(*grid);
        columns->addLayout(grid, 1);
        return grid;
    };
    QGridLayout* grid = addColumn();
    addTitle(*grid, tr("Heartbeats"),
             tr("Every processor says at this interval that it lives. One that is silent for long "
                "is a suspect and gets nothing new; after more silence it is killed, and a standby "
                "takes its rank over."));
    addField(*grid, TopologyField::HeartbeatMs, tr("Heart&beat"));
    addField(*grid, TopologyField::SuspectAfter, tr("Suspect &after"));
    addField(*grid, TopologyField::LostAfter, tr("L&ost after"));
    grid->setRowStretch(grid->rowCount(), 1);
    grid = addColumn();
    addTitle(*grid, tr("A subcluster is down"), explanation(TopologyField::Policy));
    addPolicy(*grid);
    addTitle(*grid, tr("A processor was cut off"), explanation(TopologyField::Rejoin));
    addRejoin(*grid);
    grid->setRowStretch(grid->rowCount(), 1);
    setWidget(content);
    connect(&document, &EditedTopology::changed, this, &SystemForm::renew);
    connect(&document, &EditedTopology::marksChanged, this, &SystemForm::renew);
    renew();
}

void SystemForm::addField(QGridLayout& grid, TopologyField field, const QString& label)
{
    const int row = grid.rowCount();
    m_lines[field] = addLine(
        grid, {.label = label, .name = fieldName(field), .explanation = explanation(field)},
        lineCharacters,
        [this, field](const QString& text) { return m_document.problem(field, text); },
        [this, field] { return editText(m_document.topology(), field); },
        [this, field](const QString& text) { m_document.setSystem(field, text); });
    m_units[field] = new QLabel;
    grid.addWidget(m_units[field], row, 2, 1, 2);
}

void SystemForm::addPolicy(QGridLayout& grid)
{
    m_policy = new QComboBox;
    for (const DownPolicy policy : config::policies)
        m_policy->addItem(policyName(policy), wordOf(policy));
    m_policy->setAccessibleName(fieldName(TopologyField::Policy));
    m_policy->setToolTip(wrapped(explanation(TopologyField::Policy)));
    auto* name = new QLabel(tr("The othe&rs"));
    name->setBuddy(m_policy);
    const int row = grid.rowCount();
    grid.addWidget(name, row, 0);
    grid.addWidget(m_policy, row, 1, 1, 2, Qt::AlignLeft);
    m_units[TopologyField::Policy] = makeNote();
    grid.addWidget(m_units[TopologyField::Policy], row + 1, 1, 1, 3);
    connect(m_policy, &QComboBox::activated, this, [this] {
        m_document.setSystem(TopologyField::Policy, m_policy->currentData().toString());
    });
}

void SystemForm::addRejoin(QGridLayout& grid)
{
    m_rejoin = new QCheckBox(tr("May &come back as a standby"));
    m_rejoin->setAccessibleName(fieldName(TopologyField::Rejoin));
    m_rejoin->setToolTip(wrapped(explanation(TopologyField::Rejoin)));
    const int row = grid.rowCount();
    grid.addWidget(m_rejoin, row, 0, 1, 4);
    m_units[TopologyField::Rejoin] = makeNote();
    grid.addWidget(m_units[TopologyField::Rejoin], row + 1, 0, 1, 4);
    connect(m_rejoin, &QCheckBox::clicked, this, [this](bool checked) {
        m_document.setSystem(TopologyField::Rejoin,
                             checked ? QStringLiteral("true") : QStringLiteral("false"));
    });
}

void SystemForm::renew()
{
    renewLines();
    const config::Topology& topology = m_document.topology();
    m_policy->setCurrentIndex(m_policy->findData(wordOf(topology.policy)));
    m_units[TopologyField::HeartbeatMs]->setText(tr("milliseconds"));
    const auto silence = [&topology](std::uint32_t beats) {
        return tr("heartbeats, that is %1 ms")
            .arg(QLocale().toString(qlonglong{beats * topology.heartbeat.count()}));
    };
    m_units[TopologyField::SuspectAfter]->setText(silence(topology.suspectAfter));
    m_units[TopologyField::LostAfter]->setText(silence(topology.lostAfter));
    m_units[TopologyField::Policy]->clear();
    m_rejoin->setChecked(topology.rejoin);
    m_units[TopologyField::Rejoin]->clear();
    for (const auto& [field, unit] : m_units)
        renewMark(field, *unit);
}

/// Says behind a value what is wrong with it, or how the system runs.
void SystemForm::renewMark(TopologyField field, QLabel& unit) const
{
    const TopologyPlace place{.subcluster = {}, .field = field};
    QPalette colours = palette();
    const std::optional<QString> running = m_document.runningText(place);
    if (QString wrong = m_document.faultAt(place); !wrong.isEmpty()) {
        colours.setColor(QPalette::WindowText, theme::wrong(colours));
        unit.setText(wrong);
    } else if (running) {
        const QString known = field == TopologyField::Rejoin
            ? (*running == QStringLiteral("true") ? tr("yes") : tr("no"))
            : placeValue(place, *running);
        unit.setText(unit.text().isEmpty()
                         ? tr("The system runs with %1.").arg(known)
                         : tr("%1 (the system runs with %2)").arg(unit.text(), known));
    }
    unit.setPalette(colours);
    QFont letters = font();
    letters.setBold(running.has_value());
    valueOf(field)->setFont(letters);
}

QWidget* SystemForm::valueOf(TopologyField field) const
{
    if (const auto line = m_lines.find(field); line != m_lines.end())
        return line->second;
    return field == TopologyField::Rejoin ? static_cast<QWidget*>(m_rejoin) : m_policy;
}

void SystemForm::focus(TopologyField field)
{
    if (const auto found = m_lines.find(field); found != m_lines.end())
        found->second->selectAll();
    QWidget* const target = valueOf(field);
    ensureWidgetVisible(target);
    target->setFocus();
}

} // namespace tasuki
