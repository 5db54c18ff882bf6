// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

class QAction;
class QBoxLayout;
class QLabel;
class QStackedWidget;
class QUndoStack;

namespace tasuki {

class ProblemBar;

/// What panels that edit a document have in common: a header with the document's name and buttons,
/// bars that tell what is wrong, the editors or why there are none, a line for what was just done;
/// and actions whose keys are the panel's while it has the focus, whatever else they mean in the
/// window.
class EditorPanel : public QWidget {
    Q_OBJECT

public:
    explicit EditorPanel(QWidget* parent = nullptr);

    /// What came of opening, saving and the like.
    [[nodiscard]] ProblemBar& problems() const { return *m_problems; }
    /// Takes what is being typed.
    /// @return false: it is wrong; it has the focus
    virtual bool finishEditing() = 0;

Q_SIGNALS:
    /// Something for the status line.
    void said(const QString& text);

protected:
    /// Makes an action of the panel.
    /// @param icon  see icons::named()
    QAction* makeAction(const QString& icon, const QString& text, const QList<QKeySequence>& keys);
    /// Lets the actions say which step they take back, or take again.
    static void renewSteps(QAction& undo, QAction& redo, const QUndoStack& steps);

    struct Parts {
        QString nameTitle = {};              ///< what the name is, for assistive technology
        QWidget* first = nullptr;            ///< stands before the buttons; may be null
        QList<QList<QAction*>> buttons = {}; ///< in groups
        QList<QWidget*> bars = {};           ///< below problems()
        QList<QAction*> beginnings = {};     ///< what one can begin with when there is nothing
        QWidget* editors = nullptr;
    };
    /// Fills the panel; once.
    void putTogether(const Parts& parts);
    /// @param name  empty: there is none
    void setName(const QString& name, const QString& toolTip);
    /// Says beside the name what is not saved; empty: everything is.
    void setMark(const QString& text);
    /// @param otherwise  why there is nothing to edit
    void showEditors(bool shown, const QString& otherwise);
    /// Says something below the editors and in the status line; empty: no more.
    void tell(const QString& text, bool wrong);

    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] QAction* actionFor(const QKeyEvent& event) const;
    QWidget* makeHeader(const Parts& parts);
    QWidget* makeEmptyPage(const QList<QAction*>& beginnings);

    ProblemBar* m_problems;
    QLabel* m_name;
    QLabel* m_mark;
    QLabel* m_emptyText;
    QStackedWidget* m_stack;
    QLabel* m_message;
};

} // namespace tasuki
