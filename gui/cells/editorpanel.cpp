// SPDX-License-Identifier: GPL-3.0-or-later
#include "editorpanel.h"

#include "models/wording.h"
#include "views/icons.h"

#include <QAction>
#include <QBoxLayout>
#include <QKeyEvent>
#include <QToolButton>
#include <QUndoStack>

#include <algorithm>

namespace tasuki {

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

void EditorPanel::addButtons(QBoxLayout& row,
                             std::initializer_list<std::initializer_list<QAction*>> groups)
{
    constexpr int groupGap = 10;
    bool first = true;
    for (const auto& group : groups) {
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

void EditorPanel::renewSteps(QAction& undo, QAction& redo, const QUndoStack& steps)
{
    const auto keysOf = [](const QAction& action) {
        return action.shortcut().toString(QKeySequence::NativeText);
    };
    undo.setEnabled(steps.canUndo());
    undo.setToolTip(steps.canUndo() ? tr("Undo: %1 (%2)").arg(steps.undoText(), keysOf(undo))
                                    : tr("Undo"));
    redo.setEnabled(steps.canRedo());
    redo.setToolTip(steps.canRedo() ? tr("Redo: %1 (%2)").arg(steps.redoText(), keysOf(redo))
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
