// SPDX-License-Identifier: GPL-3.0-or-later
#include "conflictdialog.h"

#include "icons.h"
#include "models/taskcolumn.h"
#include "models/wording.h"
#include "theme.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTableWidget>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace tasuki {

namespace {

TaskColumn columnOf(TaskField field)
{
    switch (field) {
    case TaskField::Command: return TaskColumn::Command;
    case TaskField::Retries: return TaskColumn::Retries;
    case TaskField::Timeout: return TaskColumn::Timeout;
    case TaskField::Directory: return TaskColumn::Directory;
    case TaskField::Environment: break;
    }
    return TaskColumn::Environment;
}

} // namespace

ConflictDialog::ConflictDialog(Session& session, TaskDrafts& drafts, QWidget* parent)
    : QDialog(parent), m_session(session), m_drafts(drafts)
{
    setWindowTitle(tr("Resolve conflicts"));
    auto* box = new QVBoxLayout(this);
    box->setSpacing(8);
    auto* explanation = new QLabel(
        tr("These tasks were changed, or went on, while you edited them. Nothing is overwritten "
           "without you: decide for each one what shall stand."));
    explanation->setWordWrap(true);
    box->addWidget(explanation);

    m_tasks = new QTreeWidget;
    m_tasks->setHeaderLabels({tr("Task"), tr("Why")});
    m_tasks->setRootIsDecorated(false);
    m_tasks->setUniformRowHeights(true);
    m_tasks->setAccessibleName(tr("Conflicting tasks"));
    m_tasks->setMaximumHeight(fontMetrics().height() * 8);
    box->addWidget(m_tasks);

    m_fields = new QTableWidget(0, 2);
    m_fields->setHorizontalHeaderLabels({tr("Mine"), tr("In the record")});
    m_fields->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_fields->verticalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_fields->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_fields->setTabKeyNavigation(false);
    m_fields->setAccessibleName(tr("Mine and what is in the record, side by side"));
    box->addWidget(m_fields, 1);

    m_note = new QLabel;
    m_note->setWordWrap(true);
    box->addWidget(m_note);

    auto* buttons = new QDialogButtonBox;
    m_mine = buttons->addButton(tr("Keep &mine"), QDialogButtonBox::ActionRole);
    m_theirs = buttons->addButton(tr("Take the &record's"), QDialogButtonBox::ActionRole);
    m_allTheirs = buttons->addButton(tr("Take the record's for &all"),
                                     QDialogButtonBox::ActionRole);
    buttons->addButton(QDialogButtonBox::Close);
    box->addWidget(buttons);

    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_mine, &QPushButton::clicked, this, &ConflictDialog::keepMine);
    connect(m_theirs, &QPushButton::clicked, this, &ConflictDialog::takeTheirs);
    connect(m_allTheirs, &QPushButton::clicked, this, [this] {
        QList<TaskId> tasks;
        for (const auto& [task, draft] : m_drafts.drafts()) {
            if (draft.conflict)
                tasks << task;
        }
        m_drafts.discard(tasks);
    });
    connect(m_tasks, &QTreeWidget::currentItemChanged, this, &ConflictDialog::showCurrent);
    connect(&drafts, &TaskDrafts::changed, this, &ConflictDialog::renew);
    resize(720, 460);
    renew();
}

std::optional<TaskId> ConflictDialog::current() const
{
    const QTreeWidgetItem* item = m_tasks->currentItem();
    return item == nullptr ? std::nullopt
                           : std::optional(TaskId(item->data(0, Qt::UserRole).toUInt()));
}

void ConflictDialog::select(TaskId task)
{
    for (int i = 0; i < m_tasks->topLevelItemCount(); ++i) {
        if (m_tasks->topLevelItem(i)->data(0, Qt::UserRole).toUInt() == task.value())
            m_tasks->setCurrentItem(m_tasks->topLevelItem(i));
    }
}

void ConflictDialog::renew()
{
    const auto before = current();
    {
        const QSignalBlocker quiet(m_tasks);
        m_tasks->clear();
        for (const auto& [task, draft] : m_drafts.drafts()) {
            if (!draft.conflict)
                continue;
            auto* item = new QTreeWidgetItem(
                m_tasks, {QLocale().toString(task.value()), wording::conflict(*draft.conflict)});
            item->setData(0, Qt::UserRole, task.value());
            item->setIcon(0, icons::severity(Severity::Warning));
        }
        if (before)
            select(*before);
        if (m_tasks->currentItem() == nullptr && m_tasks->topLevelItemCount() > 0)
            m_tasks->setCurrentItem(m_tasks->topLevelItem(0));
    }
    if (m_tasks->topLevelItemCount() == 0) {
        accept();
        return;
    }
    showCurrent();
}

void ConflictDialog::showCurrent()
{
    const auto task = current();
    const TaskDraft* draft = task ? m_drafts.draft(*task) : nullptr;
    m_fields->setRowCount(0);
    if (draft == nullptr)
        return;
    QStringList names;
    for (const TaskField field : allTaskFields) {
        const QString mine = m_drafts.text(*task, field);
        const QString theirs = m_drafts.recordText(*task, field);
        if (mine == theirs && field != TaskField::Command)
            continue;
        const int row = m_fields->rowCount();
        m_fields->insertRow(row);
        names << columnTitle(columnOf(field));
        for (const auto& [column, text] : {std::pair{0, mine}, std::pair{1, theirs}}) {
            auto* item = new QTableWidgetItem(text.isEmpty() ? tr("(empty)") : text);
            item->setFont(theme::monospace());
            item->setToolTip(text);
            if (mine != theirs) {
                item->setBackground(theme::tint(
                    column == 0 ? theme::Tint::Edited : theme::Tint::Conflict, palette()));
            }
            m_fields->setItem(row, column, item);
        }
    }
    m_fields->setVerticalHeaderLabels(names);
    m_fields->resizeRowsToContents();
    const TaskState state = m_session.state().task(*task).state;
    const bool editable = state == TaskState::Queued || state == TaskState::Held;
    m_mine->setEnabled(editable);
    m_note->setText(editable ? tr("Kept changes are sent with the next \"Send changes\".")
                             : tr("This task is %1 and can no longer be edited: only the record's "
                                  "version can stand.")
                                   .arg(wording::state(state)));
}

void ConflictDialog::keepMine()
{
    if (const auto task = current())
        m_drafts.keepMine(*task);
}

void ConflictDialog::takeTheirs()
{
    if (const auto task = current())
        m_drafts.discard({*task});
}

} // namespace tasuki
