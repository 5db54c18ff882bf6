// SPDX-License-Identifier: GPL-3.0-or-later
#include "taskactions.h"

#include "commandreport.h"
#include "icons.h"
#include "models/wording.h"
#include "resumeoffer.h"
#include "taskdelegate.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QTableView>

#include <algorithm>
#include <bitset>

namespace tasuki {

namespace {

/// Enabling looks at so many selected tasks at most; beyond, everything is offered.
constexpr qsizetype mostLookedAt = 5000;

bool canCancel(TaskState s)
{
    return s == TaskState::Queued || s == TaskState::Held || s == TaskState::Running;
}
bool canHold(TaskState s) { return s == TaskState::Queued; }
bool canRelease(TaskState s) { return s == TaskState::Held; }
bool canRetry(TaskState s)
{
    return s == TaskState::Failed || s == TaskState::Skipped || s == TaskState::Cancelled;
}
bool canRepeat(TaskState s) { return canRetry(s) || s == TaskState::Succeeded; }

/// The same of a run that has ended: nothing of it is under way.
bool canRetryThen(TaskState s) { return s != TaskState::Succeeded && s != TaskState::Removed; }
bool canRepeatThen(TaskState s) { return s != TaskState::Removed; }

/// The kernel takes no longer arguments of programs.
constexpr qsizetype longestChoice = 120'000;

QString plain(const QAction& action) { return wording::withoutMnemonic(action.text()); }

} // namespace

TaskActions::TaskActions(RunModels& models, Preferences& preferences, QTableView& table)
    : QObject(&table), m_models(models), m_preferences(preferences), m_table(table)
{
    m_add = make(QStringLiteral("add"), tr("&Add tasks..."), QKeySequence(tr("Ctrl+T")),
                 &TaskActions::addWanted);
    m_add->setShortcutContext(Qt::WindowShortcut);
    m_edit = make(QStringLiteral("edit"), tr("&Edit"), QKeySequence(Qt::Key_F2),
                  &TaskActions::runEdit);
    m_cancel = make(QStringLiteral("cancel"), tr("&Cancel"), QKeySequence::Delete,
                    &TaskActions::runCancel);
    m_hold = make(QStringLiteral("hold"), tr("&Hold"), QKeySequence(tr("Ctrl+H")),
                  &TaskActions::runHold);
    m_release = make(QStringLiteral("release"), tr("&Release"), QKeySequence(tr("Ctrl+Shift+H")),
                     &TaskActions::runRelease);
    m_retry = make(QStringLiteral("retry"), tr("Re&try"), QKeySequence(tr("Ctrl+R")),
                   &TaskActions::runRetry);
    m_retry->setToolTip(tr("Do failed, skipped and cancelled tasks again; of a run that has ended, "
                           "what is left, too"));
    m_again = make(QStringLiteral("again"), tr("Run a&gain"), QKeySequence(tr("Ctrl+Shift+R")),
                   &TaskActions::runAgain);
    m_again->setToolTip(tr("Do finished tasks again, however they ended"));
    m_copy = make(QStringLiteral("copy"), tr("C&opy command"), QKeySequence::Copy,
                  &TaskActions::runCopy);

    m_setMenu = new QMenu(tr("&Set for all selected"), &table);
    for (const auto& [field, text] : {std::pair{TaskField::Retries, tr("&Retries...")},
                                      std::pair{TaskField::Timeout, tr("&Time limit...")},
                                      std::pair{TaskField::Directory, tr("&Directory...")},
                                      std::pair{TaskField::Environment, tr("&Environment...")}}) {
        QAction* action = m_setMenu->addAction(text);
        connect(action, &QAction::triggered, this, [this, chosen = field] { setForAll(chosen); });
    }

    connect(table.selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &TaskActions::renew);
    connect(table.selectionModel(), &QItemSelectionModel::currentChanged, this,
            &TaskActions::renew);
    connect(&models.session, &Session::connectionChanged, this, &TaskActions::renew);
    connect(&models.session, &Session::changed, this, &TaskActions::renew);
    renew();
}

QAction* TaskActions::make(const QString& icon, const QString& text, const QKeySequence& keys,
                           void (TaskActions::*run)())
{
    auto* action = new QAction(icons::named(icon), text, this);
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, run);
    m_table.addAction(action);
    return action;
}

void TaskActions::fill(QMenu& menu)
{
    menu.addAction(m_add);
    menu.addSeparator();
    menu.addAction(m_edit);
    menu.addMenu(m_setMenu);
    menu.addSeparator();
    for (QAction* action : {m_cancel, m_hold, m_release, m_retry, m_again})
        menu.addAction(action);
    menu.addSeparator();
    menu.addAction(m_copy);
}

