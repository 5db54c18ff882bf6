// SPDX-License-Identifier: GPL-3.0-or-later
#include "taskdrafts.h"

#include "tasklist/settingspool.h"
#include "wording.h"

#include <QPointer>
#include <QUndoCommand>

#include <algorithm>

namespace tasuki {

namespace {

std::size_t at(TaskField field) { return static_cast<std::size_t>(field); }

bool anySet(const std::array<std::optional<QString>, taskFieldCount>& texts)
{
    return std::ranges::any_of(texts, [](const auto& text) { return text.has_value(); });
}

/// @return why a state keeps a task from being edited
std::optional<ConflictCause> causeOf(TaskState state)
{
    switch (state) {
    case TaskState::Queued:
    case TaskState::Held: return std::nullopt;
    case TaskState::Running: return ConflictCause::Started;
    case TaskState::Removed: return ConflictCause::Removed;
    case TaskState::Succeeded:
    case TaskState::Failed:
    case TaskState::Skipped:
    case TaskState::Cancelled: return ConflictCause::Finished;
    }
    return std::nullopt;
}

} // namespace

bool TaskDraft::valid() const
{
    return std::ranges::all_of(problems, [](const QString& problem) { return problem.isEmpty(); });
}

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
            m_drafts.setText(cell.task, cell.field, cell.*text);
            if (tasks.isEmpty() || tasks.last() != cell.task)
                tasks.append(cell.task);
        }
        Q_EMIT m_drafts.changed(tasks);
    }

    TaskDrafts& m_drafts;
    std::vector<Cell> m_cells;
};

TaskDrafts::TaskDrafts(Session& session, QObject* parent) : QObject(parent), m_session(session)
{
    connect(&session, &Session::changed, this,
            [this](const ChangeSet& changes) { settle(changes); });
    connect(&session, &Session::loadingChanged, this, [this] {
        if (!m_session.loading() && !m_drafts.empty())
            settleAll();
    });
}

TaskDrafts::~TaskDrafts() = default;

bool TaskDrafts::isEditable(TaskId task) const
{
    const auto& tasks = m_session.state().tasks();
    return m_session.kind() == SourceKind::Agent && task.value() < tasks.size()
        && !causeOf(tasks[task.value()].state) && !m_session.shortCommand(task);
}

QString TaskDrafts::whyFixed(TaskId task, TaskField field) const
{
    if (m_session.kind() != SourceKind::Agent)
        return tr("A run file cannot be edited, only what its agent has.");
    if (task.value() >= m_session.state().tasks().size())
        return tr("The run has no such task.");
    if (causeOf(m_session.state().task(task).state))
        return tr("Only queued and held tasks can be edited.");
    if (m_session.shortCommand(task))
        return tr("The command is too long to be edited here.");
    if (const TaskDraft* draft = this->draft(task);
        draft && draft->phase != TaskDraft::Phase::Local)
        return tr("The last change of this task is on its way.");
    if (!fieldIsText(recordContent(task), field))
        return tr("This has bytes that are not UTF-8: edit it in the task list.");
    return {};
}

const QString* TaskDrafts::textOf(TaskId task, TaskField field) const
{
    const TaskDraft* draft = this->draft(task);
    if (!draft)
        return nullptr;
    if (draft->later[at(field)])
        return &*draft->later[at(field)];
    return draft->texts[at(field)] ? &*draft->texts[at(field)] : nullptr;
}

QString TaskDrafts::text(TaskId task, TaskField field) const
{
    const QString* text = textOf(task, field);
    return text ? *text : recordText(task, field);
}

QString TaskDrafts::recordText(TaskId task, TaskField field) const
{
    return fieldText(recordContent(task), field);
}

QString TaskDrafts::problem(TaskId task, TaskField field) const
{
    const TaskDraft* draft = this->draft(task);
    return draft ? draft->problems[at(field)] : QString();
}

const TaskDraft* TaskDrafts::draft(TaskId task) const
{
    const auto found = m_drafts.find(task);
    return found == m_drafts.end() ? nullptr : &found->second;
}

std::size_t TaskDrafts::conflicts() const
{
    return static_cast<std::size_t>(std::ranges::count_if(
        m_drafts, [](const auto& draft) { return draft.second.conflict.has_value(); }));
}

TaskContent TaskDrafts::recordContent(TaskId task) const
{
    if (task.value() >= m_session.state().tasks().size())
        return {};
    const Task& record = m_session.state().task(task).task;
    return {.command = record.command, .settings = *record.settings};
}

