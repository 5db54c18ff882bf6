// SPDX-License-Identifier: GPL-3.0-or-later
// The part of TopologyPanel that puts it together.
#include "cells/celltableview.h"
#include "cells/filechangebar.h"
#include "outcomeview.h"
#include "topologypanel.h"

#include <QAction>
#include <QSplitter>

namespace tasuki {

TopologyPanel::TopologyPanel(TopologyDocument& document, QWidget* parent)
    : FileEditorPanel(document,
                      {.fresh = tr("New topology"),
                       .openTitle = tr("Open a topology"),
                       .saveTitle = tr("Save the topology"),
                       .suggestion = QStringLiteral("topology.toml"),
                       .filter = tr("Topologies (*.toml)"),
                       .kind = tr("Topology"),
                       .saved = tr("The topology is in %1.")},
                      parent),
      m_document(document)
{
    makeActions();
    putTogether({.nameTitle = tr("File of the topology"),
                 .buttons = {{&openAction(), &saveAction(), &saveAsAction()},
                             {m_add, m_duplicate, m_remove, m_up, m_down},
                             {m_undo, m_redo, m_changes}},
                 .bars = {&fileChange()},
                 .beginnings = {&openAction(), m_add},
                 .editors = makeEditors()});
    link();
    followFile();
    renew();
    noteOpened();
}

void TopologyPanel::makeActions()
{
    m_add = makeAction(QStringLiteral("addnode"), tr("Add a subcluster"),
                       {QKeySequence(Qt::Key_Insert)});
    m_duplicate = makeAction(QStringLiteral("copy"), tr("Duplicate subclusters"),
                             {QKeySequence(tr("Ctrl+D"))});
    m_remove = makeAction(QStringLiteral("removenode"), tr("Remove subclusters"),
                          {QKeySequence(tr("Ctrl+Del"))});
    m_up = makeAction(QStringLiteral("moveup"), tr("Move up"), {QKeySequence(tr("Alt+Up"))});
    m_down = makeAction(QStringLiteral("movedown"), tr("Move down"),
                        {QKeySequence(tr("Alt+Down"))});
    m_undo = makeAction(QStringLiteral("undo"), tr("Undo"), {QKeySequence(tr("Ctrl+Z"))});
    m_redo = makeAction(QStringLiteral("redo"), tr("Redo"),
                        {QKeySequence(tr("Ctrl+Shift+Z")), QKeySequence(tr("Ctrl+Y"))});
    m_changes = makeAction(QStringLiteral("difference"), tr("Show what saving changes"),
                           {QKeySequence(tr("Ctrl+E"))});
    connect(m_add, &QAction::triggered, this, &TopologyPanel::add);
    connect(m_duplicate, &QAction::triggered, this, &TopologyPanel::duplicate);
    connect(m_remove, &QAction::triggered, this, &TopologyPanel::remove);
    connect(m_up, &QAction::triggered, this, [this] { move(true); });
    connect(m_down, &QAction::triggered, this, [this] { move(false); });
    connect(m_undo, &QAction::triggered, this, [this] { retrace(true); });
    connect(m_redo, &QAction::triggered, this, [this] { retrace(false); });
    connect(m_changes, &QAction::triggered, this,
            [this] { m_outcome->showPage(OutcomeView::Page::Changes); });
}

QWidget* TopologyPanel::makeEditors()
{
    m_editors = new TopologyEditors(m_document);
    table().addActions({m_add, m_duplicate, m_remove, m_up, m_down});
    m_outcome = new OutcomeView(m_document);
    m_rows = new QSplitter(Qt::Vertical);
    m_rows->setChildrenCollapsible(false);
    m_rows->addWidget(m_editors);
    m_rows->addWidget(m_outcome);
    m_rows->setStretchFactor(0, 1);
    m_rows->setStretchFactor(1, 1);
    m_rows->setSizes({1, 1});
    return m_rows;
}

void TopologyPanel::link()
{
    connect(&m_document, &TopologyDocument::changed, this, [this] {
        tell({}, false);
        renew();
    });
    connect(&m_document, &TopologyDocument::pathChanged, this, [this] {
        followFile();
        renew();
    });
    connect(&m_document, &TopologyDocument::cleanChanged, this, &TopologyPanel::renew);
    connect(&m_document, &TopologyDocument::openingChanged, this, &TopologyPanel::renew);
    connect(&m_document, &TopologyDocument::opened, this,
            [this](const QString& path, bool taken, const std::vector<Diagnostic>& diagnostics) {
                if (taken)
                    followFile();
                tellOpened(path, taken, translated(diagnostics));
            });
    connect(&m_document.undoStack(), &QUndoStack::indexChanged, this, &TopologyPanel::renew);
    connect(m_editors, &TopologyEditors::moved, this, &TopologyPanel::renew);
    connect(m_editors, &TopologyEditors::refused, this,
            [this](const QString& reason) { tell(reason, true); });
    connect(m_outcome, &OutcomeView::placeWanted, this, &TopologyPanel::showPlace);
}

} // namespace tasuki
