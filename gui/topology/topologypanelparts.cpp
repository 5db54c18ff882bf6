// SPDX-License-Identifier: GPL-3.0-or-later
// The part of TopologyPanel that puts it together.
#include "cells/celltableview.h"
#include "cells/elidedlabel.h"
#include "cells/problembar.h"
#include "models/wording.h"
#include "outcomeview.h"
#include "topologypanel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>

namespace tasuki {

TopologyPanel::TopologyPanel(TopologyDocument& document, QWidget* parent)
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
    m_stack->addWidget(makeEditors());
    box->addWidget(m_stack, 1);
    m_message = new QLabel;
    m_message->setWordWrap(true);
    m_message->setMargin(6);
    m_message->setTextFormat(Qt::PlainText);
    m_message->hide();
    box->addWidget(m_message);
    link();
    renew();
    noteComments();
}

void TopologyPanel::makeActions()
{
    m_open = makeAction(QStringLiteral("open"), tr("Open..."), {});
    m_save = makeAction(QStringLiteral("save"), tr("Save"), {QKeySequence(tr("Ctrl+S"))});
    m_saveAs = makeAction(QStringLiteral("saveas"), tr("Save as..."),
                          {QKeySequence(tr("Ctrl+Shift+S"))});
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
    connect(m_open, &QAction::triggered, this, &TopologyPanel::askForFile);
    connect(m_save, &QAction::triggered, this, &TopologyPanel::save);
    connect(m_saveAs, &QAction::triggered, this, &TopologyPanel::saveAs);
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

QWidget* TopologyPanel::makeHeader()
{
    auto* header = new QWidget;
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(10, 4, 6, 4);
    row->setSpacing(2);
    m_name = new ElidedLabel;
    QFont bold = font();
    bold.setBold(true);
    m_name->setFont(bold);
    m_name->setAccessibleName(tr("File of the topology"));
    m_mark = new QLabel(QStringLiteral("\u25CF ") + tr("not saved"));
    m_mark->setForegroundRole(QPalette::PlaceholderText);
    m_mark->setContentsMargins(8, 0, 8, 0);
    row->addWidget(m_name);
    row->addWidget(m_mark);
    row->addStretch(1);
    addButtons(*row,
               {{m_open, m_save, m_saveAs},
                {m_add, m_duplicate, m_remove, m_up, m_down},
                {m_undo, m_redo, m_changes}});
    return header;
}

QWidget* TopologyPanel::makeEmptyPage()
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
        renewMessage({}, false);
        renew();
    });
    connect(&m_document, &TopologyDocument::pathChanged, this, &TopologyPanel::renew);
    connect(&m_document, &TopologyDocument::cleanChanged, this, &TopologyPanel::renew);
    connect(&m_document, &TopologyDocument::openingChanged, this, &TopologyPanel::renew);
    connect(&m_document, &TopologyDocument::opened, this, &TopologyPanel::takeOpened);
    connect(&m_document.undoStack(), &QUndoStack::indexChanged, this, &TopologyPanel::renew);
    connect(m_editors, &TopologyEditors::moved, this, &TopologyPanel::renew);
    connect(m_editors, &TopologyEditors::refused, this,
            [this](const QString& reason) { renewMessage(reason, true); });
    connect(m_outcome, &OutcomeView::placeWanted, this, &TopologyPanel::showPlace);
}

} // namespace tasuki
