// SPDX-License-Identifier: GPL-3.0-or-later
// The part of EnvironmentPanel that puts it together.
#include "cells/celltableview.h"
#include "cells/filechangebar.h"
#include "cells/problembar.h"
#include "environmentpanel.h"
#include "generalform.h"
#include "linkpage.h"
#include "nodetablemodel.h"

#include <QAction>
#include <QTabWidget>

namespace tasuki {

EnvironmentPanel::EnvironmentPanel(EnvironmentDocument& document, QWidget* parent)
    : FileEditorPanel(document,
                      {.fresh = tr("New environment"),
                       .openTitle = tr("Open an environment"),
                       .saveTitle = tr("Save the environment"),
                       .suggestion = QStringLiteral("environment.toml"),
                       .filter = tr("Environments (*.toml)"),
                       .kind = tr("Environment"),
                       .saved = tr("The environment is in %1.")},
                      parent),
      m_document(document)
{
    makeActions();
    m_tabs = new QTabWidget;
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(makeNodePage(), QString());
    m_links = new LinkPage(document);
    m_tabs->addTab(m_links, QString());
    m_general = new GeneralForm(document);
    m_tabs->addTab(m_general, QString());
    m_freeLinks = new ProblemBar;
    putTogether({.nameTitle = tr("File of the environment"),
                 .buttons = {{&openAction(), &saveAction(), &saveAsAction()},
                             {m_add, m_duplicate, m_remove},
                             {m_undo, m_redo}},
                 .bars = {&fileChange(), m_freeLinks},
                 .beginnings = {&openAction(), m_add},
                 .editors = m_tabs});
    link();
    followFile();
    renewFreeLinks();
    renew();
}

void EnvironmentPanel::makeActions()
{
    m_add = makeAction(QStringLiteral("addnode"), tr("Add node"), {QKeySequence(Qt::Key_Insert)});
    m_duplicate = makeAction(QStringLiteral("copy"), tr("Duplicate nodes"),
                             {QKeySequence(tr("Ctrl+D"))});
    m_remove = makeAction(QStringLiteral("removenode"), tr("Remove nodes"),
                          {QKeySequence(tr("Ctrl+Del"))});
    m_undo = makeAction(QStringLiteral("undo"), tr("Undo"), {QKeySequence(tr("Ctrl+Z"))});
    m_redo = makeAction(QStringLiteral("redo"), tr("Redo"),
                        {QKeySequence(tr("Ctrl+Shift+Z")), QKeySequence(tr("Ctrl+Y"))});
    connect(m_add, &QAction::triggered, this, &EnvironmentPanel::addNode);
    connect(m_duplicate, &QAction::triggered, this, &EnvironmentPanel::duplicateNodes);
    connect(m_remove, &QAction::triggered, this, &EnvironmentPanel::removeNodes);
    connect(m_undo, &QAction::triggered, this, [this] { retrace(true); });
    connect(m_redo, &QAction::triggered, this, [this] { retrace(false); });
}

QWidget* EnvironmentPanel::makeNodePage()
{
    m_nodes = new NodeTableModel(m_document, this);
    m_nodeTable = new CellTableView(*m_nodes);
    m_nodeTable->setAccessibleName(tr("Nodes"));
    m_nodeTable->fitColumns(static_cast<int>(NodeField::Name));
    m_nodeTable->addActions({m_add, m_duplicate, m_remove});
    return m_nodeTable;
}

void EnvironmentPanel::link()
{
    connect(&m_document, &EnvironmentDocument::changed, this, [this] {
        tell({}, false);
        renewFreeLinks();
        renew();
    });
    connect(&m_document, &EnvironmentDocument::pathChanged, this, [this] {
        followFile();
        renew();
    });
    connect(&m_document, &EnvironmentDocument::cleanChanged, this, &EnvironmentPanel::renew);
    connect(&m_document, &EnvironmentDocument::openingChanged, this, &EnvironmentPanel::renew);
    connect(&m_document, &EnvironmentDocument::opened, this,
            [this](const QString& path, bool taken, const std::vector<Diagnostic>& diagnostics) {
                if (taken)
                    followFile();
                tellOpened(path, taken, diagnostics);
            });
    connect(&m_document.undoStack(), &QUndoStack::indexChanged, this, &EnvironmentPanel::renew);
    connect(&m_document, &EnvironmentDocument::reset, this, &EnvironmentPanel::takeReset);
    // Undo and redo show what they change.
    const auto follow = [this](Page page) {
        if (m_retracing)
            showPage(page);
    };
    connect(&m_document, &EnvironmentDocument::nodesEdited, this,
            [follow] { follow(Page::Nodes); });
    connect(&m_document, &EnvironmentDocument::linksEdited, this,
            [follow] { follow(Page::Links); });
    connect(&m_document, &EnvironmentDocument::generalEdited, this,
            [follow] { follow(Page::General); });
    connect(m_tabs, &QTabWidget::currentChanged, this, &EnvironmentPanel::renew);
    connect(m_nodeTable, &CellTableView::selectionMoved, this, &EnvironmentPanel::renew);
    for (const CellTableView* table : {m_nodeTable, &m_links->table()}) {
        connect(table, &CellTableView::refused, this,
                [this](const QString& reason) { tell(reason, true); });
    }
}

} // namespace tasuki
