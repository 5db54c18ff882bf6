// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cells/editorpanel.h"
#include "models/runmodels.h"
#include "runningtopology.h"
#include "topologyeditors.h"

#include <QTimer>

class QAction;
class QSplitter;
class QTabWidget;
class QTableView;

namespace tasuki {

class ConflictList;
class DiffView;
class ProcessorActions;
class ProcessorTableModel;

/// Shows and edits the topology of a running system: what may change while it runs, what that changes,
/// and the processors with what can be ordered of them.
class RunningPanel : public EditorPanel {
    Q_OBJECT

public:
    enum class Page : std::uint8_t { Processors, Changes };

    /// @param models, topology  must outlive the widget; the topology is of their session
    RunningPanel(RunModels& models, RunningTopology& topology, QWidget* parent = nullptr);
    ~RunningPanel() override;

    [[nodiscard]] QAction& applyAction() const { return *m_apply; }
    [[nodiscard]] QAction& discardAction() const { return *m_discard; }
    [[nodiscard]] QAction& saveAsAction() const { return *m_saveAs; }
    [[nodiscard]] QAction& undoAction() const { return *m_undo; }
    [[nodiscard]] QAction& redoAction() const { return *m_redo; }
    [[nodiscard]] QAction& changesAction() const { return *m_changes; }

    [[nodiscard]] TopologyEditors& editors() const { return *m_editors; }
    [[nodiscard]] ConflictList& conflicts() const { return *m_conflicts; }
    [[nodiscard]] QTableView& processors() const { return *m_processors; }
    [[nodiscard]] ProcessorActions& actions() const { return *m_actions; }
    [[nodiscard]] DiffView& diff() const { return *m_diff; }
    void showPage(Page page);
    [[nodiscard]] Page page() const;
    [[nodiscard]] QByteArray layoutState() const;
    bool restoreLayoutState(const QByteArray& state);

    bool finishEditing() override { return m_editors->finishEditing(); }
    /// Sends what is edited; what is in the way is shown.
    void apply();
    /// Puts the topology as it is edited in a file of the user's choice.
    void saveAs();
    /// @return whether it is there; what is wrong is told by the panel
    bool saveTo(const QString& path);
    /// Does at once what it does a moment after an edit.
    void renewNow();

private:
    void makeActions();
    QWidget* makeApplyButton();
    QWidget* makeBody();
    QWidget* makeProcessors();
    void link();
    void renew();
    void renewDiff();
    void showRefusal(const QString& reason);
    void showFollowed(const std::vector<TopologyPlace>& taken, bool kept);
    void retrace(bool undo);
    void showMenu(QPoint at);
    [[nodiscard]] QString emptyText() const;

    RunModels& m_models;
    RunningTopology& m_topology;
    QTimer m_later;
    QAction* m_apply = nullptr;
    QAction* m_discard = nullptr;
    QAction* m_saveAs = nullptr;
    QAction* m_undo = nullptr;
    QAction* m_redo = nullptr;
    QAction* m_changes = nullptr;
    std::vector<TopologyPlace> m_problemPlaces; ///< of the lines of problems()
    ConflictList* m_conflicts = nullptr;
    QSplitter* m_rows = nullptr;
    TopologyEditors* m_editors = nullptr;
    QTabWidget* m_tabs = nullptr;
    ProcessorTableModel* m_processorModel = nullptr;
    QTableView* m_processors = nullptr;
    ProcessorActions* m_actions = nullptr;
    DiffView* m_diff = nullptr;
};

} // namespace tasuki
