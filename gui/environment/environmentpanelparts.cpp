// SPDX-License-Identifier: GPL-3.0-or-later
// The part of EnvironmentPanel that puts it together.
#include "cells/celltableview.h"
#include "cells/elidedlabel.h"
#include "cells/problembar.h"
#include "environmentpanel.h"
#include "generalform.h"
#include "linkpage.h"
#include "models/wording.h"
#include "nodetablemodel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabWidget>

namespace tasuki {

EnvironmentPanel::EnvironmentPanel(EnvironmentDocument& document, QWidget* parent)
    : EditorPanel(parent), m_document(document)
{
    makeActions();
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    box->addWidget(makeHeader());
    m_problems = new ProblemBar;
    box->addWidget(m_problems);
    m_stack = new QStackedWidget;
    m_stack->addWidget(makeEmptyPage());
    m_tabs = new QTabWidget;
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(makeNodePage(), QString());
    m_links = new LinkPage(document);
    m_tabs->addTab(m_links, QString());
    m_general = new GeneralForm(document);
    m_tabs->addTab(m_general, QString());
    m_stack->addWidget(m_tabs);
    box->addWidget(m_stack, 1);
    m_message = new QLabel;
    m_message->setWordWrap(true);
    m_message->setMargin(6);
    m_message->setTextFormat(Qt::PlainText);
    m_message->hide();
    box->addWidget(m_message);
    link();
    renew();
}

void EnvironmentPanel::makeActions()
{
    m_open = makeAction(QStringLiteral("open"), tr("Open..."), {});
    m_save = makeAction(QStringLiteral("save"), tr("Save"), {QKeySequence(tr("Ctrl+S"))});
    m_saveAs = makeAction(QStringLiteral("saveas"), tr("Save as..."),
                          {QKeySequence(tr("Ctrl+Shift+S"))});
    m_add = makeAction(QStringLiteral("addnode"), tr("Add node"), {QKeySequence(Qt::Key_Insert)});
    m_duplicate = makeAction(QStringLiteral("copy"), tr("Duplicate nodes"),
                             {QKeySequence(tr("Ctrl+D"))});
    m_remove = makeAction(QStringLiteral("removenode"), tr("Remove nodes"),
                          {QKeySequence(tr("Ctrl+Del"))});
    m_undo = makeAction(QStringLiteral("undo"), tr("Undo"), {QKeySequence(tr("Ctrl+Z"))});
    m_redo = makeAction(QStringLiteral("redo"), tr("Redo"),
                        {QKeySequence(tr("Ctrl+Shift+Z")), QKeySequence(tr("Ctrl+Y"))});
    connect(m_open, &QAction::triggered, this, &EnvironmentPanel::askForFile);
    connect(m_save, &QAction::triggered, this, &EnvironmentPanel::save);
    connect(m_saveAs, &QAction::triggered, this, &EnvironmentPanel::saveAs);
    connect(m_add, &QAction::triggered, this, &EnvironmentPanel::addNode);
    connect(m_duplicate, &QAction::triggered, this, &EnvironmentPanel::duplicateNodes);
    connect(m_remove, &QAction::triggered, this, &EnvironmentPanel::removeNodes);
    connect(m_undo, &QAction::triggered, this, [this] { retrace(true); });
    connect(m_redo, &QAction::triggered, this, [this] { retrace(false); });
}

QWidget* EnvironmentPanel::makeHeader()
{
    auto* header = new QWidget;
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(10, 4, 6, 4);
    row->setSpacing(2);
    m_name = new ElidedLabel;
    QFont bold = font();
    bold.setBold(true);
    m_name->setFont(bold);
    m_name->setAccessibleName(tr("File of the environment"));
    m_mark = new QLabel(QStringLiteral("\u25CF ") + tr("not saved"));
    m_mark->setForegroundRole(QPalette::PlaceholderText);
    m_mark->setContentsMargins(8, 0, 8, 0);
    row->addWidget(m_name);
    row->addWidget(m_mark);
    row->addStretch(1);
    addButtons(*row,
               {{m_open, m_save, m_saveAs}, {m_add, m_duplicate, m_remove}, {m_undo, m_redo}});
    return header;
}

QWidget* EnvironmentPanel::makeEmptyPage()
{
    auto* page = new QWidget;
    auto* box = new QVBoxLayout(page);
    box->setContentsMargins(24, 24, 24, 24);
    box->setSpacing(14);
    m_emptyText = new QLabel;
    m_emptyText->setWordWrap(true);
    m_emptyText->setAlignment(Qt::AlignCenter);
    m_emptyText->setForegroundRole(QPalette::PlaceholderText);
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    for (QAction* action : {m_open, m_add}) {
        auto* button = new QPushButton(action->icon(), wording::withoutMnemonic(action->text()));
        connect(button, &QPushButton::clicked, action, &QAction::trigger);
        row->addWidget(button);
    }
    row->addStretch(1);
    box->addStretch(1);
    box->addWidget(m_emptyText);
    box->addLayout(row);
    box->addStretch(1);
    return page;
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
        renewMessage({}, false);
        renew();
    });
    connect(&m_document, &EnvironmentDocument::pathChanged, this, &EnvironmentPanel::renew);
    connect(&m_document, &EnvironmentDocument::cleanChanged, this, &EnvironmentPanel::renew);
    connect(&m_document, &EnvironmentDocument::openingChanged, this, &EnvironmentPanel::renew);
    connect(&m_document, &EnvironmentDocument::opened, this, &EnvironmentPanel::takeOpened);
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
                [this](const QString& reason) { renewMessage(reason, true); });
    }
}

} // namespace tasuki
