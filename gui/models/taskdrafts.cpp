// SPDX-License-Identifier: GPL-3.0-or-later
#include "taskdrafts.h"

#include "tasklist/settingspool.h"
#include "wording.h"

#include <QPointer>
#include <QUndoCommand>

#include <algorithm>

namespace tasuki {

/// Sets cells to values and back. Holds whole texts, not differences: what is undone after it was
/// sent is a new edit.
class TaskDrafts::EditCells final : public QUndoCommand {
public:
    EditCells(TaskDrafts& drafts, const QString& name, std::vector<Cell> cells)
        : QUndoCommand(name), m_drafts(drafts), m_cells(std::move(cells))
    {}

    void redo() override { set(&Cell::after); }
    void undo() override { set(&Cell::before); }

private:
    void set(QString Cell::*text)
    {
        QList<TaskId> tasks;
        for (const Cell& cell : m_cells) {
            m_drafts.m_table.setText(cell.task, cell.field, cell.*text);
            if (tasks.isEmpty() || tasks.last() != cell.task)
                tasks.append(cell.task);
        }
        Q_EMIT m_drafts.changed(tasks);
    }

    TaskDrafts& m_drafts;
    std::vector<Cell> m_cells;
};

TaskDrafts::TaskDrafts(Session& session, QObject* parent)
    : QObject(parent), m_session(session), m_table(session)
{
    connect(&session, &Session::changed, this,
            [this](const ChangeSet& changes) { settle(changes); });
    connect(&session, &Session::loadingChanged, this, [this] {
        ChangeSet all;
        all.allTasks = true;
        settle(all);
    });
}

TaskDrafts::~TaskDrafts() = default;

QString TaskDrafts::whyFixed(TaskId task, TaskField field) const
{
    if (m_session.showsRecord())
        return tr("A run file cannot be edited, only what its agent has.");
    if (task.value() >= m_session.state().tasks().size())
        return tr("The run has no such task.");
    if (whyNotEditable(m_session.state().task(task).state))
        return tr("Only queued and held tasks can be edited.");
    if (m_session.shortCommand(task))
        return tr("The command is too long to be edited here.");
    if (const TaskDraft* draft = this->draft(task);
        draft && draft->phase != TaskDraft::Phase::Local)
        return tr("The last change of this task is on its way.");
    if (!fieldIsText(m_table.record(task), field))
        return tr("This has bytes that are not UTF-8: edit it in the task list.");
    return {};
}

QString TaskDrafts::text(TaskId task, TaskField field) const
{
    const QString* text = m_table.text(task, field);
    return text ? *text : recordText(task, field);
}

QString TaskDrafts::recordText(TaskId task, TaskField field) const
{
    return fieldText(m_table.record(task), field);
}

QString TaskDrafts::problem(TaskId task, TaskField field) const
{
    const TaskDraft* draft = this->draft(task);
    return draft ? draft->problems[static_cast<std::size_t>(field)] : QString();
}

std::size_t TaskDrafts::conflicts() const
{
    return static_cast<std::size_t>(std::ranges::count_if(
        drafts(), [](const auto& draft) { return draft.second.conflict.has_value(); }));
}

void TaskDrafts::push(const QString& name, std::vector<Cell> cells)
{
    if (!cells.empty())
        m_undo.push(new EditCells(*this, name, std::move(cells)));
}

void TaskDrafts::edit(const QList<TaskId>& tasks, TaskField field, const QString& text)
{
    std::vector<Cell> cells;
    for (const TaskId task : tasks) {
        const QString before = this->text(task, field);
        if (before != text && whyFixed(task, field).isEmpty())
            cells.push_back({.task = task, .field = field, .before = before, .after = text});
    }
    const auto count = static_cast<int>(cells.size());
    push(tr("Edit %n task(s)", nullptr, count), std::move(cells));
}

void TaskDrafts::discard(const QList<TaskId>& tasks)
{
    std::vector<Cell> cells;
    QList<TaskId> gone;
    for (const TaskId task : tasks) {
        const TaskDraft* const mine = draft(task);
        if (!mine || mine->phase != TaskDraft::Phase::Local)
            continue;
        if (!m_table.isEditable(task)) {
            // Nothing can bring it back: it is not a step that could be undone.
            m_table.drop(task);
            gone.append(task);
            continue;
        }
        for (const TaskField field : allTaskFields) {
            if (const auto& text = mine->texts[static_cast<std::size_t>(field)])
                cells.push_back({.task = task,
                                 .field = field,
                                 .before = *text,
                                 .after = recordText(task, field)});
        }
    }
    if (!gone.isEmpty())
        Q_EMIT changed(gone);
    push(tr("Discard changes"), std::move(cells));
}

void TaskDrafts::discardAll()
{
    QList<TaskId> tasks;
    for (const auto& [task, draft] : drafts())
        tasks.append(task);
    discard(tasks);
}

bool TaskDrafts::keepMine(TaskId task)
{
    if (!m_table.rebase(task))
        return false;
    Q_EMIT changed({task});
    return true;
}

void TaskDrafts::settle(const ChangeSet& changes)
{
    if (drafts().empty() || m_session.loading())
        return;
    QList<TaskId> touched;
    for (auto next = drafts().begin(); next != drafts().end();) {
        const TaskId task = (next++)->first;
        const bool mentioned = changes.allTasks || task >= changes.firstNewTask
            || std::ranges::binary_search(changes.tasks, task);
        if (mentioned && m_table.settle(task))
            touched.append(task);
    }
    if (!touched.isEmpty())
        Q_EMIT changed(touched);
}

QString TaskDrafts::whyNotSendable() const
{
    if (drafts().empty())
        return tr("Nothing has been edited.");
    for (const auto& [task, draft] : drafts()) {
        if (draft.phase != TaskDraft::Phase::Local)
            return tr("The last changes are on their way.");
        if (!draft.valid())
            return tr("Task %1 has a cell that is wrong.").arg(task.value());
        if (draft.conflict)
            return tr("Task %1: %2").arg(task.value()).arg(wording::conflict(*draft.conflict));
    }
    if (!m_session.takesCommands())
        return tr("There is no connection to the agent.");
    return {};
}

void TaskDrafts::send()
{
    EditTasks command;
    std::vector<TaskId> tasks;
    QList<TaskId> touched;
    SettingsPool pool;
    for (const auto& [task, draft] : drafts()) {
        auto content = m_table.send(task);
        if (!content)
            continue;
        command.edits.push_back({.target = {.id = task, .base = draft.base},
                                 .command = std::move(content->command),
                                 .settings = pool.share(content->settings)});
        tasks.push_back(task);
        touched.append(task);
    }
    if (tasks.empty())
        return;
    Q_EMIT changed(touched);
    m_session.sendCommand(std::move(command),
                          [self = QPointer<TaskDrafts>(this),
                           tasks = std::move(tasks)](const Result<CommandAnswer>& answer) {
                              if (self)
                                  self->takeAnswer(tasks, answer);
                          });
}

void TaskDrafts::takeAnswer(const std::vector<TaskId>& tasks, const Result<CommandAnswer>& answer)
{
    for (const TaskId task : tasks)
        m_table.answer(task, answer && answer->accepted);
    if (answer) {
        for (const TaskConflict& conflict : answer->conflicts)
            m_table.object(conflict.id, conflict.cause);
    }
    if (!m_session.loading()) {
        for (const TaskId task : tasks)
            m_table.settle(task);
    }
    Q_EMIT changed(QList<TaskId>(tasks.begin(), tasks.end()));
    QString refusal;
    if (!answer)
        refusal = QString::fromStdString(answer.error().text());
    else if (!answer->accepted)
        refusal = answer->reason.empty() ? tr("The agent refused the change.")
                                         : wording::phrase(answer->reason);
    Q_EMIT answered(refusal);
}

Result<std::string> TaskDrafts::listText() const { return m_table.listText(); }

} // namespace tasuki