Result<TaskContent> TaskDrafts::wanted(TaskId task, const TaskDraft& draft) const
{
    TaskContent content = recordContent(task);
    for (const TaskField field : allTaskFields) {
        if (!draft.texts[at(field)])
            continue;
        const QString problem = setField(content, field, *draft.texts[at(field)]);
        if (!problem.isEmpty())
            return Error{.kind = ErrorKind::Input,
                         .message = tr("task %1: %2").arg(task.value()).arg(problem).toStdString()};
    }
    return content;
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
        const auto draft = m_drafts.find(task);
        if (draft == m_drafts.end() || draft->second.phase != TaskDraft::Phase::Local)
            continue;
        if (!isEditable(task)) {
            // Nothing can bring it back: it is not a step that could be undone.
            m_drafts.erase(draft);
            gone.append(task);
            continue;
        }
        for (const TaskField field : allTaskFields) {
            if (const auto& mine = draft->second.texts[at(field)])
                cells.push_back({.task = task,
                                 .field = field,
                                 .before = *mine,
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
    for (const auto& [task, draft] : m_drafts)
        tasks.append(task);
    discard(tasks);
}

bool TaskDrafts::keepMine(TaskId task)
{
    const auto found = m_drafts.find(task);
    if (found == m_drafts.end() || found->second.phase != TaskDraft::Phase::Local
        || !isEditable(task))
        return false;
    found->second.base = m_session.state().task(task).revision;
    found->second.conflict.reset();
    settle(task);
    Q_EMIT changed({task});
    return true;
}

void TaskDrafts::setText(TaskId task, TaskField field, const QString& text)
{
    auto found = m_drafts.find(task);
    if (found != m_drafts.end() && found->second.phase != TaskDraft::Phase::Local) {
        found->second.later[at(field)] = text;
        return;
    }
    // A draft may outlive the time when its task could be edited; undo still leads out of it.
    if (found == m_drafts.end() && !isEditable(task))
        return;
    const TaskContent record = recordContent(task);
    TaskContent content = record;
    const QString problem = setField(content, field, text);
    if (problem.isEmpty() && content == record) {
        if (found == m_drafts.end())
            return;
        found->second.texts[at(field)].reset();
        found->second.problems[at(field)].clear();
        if (!anySet(found->second.texts))
            m_drafts.erase(found);
        return;
    }
    if (found == m_drafts.end()) {
        found = m_drafts.try_emplace(task).first;
        found->second.base = m_session.state().task(task).revision;
    }
    found->second.texts[at(field)] = problem.isEmpty() ? fieldText(content, field) : text;
    found->second.problems[at(field)] = problem;
}

void TaskDrafts::settle(const ChangeSet& changes)
{
    if (m_drafts.empty() || m_session.loading())
        return;
    QList<TaskId> touched;
    for (auto next = m_drafts.begin(); next != m_drafts.end();) {
        const TaskId task = (next++)->first;
        const bool mentioned = changes.allTasks || task >= changes.firstNewTask
            || std::ranges::binary_search(changes.tasks, task);
        if (mentioned && settle(task))
            touched.append(task);
    }
    if (!touched.isEmpty())
        Q_EMIT changed(touched);
}

void TaskDrafts::settleAll()
{
    ChangeSet all;
    all.allTasks = true;
    settle(all);
}

bool TaskDrafts::settle(TaskId task)
{
    const auto found = m_drafts.find(task);
    if (found == m_drafts.end() || task.value() >= m_session.state().tasks().size())
        return false;
    TaskDraft& draft = found->second;
    if (draft.phase == TaskDraft::Phase::Local)
        return settleLocal(task, draft);
    const auto content = wanted(task, draft);
    const bool fulfilled = content && *content == recordContent(task);
    const bool overtaken = draft.phase == TaskDraft::Phase::Accepted
        && m_session.state().task(task).revision != draft.base;
    if (!fulfilled && !overtaken)
        return false;
    land(task, true);
    return true;
}

bool TaskDrafts::settleLocal(TaskId task, TaskDraft& draft)
{
    const TaskDraft before = draft;
    const TaskRecord& record = m_session.state().task(task);
    const TaskContent theirs = recordContent(task);
    for (const TaskField field : allTaskFields) {
        auto& text = draft.texts[at(field)];
        if (!text)
            continue;
        TaskContent content = theirs;
        if (setField(content, field, *text).isEmpty() && content == theirs) {
            text.reset();
            draft.problems[at(field)].clear();
        }
    }
    if (!anySet(draft.texts)) {
        m_drafts.erase(task);
        return true;
    }
    if (const auto cause = causeOf(record.state))
        draft.conflict = cause;
    else if (record.revision != draft.base)
        draft.conflict = ConflictCause::Changed;
    else if (draft.conflict != ConflictCause::Changed)
        draft.conflict.reset();
    return draft != before;
}

void TaskDrafts::land(TaskId task, bool vanish)
{
    const auto found = m_drafts.find(task);
    if (found == m_drafts.end())
        return;
    const auto later = std::exchange(found->second.later, {});
    found->second.phase = TaskDraft::Phase::Local;
    if (vanish)
        m_drafts.erase(found);
    for (const TaskField field : allTaskFields) {
        if (later[at(field)])
            setText(task, field, *later[at(field)]);
    }
}

QString TaskDrafts::whyNotSendable() const
{
    if (m_drafts.empty())
        return tr("Nothing has been edited.");
    for (const auto& [task, draft] : m_drafts) {
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
    for (auto& [task, draft] : m_drafts) {
        auto content = wanted(task, draft);
        if (!content || draft.conflict || draft.phase != TaskDraft::Phase::Local)
            continue;
        command.edits.push_back({.target = {.id = task, .base = draft.base},
                                 .command = std::move(content->command),
                                 .settings = pool.share(content->settings)});
        draft.phase = TaskDraft::Phase::Sent;
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
    const bool accepted = answer && answer->accepted;
    for (const TaskId task : tasks) {
        const auto found = m_drafts.find(task);
        if (found == m_drafts.end() || found->second.phase != TaskDraft::Phase::Sent)
            continue;
        if (accepted)
            found->second.phase = TaskDraft::Phase::Accepted;
        else
            land(task, false);
    }
    if (answer) {
        for (const TaskConflict& conflict : answer->conflicts) {
            const auto found = m_drafts.find(conflict.id);
            if (found != m_drafts.end() && found->second.phase == TaskDraft::Phase::Local)
                found->second.conflict = conflict.cause;
        }
    }
    if (!m_session.loading()) {
        for (const TaskId task : tasks)
            settle(task);
    }
    Q_EMIT changed(QList<TaskId>(tasks.begin(), tasks.end()));
    QString refusal;
    if (!answer)
        refusal = QString::fromStdString(answer.error().text());
    else if (!answer->accepted)
        refusal = answer->reason.empty() ? tr("The agent refused the change.")
                                         : QString::fromStdString(answer->reason);
    Q_EMIT answered(refusal);
}

} // namespace tasuki
