// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cells/editorpanel.h"
#include "runningprocessors.h"
#include "runningtopology.h"
#include "topologyeditors.h"

#include <QTimer>

class QAction;
class QTabWidget;

namespace tasuki {

class ConflictList;
class DiffView;

/// Shows and edits the topology of a running system: what may change while it runs, what that changes,
/// and the processors with what can be ordered of them.
class RunningPanel : public EditorPanel {
    Q_OBJECT

public:
    enum class Page : std::uint8_t { Processors, Changes };

    /// @param models, topology  must outlive the widget; the topology is of their session
    RunningPanel(RunModels& models, RunningTopology& topology, QWidget* parent = nullptr);

    [[nodiscard]] QAction& applyAction() const { return *m_apply; }
    [[nodiscard]] QAction& discardAction() const { return *m_discard; }
    [[nodiscard]] QAction& saveAsAction() const { return *m_saveAs; }

    [[nodiscard]] TopologyEditors& editors() const { return *m_editors; }
    [[nodiscard]] ConflictList& conflicts() const { return *m_conflicts; }
    [[nodiscard]] QTableView& processors() const { return m_processors->table(); }
    [[nodiscard]] ProcessorActions& actions() const { return m_processors->actions(); }
    [[nodiscard]] DiffView& diff() const { return *m_diff; }
    void showPage(Page page);
    [[nodiscard]] Page page() const;

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
    void link();
    void renew() override;
    void renewDiff();
    void showRefusal(const QString& reason);
    void showFollowed(const std::vector<TopologyPlace>& taken, bool kept);
    [[nodiscard]] QString emptyText() const;

    RunModels& m_models;
    RunningTopology& m_topology;
    QTimer m_later;
    QAction* m_apply = nullptr;
    QAction* m_discard = nullptr;
    QAction* m_saveAs = nullptr;
    QAction* m_changes = nullptr;
    std::vector<TopologyPlace> m_problemPlaces; ///< of the lines of problems()
    ConflictList* m_conflicts = nullptr;
    TopologyEditors* m_editors = nullptr;
    QTabWidget* m_tabs = nullptr;
    RunningProcessors* m_processors = nullptr;
    DiffView* m_diff = nullptr;
};

} // namespace tasuki