QList<TaskId> TaskActions::selectedTasks() const
{
    QList<TaskId> tasks;
    std::vector<std::pair<int, int>> ranges;
    for (const QItemSelectionRange& range : m_table.selectionModel()->selection())
        ranges.emplace_back(range.top(), range.bottom());
    std::sort(ranges.begin(), ranges.end());
    int next = 0;
    for (const auto& [top, bottom] : ranges) {
        for (int row = std::max(next, top); row <= bottom; ++row)
            tasks << m_models.tasks.taskAt(row);
        next = std::max(next, bottom + 1);
    }
    return tasks;
}

void TaskActions::renew()
{
    const bool open = m_models.session.takesCommands();
    const QList<TaskId> tasks = selectedTasks();
    std::bitset<taskStateCount> seen;
    if (tasks.size() > mostLookedAt)
        seen.set();
    else
        for (const TaskId task : tasks)
            seen.set(static_cast<std::size_t>(m_models.session.state().task(task).state));
    const auto any = [&](Accepts accepts) {
        for (std::size_t i = 0; i < taskStateCount; ++i) {
            if (seen.test(i) && accepts(static_cast<TaskState>(i)))
                return true;
        }
        return false;
    };
    m_add->setEnabled(open);
    m_cancel->setEnabled(open && any(canCancel));
    m_hold->setEnabled(open && any(canHold));
    m_release->setEnabled(open && any(canRelease));
    const bool over = !open && !tasks.isEmpty() && canStartAgain();
    m_retry->setEnabled((open && any(canRetry)) || (over && any(canRetryThen)));
    m_again->setEnabled((open && any(canRepeat)) || (over && any(canRepeatThen)));
    const bool editable = open && (any(canHold) || any(canRelease));
    m_edit->setEnabled(editable);
    m_setMenu->setEnabled(editable);
    m_copy->setEnabled(!tasks.isEmpty());
}

std::vector<TaskTarget> TaskActions::targets(Accepts accepts) const
{
    std::vector<TaskTarget> targets;
    for (const TaskId task : selectedTasks()) {
        const TaskRecord& record = m_models.session.state().task(task);
        if (accepts(record.state))
            targets.push_back({.id = task, .base = record.revision});
    }
    return targets;
}

void TaskActions::runCancel()
{
    auto chosen = targets(canCancel);
    const auto running = std::count_if(chosen.begin(), chosen.end(), [this](const TaskTarget& t) {
        return m_models.session.state().task(t.id).state == TaskState::Running;
    });
    if (running > 0 && m_preferences.confirmCancel()) {
        QMessageBox question(QMessageBox::Question, tr("Cancel tasks"),
                             tr("%n running task(s) will be killed. Cancel the selected tasks?",
                                nullptr, static_cast<int>(running)),
                             QMessageBox::NoButton, m_table.window());
        auto* yes = question.addButton(tr("&Cancel tasks"), QMessageBox::DestructiveRole);
        auto* no = question.addButton(tr("&Keep them"), QMessageBox::RejectRole);
        question.setDefaultButton(no);
        question.exec();
        if (question.clickedButton() != yes)
            return;
        // Time has passed meanwhile.
        chosen = targets(canCancel);
    }
    const std::size_t count = chosen.size();
    if (count > 0)
        send(plain(*m_cancel), CancelTasks{std::move(chosen)}, count);
}

void TaskActions::runHold()
{
    auto chosen = targets(canHold);
    const std::size_t count = chosen.size();
    send(plain(*m_hold), HoldTasks{std::move(chosen)}, count);
}

void TaskActions::runRelease()
{
    auto chosen = targets(canRelease);
    const std::size_t count = chosen.size();
    send(plain(*m_release), ReleaseTasks{std::move(chosen)}, count);
}

bool TaskActions::canStartAgain() const { return nextLife(m_models.session).has_value(); }

QList<TaskId> TaskActions::selectedTasks(Accepts accepts) const
{
    QList<TaskId> tasks = selectedTasks();
    tasks.removeIf(
        [&](TaskId task) { return !accepts(m_models.session.state().task(task).state); });
    return tasks;
}

