// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cells/fileeditorpanel.h"
#include "environmentdocument.h"
#include "plan/freelinks.h"

class QAction;
class QTabWidget;
class QToolButton;

namespace tasuki {

class CellTableView;
class GeneralForm;
class LinkPage;
class NodeTableModel;

/// Shows and edits an environment: its file, nodes, links, and what holds for all of them.
class EnvironmentPanel : public FileEditorPanel {
    Q_OBJECT

public:
    enum class Page : std::uint8_t { Nodes, Links, General };

    /// @param document  must outlive the widget
    explicit EnvironmentPanel(EnvironmentDocument& document, QWidget* parent = nullptr);
    ~EnvironmentPanel() override;

    [[nodiscard]] QAction& addAction() const { return *m_add; }
    [[nodiscard]] QAction& duplicateAction() const { return *m_duplicate; }
    [[nodiscard]] QAction& removeAction() const { return *m_remove; }
    [[nodiscard]] QAction& undoAction() const { return *m_undo; }
    [[nodiscard]] QAction& redoAction() const { return *m_redo; }
    using QWidget::addAction;

    void showPage(Page page);
    [[nodiscard]] Page page() const;
    [[nodiscard]] CellTableView& nodeTable() const { return *m_nodeTable; }
    [[nodiscard]] LinkPage& links() const { return *m_links; }
    [[nodiscard]] GeneralForm& general() const { return *m_general; }
    [[nodiscard]] ProblemBar& freeLinks() const { return *m_freeLinks; }

    bool finishEditing() override;

protected:
    void renew() override;

private:
    void makeActions();
    QWidget* makeNodePage();
    void link();
    void addNode();
    void duplicateNodes();
    void removeNodes();
    void retrace(bool undo);
    void renewFreeLinks();
    void takeReset(const QList<int>& came);
    [[nodiscard]] QList<int> chosenNodes() const;

    EnvironmentDocument& m_document;
    QAction* m_add = nullptr;
    QAction* m_duplicate = nullptr;
    QAction* m_remove = nullptr;
    QAction* m_undo = nullptr;
    QAction* m_redo = nullptr;
    QTabWidget* m_tabs = nullptr;
    NodeTableModel* m_nodes = nullptr;
    CellTableView* m_nodeTable = nullptr;
    LinkPage* m_links = nullptr;
    GeneralForm* m_general = nullptr;
    ProblemBar* m_freeLinks = nullptr; ///< warns of links that cost nothing
    plan::FreeLinks m_toldFree;
    bool m_retracing = false;
};

} // namespace tasuki
