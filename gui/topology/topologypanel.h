// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cells/fileeditorpanel.h"
#include "topologyeditors.h"

class QAction;
class QSplitter;

namespace tasuki {

class OutcomeView;

/// Shows and edits a topology: its file, its subclusters, what holds for the system, and what comes
/// of it all.
class TopologyPanel : public FileEditorPanel {
    Q_OBJECT

public:
    using Page = TopologyEditors::Page;

    /// @param document  must outlive the widget
    explicit TopologyPanel(TopologyDocument& document, QWidget* parent = nullptr);
    ~TopologyPanel() override;

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
    /// Of the topology as it is edited.
    [[nodiscard]] ProblemBar& faults() const { return m_editors->faults(); }
    [[nodiscard]] const TopologyDocument& document() const { return m_document; }
    [[nodiscard]] QByteArray layoutState() const;
    bool restoreLayoutState(const QByteArray& state);

    /// Begins a new one; asks first what becomes of edits that are not saved.
    void beginNew();
    bool finishEditing() override;
    void focusEditors();
    /// Shows a cell and gives it the focus.
    void showPlace(const TopologyPlace& place) { m_editors->showPlace(place); }

Q_SIGNALS:
    void titleChanged();

protected:
    void renew() override;
    bool maySave() override;
    void noteOpened() override;
    Standing askWhatStands(const FileOnDisk& file) override;
    [[nodiscard]] std::vector<Diagnostic> translated(std::vector<Diagnostic> all) const override;

private:
    void makeActions();
    QWidget* makeEditors();
    void link();
    void add();
    void duplicate();
    void remove();
    void move(bool up);
    void retrace(bool undo);

    TopologyDocument& m_document;
    QAction* m_add = nullptr;
    QAction* m_duplicate = nullptr;
    QAction* m_remove = nullptr;
    QAction* m_up = nullptr;
    QAction* m_down = nullptr;
    QAction* m_undo = nullptr;
    QAction* m_redo = nullptr;
    QAction* m_changes = nullptr;
    QSplitter* m_rows = nullptr;
    TopologyEditors* m_editors = nullptr;
    OutcomeView* m_outcome = nullptr;
};

} // namespace tasuki
