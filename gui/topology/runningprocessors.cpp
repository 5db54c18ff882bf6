// SPDX-License-Identifier: GPL-3.0-or-later
#include "runningprocessors.h"

#include "models/processortablemodel.h"
#include "views/listtable.h"
#include "views/processoractions.h"
#include "views/systemdelegate.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QTableView>
#include <QToolButton>

namespace tasuki {

namespace {

using TableColumn = ProcessorTableModel::Column;

/// Widths of the columns at first, in digits.
constexpr std::array processorWidths{11, 17, 10, 10, 14, 16, 14};
static_assert(processorWidths.size() == ProcessorTableModel::columns);

} // namespace

RunningProcessors::RunningProcessors(RunModels& models, QWidget* parent)
    : QWidget(parent),
      m_model(new ProcessorTableModel(models.session, models.system, this)),
      m_table(makeTable(models)),
      m_actions(new ProcessorActions(models, *m_table))
{
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    box->addLayout(makeButtons());
    box->addWidget(m_table, 1);
    connect(m_model, &QAbstractItemModel::modelReset, this, &RunningProcessors::countChanged);
    connect(m_actions, &ProcessorActions::said, this, &RunningProcessors::said);
    connect(m_table, &QWidget::customContextMenuRequested, this, &RunningProcessors::showMenu);
}

int RunningProcessors::count() const { return m_model->rowCount(); }

QTableView* RunningProcessors::makeTable(RunModels& models)
{
    QTableView* const table = makeListTable(*m_model, tr("Processors"));
    table->setItemDelegate(new SystemDelegate({.name = static_cast<int>(TableColumn::Processor),
                                               .seat = static_cast<int>(TableColumn::Seat),
                                               .busy = -1},
                                              table));
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setContextMenuPolicy(Qt::CustomContextMenu);
    QHeaderView& header = *table->horizontalHeader();
    const int digit = fontMetrics().horizontalAdvance(QLatin1Char('0'));
    for (int column = 0; column < ProcessorTableModel::columns; ++column)
        header.resizeSection(column, processorWidths.at(static_cast<std::size_t>(column)) * digit);
    connect(table->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [&models](const QModelIndex& current) {
                const QVariant rank = current.data(SystemTreeModel::RankRole);
                models.selection.setProcessor(rank.isValid() ? std::optional(Rank(rank.toInt()))
                                                             : std::nullopt);
            });
    return table;
}

QLayout* RunningProcessors::makeButtons()
{
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 3, 8, 3);
    for (QAction* action : {&m_actions->drain(), &m_actions->undrain(), &m_actions->stop(),
                            &m_actions->promote(), m_actions->roles().menuAction()}) {
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        if (action == m_actions->roles().menuAction())
            button->setPopupMode(QToolButton::InstantPopup);
        row->addWidget(button);
    }
    row->addStretch(1);
    return row;
}

void RunningProcessors::showMenu(QPoint at)
{
    if (!m_table->indexAt(at).isValid())
        return;
    QMenu menu(this);
    m_actions->fill(menu);
    menu.exec(m_table->viewport()->mapToGlobal(at));
}

} // namespace tasuki
