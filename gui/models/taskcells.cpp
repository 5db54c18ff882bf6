// SPDX-License-Identifier: GPL-3.0-or-later
#include "taskcells.h"

#include "exportvalue.h"
#include "wording.h"

#include <algorithm>

namespace tasuki {

namespace {

constexpr std::size_t mostShownBytes = 1'000;
constexpr std::size_t mostToolTipBytes = 4'000;

/// The beginning of a command on one line.
QString lineOf(std::string_view command)
{
    QString line = wording::text(command.substr(0, mostShownBytes));
    return line.replace(QLatin1Char('\n'), QLatin1Char(' '));
}

QString textOrNothing(const std::string* text) { return text ? wording::text(*text) : QString(); }

} // namespace

TaskView TaskCells::view(TaskId task) const
{
    const AttemptEntry* latest = m_history.latest(task);
    return {.id = task,
            .record = m_session.state().task(task),
            .latest = latest,
            .holder = latest ? &m_history.holder(*latest) : nullptr};
}

bool TaskCells::isEditable(TaskId task, TaskColumn column) const
{
    const auto field = fieldOf(column);
    return m_drafts && field && m_drafts->whyFixed(task, *field).isEmpty();
}

QVariant TaskCells::data(TaskId task, TaskColumn column, int role) const
{
    switch (role) {
    case Qt::DisplayRole: return display(view(task), column);
    case Qt::EditRole:
    case Qt::ToolTipRole:
    case DraftRole:
    case ProblemRole:
    case ConflictRole:
    case TheirsRole: return draftData(task, column, role);
    case Qt::TextAlignmentRole: return alignment(column);
    case TaskIdRole: return task.value();
    case TaskStateRole: return static_cast<int>(m_session.state().task(task).state);
    case RawRole: return raw(view(task), column);
    case exportRole: return exported(view(task), column);
    default: return {};
    }
}

QVariant TaskCells::alignment(TaskColumn column)
{
    const bool text = sortsByText(column) || column == TaskColumn::State
        || column == TaskColumn::Result;
    return QVariant((text ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
}

QVariant TaskCells::display(const TaskView& task, TaskColumn column) const
{
    if (const auto field = fieldOf(column)) {
        if (m_drafts && m_drafts->draft(task.id))
            return m_drafts->text(task.id, *field);
        if (column == TaskColumn::Command)
            return lineOf(task.record.task.command);
        return fieldText({.command = {}, .settings = *task.record.task.settings}, *field);
    }
    switch (column) {
    case TaskColumn::State: return wording::state(task.record.state);
    case TaskColumn::Result:
        return task.hasResult() ? wording::outcome(task.record.lastOutcome, task.record.lastCode)
                                : QString();
    case TaskColumn::RanOn:
        return task.latest ? wording::rankCell(m_session.state().system(), task.latest->rank)
                           : QVariant();
    case TaskColumn::Attempts:
        return task.record.attempts == 0 ? QVariant() : QVariant(task.record.attempts);
    case TaskColumn::Started:
        return task.latest ? wording::time(task.latest->startedAt) : QString();
    case TaskColumn::RunTime:
        if (task.hasResult())
            return wording::duration(task.record.lastElapsed);
        if (task.latest && task.latest->running)
            return wording::duration(m_session.runNow() - task.latest->startedAt);
        return {};
    case TaskColumn::Printed:
        return task.hasOutput() ? wording::bytes(task.latest->printedBytes) : QString();
    case TaskColumn::Kept:
        return task.hasOutput() ? wording::bytes(task.latest->keptBytes) : QString();
    default: return raw(task, column);
    }
}

QVariant TaskCells::exported(const TaskView& task, TaskColumn column) const
{
    switch (column) {
    case TaskColumn::Started: return task.latest ? exportTime(task.latest->startedAt) : QString();
    case TaskColumn::RunTime:
        return task.hasResult() ? exportSeconds(task.record.lastElapsed) : QString();
    case TaskColumn::Printed:
    case TaskColumn::Kept:
        return task.hasOutput() ? QString::number(raw(task, column).toULongLong()) : QString();
    case TaskColumn::Command: return wording::text(task.record.task.command);
    default: return {};
    }
}

QVariant TaskCells::raw(const TaskView& task, TaskColumn column) const
{
    const Task& definition = task.record.task;
    switch (column) {
    case TaskColumn::Number: return task.id.value();
    case TaskColumn::State: return static_cast<int>(task.record.state);
    case TaskColumn::Attempts: return task.record.attempts;
    case TaskColumn::Result:
        return task.hasResult() ? QVariant(static_cast<int>(task.record.lastOutcome)) : QVariant();
    case TaskColumn::RanOn: return task.latest ? QVariant(task.latest->rank.value()) : QVariant();
    case TaskColumn::Host: return textOrNothing(task.holder ? &task.holder->host : nullptr);
    case TaskColumn::Started:
        return task.latest ? QVariant(qint64{task.latest->startedAt.time_since_epoch().count()})
                           : QVariant();
    case TaskColumn::RunTime:
        return task.hasResult() ? QVariant(qint64{task.record.lastElapsed.count()}) : QVariant();
    case TaskColumn::Printed:
        return task.hasOutput() ? QVariant(qulonglong{task.latest->printedBytes}) : QVariant();
    case TaskColumn::Kept:
        return task.hasOutput() ? QVariant(qulonglong{task.latest->keptBytes}) : QVariant();
    case TaskColumn::Label:
        return textOrNothing(definition.links ? &definition.links->label : nullptr);
    case TaskColumn::Stage: return definition.stage;
    case TaskColumn::Command: return wording::text(definition.command);
    default: break;
    }
    if (column == TaskColumn::Timeout)
        return definition.settings->timeout
            ? QVariant(qint64{definition.settings->timeout->count()})
            : QVariant();
    return fieldText({.command = {}, .settings = *definition.settings}, *fieldOf(column));
}

QVariant TaskCells::draftData(TaskId task, TaskColumn column, int role) const
{
    const TaskDraft* draft = m_drafts ? m_drafts->draft(task) : nullptr;
    const auto field = fieldOf(column);
    const bool edited = draft && field && draft->texts[static_cast<std::size_t>(*field)];
    const QString problem = edited ? m_drafts->problem(task, *field) : QString();
    const QString conflict = draft && draft->conflict ? wording::conflict(*draft->conflict)
                                                      : QString();
    switch (role) {
    case DraftRole: return edited || (draft && column == TaskColumn::Number);
    case ProblemRole: return problem;
    case ConflictRole: return conflict;
    case TheirsRole: return edited ? QVariant(m_drafts->recordText(task, *field)) : QVariant();
    case Qt::ToolTipRole:
        if (!problem.isEmpty())
            return problem;
        if (!conflict.isEmpty())
            return conflict;
        if (column == TaskColumn::Command)
            return wording::text(std::string_view(m_session.state().task(task).task.command)
                                     .substr(0, mostToolTipBytes));
        return {};
    default: break;
    }
    if (!field)
        return {};
    if (m_drafts)
        return m_drafts->text(task, *field);
    const Task& definition = m_session.state().task(task).task;
    return fieldText({.command = definition.command, .settings = *definition.settings}, *field);
}

} // namespace tasuki
