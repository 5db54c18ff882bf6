// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

class QAction;
class QBoxLayout;
class QLabel;
class QSplitter;
class QStackedWidget;
class QUndoStack;

namespace tasuki {

class EditorPages;
class ProblemBar;

/// What panels that edit a document have in common: a header with the document's name and buttons,
/// bars that tell what is wrong, the editors or why there are none, a line for what was just done;
/// and actions whose keys are the panel's while it has the focus, whatever else they mean in the
/// window.
class EditorPanel : public QWidget {
    Q_OBJECT

public:
    /// @param steps  of the document; must outlive the widget
    explicit EditorPanel(QUndoStack& steps, QWidget* parent = nullptr);

    [[nodiscard]] QAction& undoAction() const { return *m_undo; }
    [[nodiscard]] QAction& redoAction() const { return *m_redo; }
    using QWidget::addAction;
    /// What came of opening, saving and the like.
    [[nodiscard]] ProblemBar& problems() const { return *m_problems; }
    /// Takes what is being typed.
    /// @return false: it is wrong; it has the focus
    virtual bool finishEditing();
    /// How much room the editors and what stands below them have.
    [[nodiscard]] QByteArray layoutState() const;
    bool restoreLayoutState(const QByteArray& state);

Q_SIGNALS:
    /// Something for the status line.
    void said(const QString& text);

protected:
    /// Makes an action of the panel.
    /// @param icon  see icons::named()
    QAction* makeAction(const QString& icon, const QString& text, const QList<QKeySequence>& keys);
    /// Shows the document as it is now.
    virtual void renew() = 0;
    /// Lets the actions say which step they take back, or take again.
    void renewSteps();

    struct Parts {
        QString nameTitle = {};              ///< what the name is, for assistive technology
        QWidget* first = nullptr;            ///< stands before the buttons; may be null
        QList<QList<QAction*>> buttons = {}; ///< in groups
        QList<QWidget*> bars = {};           ///< below problems()
        QList<QAction*> beginnings = {};     ///< what one can begin with when there is nothing
        QWidget* editors = nullptr;
        EditorPages* pages = nullptr; ///< among the editors
    };
    /// Puts something below the editors, with a handle between them; once at the most.
    QWidget* stack(QWidget* editors, QWidget* below);
    /// Fills the panel; once.
    void putTogether(const Parts& parts);
    /// @param name  empty: there is none
    void setName(const QString& name, const QString& toolTip);
    /// Says beside the name what is not saved; empty: everything is.
    void setMark(const QString& text);
    /// @param otherwise  why there is nothing to edit
    void showEditors(bool shown, const QString& otherwise);
    [[nodiscard]] EditorPages& pages() const { return *m_pages; }
    /// Says something below the editors and in the status line; empty: no more.
    void tell(const QString& text, bool wrong);

    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] QAction* actionFor(const QKeyEvent& event) const;
    QWidget* makeHeader(const Parts& parts);
    QWidget* makeEmptyPage(const QList<QAction*>& beginnings);
    void retrace(bool undo);

    QUndoStack& m_steps;
    EditorPages* m_pages = nullptr;
    QSplitter* m_rows = nullptr;
    ProblemBar* m_problems;
    QLabel* m_name;
    QLabel* m_mark;
    QLabel* m_emptyText;
    QStackedWidget* m_stack;
    QLabel* m_message;
    QAction* m_undo;
    QAction* m_redo;
};

} // namespace tasuki
