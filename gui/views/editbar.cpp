// SPDX-License-Identifier: GPL-3.0-or-later
#include "editbar.h"

#include "icons.h"
#include "models/wording.h"
#include "theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

namespace tasuki {

namespace {

QWidget* makeRow(theme::Tint tint)
{
    auto* frame = new QWidget;
    frame->setAutoFillBackground(true);
    QPalette colours = frame->palette();
    colours.setColor(QPalette::Window, theme::tint(tint, colours));
    frame->setPalette(colours);
    auto* row = new QHBoxLayout(frame);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(8);
    return frame;
}

QToolButton* buttonOf(QAction* action)
{
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

} // namespace

EditBar::EditBar(Session& session, TaskDrafts& drafts, QWidget* parent)
    : QWidget(parent), m_drafts(drafts)
{
    makeActions();
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    m_conflictRow = makeConflictRow();
    m_changesRow = makeChangesRow();
    box->addWidget(m_conflictRow);
    box->addWidget(m_changesRow);

    connect(&drafts, &TaskDrafts::changed, this, &EditBar::renew);
    connect(&drafts, &TaskDrafts::answered, this, &EditBar::takeAnswer);
    connect(&session, &Session::connectionChanged, this, &EditBar::renew);
    QUndoStack& stack = drafts.undoStack();
    connect(&stack, &QUndoStack::indexChanged, this, &EditBar::renew);
    renew();
}

void EditBar::makeActions()
{
    QUndoStack& stack = m_drafts.undoStack();
    const auto make = [this](const QString& icon, const QString& text, const QKeySequence& keys) {
        auto* action = new QAction(icons::named(icon), text, this);
        action->setShortcut(keys);
        return action;
    };
    m_undo = make(QStringLiteral("undo"), tr("&Undo"), QKeySequence::Undo);
    m_redo = make(QStringLiteral("redo"), tr("&Redo"), QKeySequence(tr("Ctrl+Shift+Z")));
    m_send = make(QStringLiteral("send"), tr("&Send changes"), QKeySequence(tr("Ctrl+Return")));
    m_discard = make(QStringLiteral("discard"), tr("&Discard changes"), {});
    m_resolve = make(QStringLiteral("warning"), tr("Resolve &conflicts..."), {});
    connect(m_undo, &QAction::triggered, &stack, &QUndoStack::undo);
    connect(m_redo, &QAction::triggered, &stack, &QUndoStack::redo);
    connect(m_send, &QAction::triggered, this, [this] {
        m_refusal.clear();
        if (m_drafts.whyNotSendable().isEmpty())
            m_drafts.send();
        renew();
    });
    connect(m_discard, &QAction::triggered, &m_drafts, &TaskDrafts::discardAll);
    connect(m_resolve, &QAction::triggered, this, &EditBar::resolveWanted);
}

QWidget* EditBar::makeChangesRow()
{
    QWidget* frame = makeRow(theme::Tint::Edited);
    auto* row = qobject_cast<QHBoxLayout*>(frame->layout());
    m_changes = new QLabel;
    QFont bold = font();
    bold.setBold(true);
    m_changes->setFont(bold);
    m_hindrance = new QLabel;
    m_hindrance->setWordWrap(true);
    m_hindrance->setTextFormat(Qt::PlainText);
    m_hindrance->setAccessibleName(tr("Why the changes cannot be sent"));
    row->addWidget(m_changes);
    row->addWidget(m_hindrance, 1);
    for (QAction* action : {m_undo, m_redo}) {
        QToolButton* button = buttonOf(action);
        button->setToolButtonStyle(Qt::ToolButtonIconOnly);
        button->setAutoRaise(true);
        button->setAccessibleName(wording::withoutMnemonic(action->text()));
        row->addWidget(button);
    }
    row->addWidget(buttonOf(m_discard));
    row->addWidget(buttonOf(m_send));
    return frame;
}

QWidget* EditBar::makeConflictRow()
{
    QWidget* frame = makeRow(theme::Tint::Conflict);
    auto* row = qobject_cast<QHBoxLayout*>(frame->layout());
    auto* icon = new QLabel;
    const int size = fontMetrics().height() + 2;
    icon->setPixmap(icons::severity(Severity::Warning).pixmap(size, size));
    m_conflicts = new QLabel;
    m_conflicts->setWordWrap(true);
    row->addWidget(icon);
    row->addWidget(m_conflicts, 1);
    row->addWidget(buttonOf(m_resolve));
    return frame;
}

void EditBar::renew()
{
    int waiting = 0;
    int sent = 0;
    int wrong = 0;
    for (const auto& [task, draft] : m_drafts.drafts()) {
        if (draft.phase == TaskDraft::Phase::Local)
            ++waiting;
        else
            ++sent;
        if (!draft.valid())
            ++wrong;
    }
    const QUndoStack& stack = m_drafts.undoStack();
    m_undo->setEnabled(stack.canUndo());
    m_undo->setToolTip(stack.canUndo() ? tr("Undo: %1").arg(stack.undoText()) : QString());
    m_redo->setEnabled(stack.canRedo());
    m_redo->setToolTip(stack.canRedo() ? tr("Redo: %1").arg(stack.redoText()) : QString());

    const QString hindrance = waiting > 0 ? m_drafts.whyNotSendable() : QString();
    m_send->setEnabled(waiting > 0 && hindrance.isEmpty());
    m_discard->setEnabled(waiting > 0);
    m_changes->setText(waiting > 0 ? tr("%n changed task(s)", nullptr, waiting)
                                   : tr("%n changed task(s) on the way", nullptr, sent));
    QPalette colours = m_changesRow->palette();
    if (!m_refusal.isEmpty() || wrong > 0)
        colours.setColor(QPalette::WindowText, theme::wrong(colours));
    m_hindrance->setPalette(colours);
    m_hindrance->setText(m_refusal.isEmpty() ? hindrance : m_refusal);

    const auto conflicts = static_cast<int>(m_drafts.conflicts());
    m_conflicts->setText(
        tr("%n task(s) that you edited have changed meanwhile.", nullptr, conflicts));
    m_resolve->setEnabled(conflicts > 0);
    m_conflictRow->setVisible(conflicts > 0);
    m_changesRow->setVisible(waiting + sent > 0);
    setVisible(waiting + sent > 0 || conflicts > 0);
}

void EditBar::takeAnswer(const QString& refusal)
{
    m_refusal = refusal;
    Q_EMIT said(refusal.isEmpty() ? tr("The changes are in the record.") : refusal);
    renew();
    // What was refused is told until something else is done.
    m_refusal.clear();
}

} // namespace tasuki
