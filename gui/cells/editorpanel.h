// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <initializer_list>

class QAction;
class QBoxLayout;
class QUndoStack;

namespace tasuki {

/// What panels that edit a document have in common: actions whose keys are the panel's while it has
/// the focus, whatever else they mean in the window.
class EditorPanel : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

protected:
    /// Makes an action of the panel.
    /// @param icon  see icons::named()
    QAction* makeAction(const QString& icon, const QString& text, const QList<QKeySequence>& keys);
    /// Puts a button for each action into a row, groups apart from each other.
    static void addButtons(QBoxLayout& row,
                           std::initializer_list<std::initializer_list<QAction*>> groups);
    /// Lets the actions say which step they take back, or take again.
    static void renewSteps(QAction& undo, QAction& redo, const QUndoStack& steps);

    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] QAction* actionFor(const QKeyEvent& event) const;
};

} // namespace tasuki
