// SPDX-License-Identifier: GPL-3.0-or-later
// The part of RunningPanel that puts it together.
#include "cells/celltableview.h"
#include "cells/problembar.h"
#include "conflictlist.h"
#include "diffview.h"
#include "models/processortablemodel.h"
#include "runningpanel.h"
#include "views/listtable.h"
#include "views/processoractions.h"
#include "views/systemdelegate.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>

namespace tasuki {

namespace {

using TableColumn = ProcessorTableModel::Column;

constexpr std::chrono::milliseconds diffDelay{40};
/// Widths of the columns at first, in digits.
constexpr std::array processorWidths{11, 17, 10, 10, 14, 16, 14};
static_assert(processorWidths.size() == ProcessorTableModel::columns);

} // namespace

RunningPanel::RunningPanel(RunModels& models, RunningTopology& topology, QWidget* parent)
    : EditorPanel(parent), m_models(models), m_topology(topology)
{
    makeActions();
    m_conflicts = new ConflictList(topology, this);
    putTogether({.nameTitle = tr("Running topology"),
                 .first = makeApplyButton(),
                 .buttons = {{m_discard, m_saveAs}, {m_undo, m_redo, m_changes}},
                 .bars = {m_conflicts},
                 .editors = makeBody()});
    m_later.setSingleShot(true);
    m_later.setInterval(diffDelay);
    setFocusProxy(&m_editors->table());
    link();
    renewNow();
}

void RunningPanel::makeActions()
{
    m_apply = makeAction(QStringLiteral("send"), tr("Apply to the running system"),
                         {QKeySequence(tr("Ctrl+Return"))});
    m_discard = makeAction(QStringLiteral("discard"), tr("Discard what is not applied"), {});
    m_saveAs = makeAction(QStringLiteral("saveas"), tr("Save as a file..."),
                          {QKeySequence(tr("Ctrl+Shift+S"))});
    m_undo = makeAction(QStringLiteral("undo"), tr("Undo"), {QKeySequence(tr("Ctrl+Z"))});
    m_redo = makeAction(QStringLiteral("redo"), tr("Redo"),
                        {QKeySequence(tr("Ctrl+Shift+Z")), QKeySequence(tr("Ctrl+Y"))});
    m_changes = makeAction(QStringLiteral("difference"), tr("Show what applying changes"),
                           {QKeySequence(tr("Ctrl+E"))});
    connect(m_apply, &QAction::triggered, this, &RunningPanel::apply);
    connect(m_discard, &QAction::triggered, this, [this] {
        if (finishEditing())
            m_topology.discard();
    });
    connect(m_saveAs, &QAction::triggered, this, &RunningPanel::saveAs);
    connect(m_undo, &QAction::triggered, this, [this] { retrace(true); });
    connect(m_redo, &QAction::triggered, this, [this] { retrace(false); });
    connect(m_changes, &QAction::triggered, this, [this] { showPage(Page::Changes); });
}

QWidget* RunningPanel::makeApplyButton()
{
    auto* apply = new QPushButton(m_apply->icon(), tr("Apply"));
    connect(apply, &QPushButton::clicked, m_apply, &QAction::trigger);
    connect(m_apply, &QAction::changed, apply, [this, apply] {
        apply->setEnabled(m_apply->isEnabled());
        apply->setToolTip(m_apply->toolTip());
    });
    return apply;
}

QWidget* RunningPanel::makeBody()
{
    m_editors = new TopologyEditors(m_topology.document());
    m_tabs = new QTabWidget;
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(makeProcessors(), QString());
    m_diff = new DiffView;
    m_tabs->addTab(m_diff, QString());
    m_rows = new QSplitter(Qt::Vertical);
    m_rows->setChildrenCollapsible(false);
    m_rows->addWidget(m_editors);
    m_rows->addWidget(m_tabs);
    m_rows->setStretchFactor(0, 1);
    m_rows->setStretchFactor(1, 1);
    m_rows->setSizes({1, 1});
    return m_rows;
}

QWidget* RunningPanel::makeProcessors()
{
    m_processorModel = new ProcessorTableModel(m_models.session, m_models.system, this);
    m_processors = makeListTable(*m_processorModel, tr("Processors"));
    m_processors->setItemDelegate(
        new SystemDelegate({.name = static_cast<int>(TableColumn::Processor),
                            .seat = static_cast<int>(TableColumn::Seat),
                            .busy = -1},
                           m_processors));
    m_processors->setSelectionMode(QAbstractItemView::SingleSelection);
    QHeaderView& header = *m_processors->horizontalHeader();
    const int digit = fontMetrics().horizontalAdvance(QLatin1Char('0'));
    for (int column = 0; column < ProcessorTableModel::columns; ++column)
        header.resizeSection(column, processorWidths.at(static_cast<std::size_t>(column)) * digit);
    m_actions = new ProcessorActions(m_models, *m_processors);
    m_processors->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_processors, &QWidget::customContextMenuRequested, this, &RunningPanel::showMenu);

    auto* part = new QWidget;
    auto* box = new QVBoxLayout(part);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 3, 8, 3);
    for (QAction* action :
         {&m_actions->drain(), &m_actions->undrain(), &m_actions->stop(), &m_actions->promote()}) {
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        row->addWidget(button);
    }
    auto* roles = new QToolButton;
    roles->setDefaultAction(m_actions->roles().menuAction());
    roles->setPopupMode(QToolButton::InstantPopup);
    roles->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    roles->setAutoRaise(true);
    roles->setFocusPolicy(Qt::TabFocus);
    row->addWidget(roles);
    row->addStretch(1);
    box->addLayout(row);
    box->addWidget(m_processors, 1);
    return part;
}

void RunningPanel::link()
{
    connect(&m_later, &QTimer::timeout, this, &RunningPanel::renewDiff);
    connect(&m_topology, &RunningTopology::changed, this, &RunningPanel::renew);
    connect(&m_topology.document(), &TopologyDocument::marksChanged, this, &RunningPanel::renew);
    connect(&m_topology.document().undoStack(), &QUndoStack::indexChanged, this,
            &RunningPanel::renew);
    connect(&m_topology, &RunningTopology::refused, this, &RunningPanel::showRefusal);
    connect(&m_topology, &RunningTopology::followed, this, &RunningPanel::showFollowed);
    connect(&m_topology, &RunningTopology::applied, this, [this](int count) {
        problems().hide();
        Q_EMIT said(tr("The running system has taken %n value(s).", nullptr, count));
    });
    connect(m_processorModel, &QAbstractItemModel::modelReset, this, &RunningPanel::renew);
    connect(&m_models.session, &Session::loadingChanged, this, &RunningPanel::renew);
    connect(m_editors, &TopologyEditors::refused, this, [this](const QString& reason) {
        m_problemPlaces.clear();
        problems().show(theme::Tint::Warning, reason, QString());
    });
    connect(m_conflicts, &ConflictList::placeWanted, m_editors, &TopologyEditors::showPlace);
    connect(&problems(), &ProblemBar::placeWanted, this, [this](int line) {
        const auto place = static_cast<std::size_t>(line);
        if (place < m_problemPlaces.size())
            m_editors->showPlace(m_problemPlaces[place]);
    });
    connect(m_actions, &ProcessorActions::said, this, &RunningPanel::said);
    connect(m_processors->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& current) {
                const QVariant rank = current.data(SystemTreeModel::RankRole);
                m_models.selection.setProcessor(rank.isValid() ? std::optional(Rank(rank.toInt()))
                                                               : std::nullopt);
            });
}

} // namespace tasuki
