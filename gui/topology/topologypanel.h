// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cells/editorpanel.h"
#include "topologyeditors.h"

class QAction;
class QLabel;
class QSplitter;
class QStackedWidget;

namespace tasuki {

class OutcomeView;

/// Shows and edits a topology: its file, its subclusters, what holds for the system, and what comes
/// of it all.
class TopologyPanel : public EditorPanel {
    Q_OBJECT

public:
    using Page = TopologyEditors::Page;

    /// @param document  must outlive the widget
    explicit TopologyPanel(TopologyDocument& document, QWidget* parent = nullptr);
    ~TopologyPanel() override;

    [[nodiscard]] QAction& openAction() const { return *m_open; }
    [[nodiscard]] QAction& saveAction() const { return *m_save; }
    [[nodiscard]] QAction& saveAsAction() const { return *m_saveAs; }
    [[nodiscard]] QAction& addAction() const { return *m_add; }
    [[nodiscard]] QAction& duplicateAction() const { return *m_duplicate; }
    [[nodiscard]] QAction& removeAction() const { return *m_remove; }
    [[nodiscard]] QAction& upAction() const { return *m_up; }
    [[nodiscard]] QAction& downAction() const { return *m_down; }
    [[nodiscard]] QAction& undoAction() const { return *m_undo; }
    [[nodiscard]] QAction& redoAction() const { return *m_redo; }
    [[nodiscard]] QAction& changesAction() const { return *m_changes; }
    using QWidget::addAction;

    void showPage(Page page) { m_editors->showPage(page); }
    [[nodiscard]] Page page() const { return m_editors->page(); }
    [[nodiscard]] CellTableView& table() const { return m_editors->table(); }
    [[nodiscard]] SystemForm& system() const { return m_editors->system(); }
    [[nodiscard]] OutcomeView& outcome() const { return *m_outcome; }
    /// Of the file.
    [[nodiscard]] ProblemBar& problems() const { return *m_problems; }
    /// Of the topology as it is edited.
    [[nodiscard]] ProblemBar& faults() const { return m_editors->faults(); }
    [[nodiscard]] const TopologyDocument& document() const { return m_document; }
    /// The file's name with a star where edits are not saved, for a title.
    [[nodiscard]] QString title() const;
    [[nodiscard]] QByteArray layoutState() const;
    bool restoreLayoutState(const QByteArray& state);

    /// Opens a file, without waiting; asks first what becomes of edits that are not saved. What is
    /// wrong with the file is told by the panel.
    void open(const QString& path);
    /// Begins a new one; asks first as open() does.
    void beginNew();
    /// Saves under the document's path; asks for one where there is none.
    /// @return whether everything is saved
    bool save();
    /// @return whether everything is saved; what is wrong is told by the panel. When somebody else
    ///         has written the document's file, the user is asked what shall stand.
    bool saveTo(const QString& path);
    /// Before the document goes: asks what becomes of edits that are not saved.
    /// @return false: the user wants to stay
    bool mayDiscard();
    /// Takes what is being typed.
    /// @return false: it is wrong; it has the focus
    bool finishEditing();
    void focusEditors();
    /// Shows a cell and gives it the focus.
    void showPlace(const TopologyPlace& place) { m_editors->showPlace(place); }

Q_SIGNALS:
    void said(const QString& text);
    void titleChanged();

private:
    void makeActions();
    QWidget* makeHeader();
    QWidget* makeEmptyPage();
    QWidget* makeEditors();
    void link();
    void renew();
    void renewMessage(const QString& text, bool wrong);
    void takeOpened(const QString& path, bool taken, const std::vector<Diagnostic>& diagnostics);
    void noteComments();
    void askForFile();
    bool saveAs();
    /// @return whether the file may be replaced; what the user chose instead is done
    bool mayReplaceFile();
    bool resolve(const FileOnDisk& file);
    void add();
    void duplicate();
    void remove();
    void move(bool up);
    void retrace(bool undo);
    [[nodiscard]] QString fileName() const;

    TopologyDocument& m_document;
    QAction* m_open = nullptr;
    QAction* m_save = nullptr;
    QAction* m_saveAs = nullptr;
    QAction* m_add = nullptr;
    QAction* m_duplicate = nullptr;
    QAction* m_remove = nullptr;
    QAction* m_up = nullptr;
    QAction* m_down = nullptr;
    QAction* m_undo = nullptr;
    QAction* m_redo = nullptr;
    QAction* m_changes = nullptr;
    QLabel* m_name = nullptr;
    QLabel* m_mark = nullptr;
    ProblemBar* m_problems = nullptr;
    QStackedWidget* m_stack = nullptr;
    QLabel* m_emptyText = nullptr;
    QSplitter* m_rows = nullptr;
    TopologyEditors* m_editors = nullptr;
    OutcomeView* m_outcome = nullptr;
    QLabel* m_message = nullptr;
};

} // namespace tasuki
