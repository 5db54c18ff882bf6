// SPDX-License-Identifier: GPL-3.0-or-later
#include "editorpanel.h"

#include "editorpages.h"
#include "elidedlabel.h"
#include "models/wording.h"
#include "problembar.h"
#include "views/icons.h"
#include "views/theme.h"

#include <QAction>
#include <QBoxLayout>
#include <QKeyEvent>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QUndoStack>

#include <algorithm>

namespace tasuki {

namespace {

/// Puts a button for each action into a row, groups apart from each other.
void addButtons(QBoxLayout& row, const QList<QList<QAction*>>& groups)
{
    constexpr int groupGap = 10;
    bool first = true;
    for (const QList<QAction*>& group : groups) {
        if (!first)
            row.addSpacing(groupGap);
        first = false;
        for (QAction* action : group) {
            auto* button = new QToolButton;
            button->setDefaultAction(action);
            button->setAutoRaise(true);
            button->setFocusPolicy(Qt::TabFocus);
            button->setAccessibleName(wording::withoutMnemonic(action->text()));
            row.addWidget(button);
        }
    }
}

} // namespace

EditorPanel::EditorPanel(QUndoStack& steps, QWidget* parent)
    : QWidget(parent),
      m_steps(steps),
      m_problems(new ProblemBar(this)),
      m_name(new ElidedLabel(this)),
      m_mark(new QLabel(this)),
      m_emptyText(new QLabel(this)),
      m_stack(new QStackedWidget(this)),
      m_message(new QLabel(this)),
      m_undo(makeAction(QStringLiteral("undo"), tr("Undo"), {QKeySequence(tr("Ctrl+Z"))})),
      m_redo(makeAction(QStringLiteral("redo"), tr("Redo"),
                        {QKeySequence(tr("Ctrl+Shift+Z")), QKeySequence(tr("Ctrl+Y"))}))
{
    connect(m_undo, &QAction::triggered, this, [this] { retrace(true); });
    connect(m_redo, &QAction::triggered, this, [this] { retrace(false); });
}

QByteArray EditorPanel::layoutState() const { return m_rows->saveState(); }

bool EditorPanel::restoreLayoutState(const QByteArray& state)
{
    return m_rows->restoreState(state);
}

QWidget* EditorPanel::stack(QWidget* editors, QWidget* below)
{
    m_rows = new QSplitter(Qt::Vertical);
    m_rows->setChildrenCollapsible(false);
    m_rows->addWidget(editors);
    m_rows->addWidget(below);
    m_rows->setStretchFactor(0, 1);
    m_rows->setStretchFactor(1, 1);
    m_rows->setSizes({1, 1});
    return m_rows;
}

void EditorPanel::putTogether(const Parts& parts)
{
    m_pages = parts.pages;
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    box->addWidget(makeHeader(parts));
    box->addWidget(m_problems);
    for (QWidget* bar : parts.bars)
        box->addWidget(bar);
    m_stack->addWidget(makeEmptyPage(parts.beginnings));
    m_stack->addWidget(parts.editors);
    box->addWidget(m_stack, 1);
    m_message->setWordWrap(true);
    m_message->setMargin(6);
    m_message->setTextFormat(Qt::PlainText);
    m_message->hide();
    box->addWidget(m_message);
}

QWidget* EditorPanel::makeHeader(const Parts& parts)
{
    auto* header = new QWidget;
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(10, 4, 6, 4);
    row->setSpacing(2);
    QFont bold = font();
    bold.setBold(true);
    m_name->setFont(bold);
    m_name->setAccessibleName(parts.nameTitle);
    m_mark->setForegroundRole(QPalette::PlaceholderText);
    m_mark->setContentsMargins(8, 0, 8, 0);
    m_mark->hide();
    row->addWidget(m_name);
    row->addWidget(m_mark);
    row->addStretch(1);
    if (parts.first != nullptr) {
        row->addWidget(parts.first);
        row->addSpacing(6);
    }
    addButtons(*row, parts.buttons);
    return header;
}

QWidget* EditorPanel::makeEmptyPage(const QList<QAction*>& beginnings)
{
    auto* page = new QWidget;
    auto* box = new QVBoxLayout(page);
    box->setContentsMargins(24, 24, 24, 24);
    box->setSpacing(14);
    m_emptyText->setWordWrap(true);
    m_emptyText->setAlignment(Qt::AlignCenter);
    m_emptyText->setForegroundRole(QPalette::PlaceholderText);
    m_emptyText->setTextFormat(Qt::PlainText);
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    for (QAction* action : beginnings) {
        auto* button = new QPushButton(action->icon(), wording::withoutMnemonic(action->text()));
        connect(button, &QPushButton::clicked, action, &QAction::trigger);
        row->addWidget(button);
    }
    row->addStretch(1);
    box->addStretch(1);
    box->addWidget(m_emptyText);
    box->addLayout(row);
    box->addStretch(1);
    return page;
}

void EditorPanel::setName(const QString& name, const QString& toolTip)
{
    m_name->setText(name);
    m_name->setToolTip(toolTip);
    m_name->setVisible(!name.isEmpty());
}

void EditorPanel::setMark(const QString& text)
{
    m_mark->setText(QStringLiteral("\u25CF ") + text);
    m_mark->setVisible(!text.isEmpty());
}

void EditorPanel::showEditors(bool shown, const QString& otherwise)
{
    m_stack->setCurrentIndex(shown ? 1 : 0);
    m_emptyText->setText(otherwise);
}

void EditorPanel::tell(const QString& text, bool wrong)
{
    QPalette colours = palette();
    if (wrong)
        colours.setColor(QPalette::WindowText, theme::wrong(colours));
    m_message->setPalette(colours);
    m_message->setText(text);
    m_message->setVisible(!text.isEmpty());
    if (!text.isEmpty())
        Q_EMIT said(text);
}

QAction* EditorPanel::makeAction(const QString& icon, const QString& text,
                                 const QList<QKeySequence>& keys)
{
    auto* action = new QAction(icons::named(icon), text, this);
    action->setShortcuts(keys);
    // Other parts of the window have the same keys: see event().
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    const QString name = wording::withoutMnemonic(text);
    action->setToolTip(keys.isEmpty()
                           ? name
                           : tr("%1 (%2)").arg(name, keys[0].toString(QKeySequence::NativeText)));
    addAction(action);
    return action;
}

bool EditorPanel::finishEditing() { return m_pages->finishEditing(); }

void EditorPanel::retrace(bool undo)
{
    if (!finishEditing())
        return;
    m_pages->retrace(undo);
    renew();
}

void EditorPanel::renewSteps()
{
    const auto keysOf = [](const QAction& action) {
        return action.shortcut().toString(QKeySequence::NativeText);
    };
    m_undo->setEnabled(m_steps.canUndo());
    m_undo->setToolTip(m_steps.canUndo()
                           ? tr("Undo: %1 (%2)").arg(m_steps.undoText(), keysOf(*m_undo))
                           : tr("Undo"));
    m_redo->setEnabled(m_steps.canRedo());
    m_redo->setToolTip(m_steps.canRedo()
                           ? tr("Redo: %1 (%2)").arg(m_steps.redoText(), keysOf(*m_redo))
                           : tr("Redo"));
}

QAction* EditorPanel::actionFor(const QKeyEvent& event) const
{
    const QKeySequence keys(event.keyCombination());
    const QList<QAction*> all = actions();
    const auto found = std::ranges::find_if(
        all, [&keys](const QAction* action) { return action->shortcuts().contains(keys); });
    return found != all.end() ? *found : nullptr;
}

bool EditorPanel::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride
        && actionFor(*static_cast<QKeyEvent*>(event)) != nullptr) {
        event->accept();
        return true;
    }
    return QWidget::event(event);
}

void EditorPanel::keyPressEvent(QKeyEvent* event)
{
    if (QAction* action = actionFor(*event))
        action->trigger(); // nothing, if it is disabled
    else
        QWidget::keyPressEvent(event);
}

} // namespace tasuki
