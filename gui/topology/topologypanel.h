// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cells/fileeditorpanel.h"
#include "topologydocument.h"
#include "topologyeditors.h"

namespace tasuki {

class CellTableView;
class OutcomeView;

/// Shows and edits a topology: its file, its subclusters, what holds for the system, and what comes
/// of it all.
class TopologyPanel : public FileEditorPanel {
    Q_OBJECT

public:
    using Page = TopologyEditors::Page;

    /// @param document  must outlive the widget
    explicit TopologyPanel(TopologyDocument& document, QWidget* parent = nullptr);

    void showPage(Page page) { m_editors->showPage(page); }
    [[nodiscard]] Page page() const { return m_editors->page(); }
    [[nodiscard]] CellTableView& table() const { return m_editors->table(); }
    [[nodiscard]] SystemForm& system() const { return m_editors->system(); }
    [[nodiscard]] OutcomeView& outcome() const { return *m_outcome; }
    /// Of the topology as it is edited.
    [[nodiscard]] ProblemBar& faults() const { return m_editors->faults(); }
    [[nodiscard]] const TopologyDocument& document() const { return m_document; }

    /// Begins a new one; asks first what becomes of edits that are not saved.
    void beginNew();
    bool finishEditing() override;
    void focusEditors();
    /// Shows a cell and gives it the focus.
    void showPlace(const TopologyPlace& place) { m_editors->showPlace(place); }

Q_SIGNALS:
    void titleChanged();

protected:
    void renewMore() override;
    [[nodiscard]] bool hasRoom() const override { return m_document.edited().hasRoom(); }
    std::optional<std::size_t> addRow() override { return m_document.edited().addSubcluster(); }
    bool duplicateRows(const QList<int>& rows) override;
    QString removeRows(const QList<int>& rows) override;
    bool maySave() override;
    void noteOpened() override;
    Standing askWhatStands(const FileOnDisk& file) override;

private:
    QWidget* makeEditors();
    void move(bool up);

    TopologyDocument& m_document;
    QAction* m_up = nullptr;
    QAction* m_down = nullptr;
    QAction* m_changes = nullptr;
    TopologyEditors* m_editors = nullptr;
    OutcomeView* m_outcome = nullptr;
};

} // namespace tasuki