void TaskActions::startAgain(Accepts accepts)
{
    const QList<TaskId> chosen = selectedTasks(accepts);
    const auto succeeded = std::ranges::count_if(chosen, [this](TaskId task) {
        return m_models.session.state().task(task).state == TaskState::Succeeded;
    });
    const QString ranges = taskRanges(chosen);
    if (ranges.size() > longestChoice) {
        QMessageBox::information(m_table.window(), plain(*m_again),
                                 tr("These tasks are in too many separate places for one command. "
                                    "Choose fewer, or such as follow each other."));
        return;
    }
    if (succeeded > 0) {
        QMessageBox question(QMessageBox::Question, plain(*m_again),
                             tr("%n of the selected task(s) have succeeded. Do them once more?",
                                nullptr, static_cast<int>(succeeded)),
                             QMessageBox::NoButton, m_table.window());
        auto* yes = question.addButton(tr("&Do again"), QMessageBox::AcceptRole);
        question.setDefaultButton(question.addButton(tr("&Leave it"), QMessageBox::RejectRole));
        question.exec();
        if (question.clickedButton() != yes)
            return;
    }
    if (!ranges.isEmpty())
        Q_EMIT retryWanted(ranges);
}

void TaskActions::runRetry()
{
    if (!m_models.session.takesCommands()) {
        startAgain(canRetryThen);
        return;
    }
    auto chosen = targets(canRetry);
    const std::size_t count = chosen.size();
    send(plain(*m_retry), RepeatTasks{std::move(chosen)}, count);
}

void TaskActions::runAgain()
{
    if (!m_models.session.takesCommands()) {
        startAgain(canRepeatThen);
        return;
    }
    auto chosen = targets(canRepeat);
    const std::size_t count = chosen.size();
    send(plain(*m_again), RepeatTasks{std::move(chosen)}, count);
}

void TaskActions::stopRun(bool kill)
{
    QMessageBox question(QMessageBox::Question, tr("Stop the run"),
                         kill ? tr("Running tasks will be killed, and nothing new starts. The run "
                                   "can be resumed.")
                              : tr("Running tasks finish, and nothing new starts. The run can be "
                                   "resumed."),
                         QMessageBox::NoButton, m_table.window());
    auto* yes = question.addButton(tr("&Stop the run"), QMessageBox::DestructiveRole);
    auto* no = question.addButton(tr("&Go on"), QMessageBox::RejectRole);
    question.setDefaultButton(no);
    question.exec();
    if (question.clickedButton() == yes)
        send(tr("Stop the run"), StopRun{.kill = kill}, 0);
}

void TaskActions::send(const QString& what, OperatorCommand command, std::size_t wanted)
{
    sendAndTell(
        m_models.session, std::move(command), m_table, what,
        [what, wanted](const Result<CommandAnswer>& answer) {
            return describe(what, answer, wanted);
        },
        [this](const QString& text) { Q_EMIT said(text); });
}

void TaskActions::runEdit()
{
    QModelIndex index = m_table.currentIndex();
    if (!index.isValid())
        return;
    if (!fieldOf(static_cast<TaskColumn>(index.column())))
        index = index.siblingAtColumn(static_cast<int>(TaskColumn::Command));
    m_table.setCurrentIndex(index);
    if (index.flags().testFlag(Qt::ItemIsEditable)) {
        m_table.edit(index);
        return;
    }
    const TaskId task = m_models.tasks.taskAt(index.row());
    Q_EMIT said(m_models.drafts.whyFixed(task, *fieldOf(static_cast<TaskColumn>(index.column()))));
}

void TaskActions::setForAll(TaskField field)
{
    const QList<TaskId> tasks = selectedTasks();
    if (tasks.isEmpty())
        return;
    const QString title = columnTitle(field == TaskField::Retries       ? TaskColumn::Retries
                                          : field == TaskField::Timeout ? TaskColumn::Timeout
                                          : field == TaskField::Directory
                                          ? TaskColumn::Directory
                                          : TaskColumn::Environment);
    bool chosen = false;
    const QString text = QInputDialog::getText(
        m_table.window(), title,
        tr("For %n selected task(s) (%1):", nullptr, static_cast<int>(tasks.size()))
            .arg(fieldHint(field)),
        QLineEdit::Normal, m_models.drafts.text(tasks.front(), field), &chosen);
    if (chosen)
        m_models.drafts.edit(tasks, field, text);
}

void TaskActions::runCopy()
{
    QStringList commands;
    for (const TaskId task : selectedTasks())
        commands << wording::text(m_models.session.state().task(task).task.command);
    QGuiApplication::clipboard()->setText(commands.join(QLatin1Char('\n')));
    Q_EMIT said(tr("%n command(s) copied.", nullptr, static_cast<int>(commands.size())));
}

} // namespace tasuki
