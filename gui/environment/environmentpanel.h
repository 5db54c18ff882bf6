// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cells/editorpanel.h"
#include "environmentdocument.h"

class QAction;
class QLabel;
class QStackedWidget;
class QTabWidget;
class QToolButton;

namespace tasuki {

class CellTableView;
class GeneralForm;
class LinkPage;
class NodeTableModel;
class ProblemBar;

/// Shows and edits an environment: its file, nodes, links, and what holds for all of them.
class EnvironmentPanel : public EditorPanel {
    Q_OBJECT

public:
    enum class Page : std::uint8_t { Nodes, Links, General };

    /// @param document  must outlive the widget
    explicit EnvironmentPanel(EnvironmentDocument& document, QWidget* parent = nullptr);
    ~EnvironmentPanel() override;

    [[nodiscard]] QAction& openAction() const { return *m_open; }
    [[nodiscard]] QAction& saveAction() const { return *m_save; }
    [[nodiscard]] QAction& saveAsAction() const { return *m_saveAs; }
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
    [[nodiscard]] ProblemBar& problems() const { return *m_problems; }
    /// The file's name with a star where edits are not saved, for a tab or a title.
    [[nodiscard]] QString title() const;

    /// Opens a file, without waiting; asks first what becomes of edits that are not saved. What is
    /// wrong with the file is told by the panel.
    void open(const QString& path);
    /// Saves under the document's path; asks for one where there is none.
    /// @return whether everything is saved
    bool save();
    /// @return whether everything is saved; what is wrong is told by the panel
    bool saveTo(const QString& path);
    /// Before the document goes: asks what becomes of edits that are not saved.
    /// @return false: the user wants to stay
    bool mayDiscard();
    /// Takes what is being typed.
    /// @return false: it is wrong; it has the focus
    bool finishEditing();

Q_SIGNALS:
    void said(const QString& text);

private:
    void makeActions();
    QWidget* makeHeader();
    QWidget* makeEmptyPage();
    QWidget* makeNodePage();
    void link();
    void renew();
    void renewMessage(const QString& text, bool wrong);
    void takeOpened(const QString& path, bool taken, const std::vector<Diagnostic>& diagnostics);
    void askForFile();
    bool saveAs();
    void addNode();
    void duplicateNodes();
    void removeNodes();
    void retrace(bool undo);
    void takeReset(const QList<int>& came);
    [[nodiscard]] QList<int> chosenNodes() const;
    [[nodiscard]] QString fileName() const;

    EnvironmentDocument& m_document;
    QAction* m_open = nullptr;
    QAction* m_save = nullptr;
    QAction* m_saveAs = nullptr;
    QAction* m_add = nullptr;
    QAction* m_duplicate = nullptr;
    QAction* m_remove = nullptr;
    QAction* m_undo = nullptr;
    QAction* m_redo = nullptr;
    QLabel* m_name = nullptr;
    QLabel* m_mark = nullptr;
    ProblemBar* m_problems = nullptr;
    QStackedWidget* m_stack = nullptr;
    QLabel* m_emptyText = nullptr;
    QTabWidget* m_tabs = nullptr;
    NodeTableModel* m_nodes = nullptr;
    CellTableView* m_nodeTable = nullptr;
    LinkPage* m_links = nullptr;
    GeneralForm* m_general = nullptr;
    QLabel* m_message = nullptr;
    bool m_retracing = false;
};

} // namespace tasuki
