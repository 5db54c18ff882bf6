// SPDX-License-Identifier: GPL-3.0-or-later
#include "allocationtable.h"

#include "views/headerlayout.h"

#include <QEvent>
#include <QScopedValueRollback>

#include <algorithm>
#include <array>

namespace tasuki {

namespace {

using Column = AllocationList::Column;

constexpr int columnOf(Column column) { return static_cast<int>(column); }

/// The order that a click on a header gives.
AllocationOrder orderOf(Column column)
{
    switch (column) {
    case Column::Nodes: return AllocationOrder::Nodes;
    case Column::Measured: return AllocationOrder::Measured;
    default: return AllocationOrder::Predicted;
    }
}

} // namespace

AllocationTable::AllocationTable(AllocationList& list, QWidget* parent)
    : QTableView(parent), m_list(list)
{
    // Before the view connects to it: what the view makes of moving rows is not the user's doing.
    connect(&list, &QAbstractItemModel::layoutAboutToBeChanged, this, [this] { m_quiet = true; });
    connect(&list, &QAbstractItemModel::rowsAboutToBeInserted, this, [this] { m_quiet = true; });
    connect(&list, &QAbstractItemModel::rowsAboutToBeRemoved, this, [this] { m_quiet = true; });
    setModel(&list);
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setEditTriggers(NoEditTriggers);
    setShowGrid(false);
    setAlternatingRowColors(true);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollMode(ScrollPerPixel);
    setAccessibleName(tr("Allocations"));
    makeHeader();
    connect(&list, &AllocationList::renewed, this, [this] {
        m_quiet = false;
        showOrder();
        showSelection();
    });
    connect(&list, &AllocationList::selectedChanged, this, &AllocationTable::showSelection);
    showOrder();
    showSelection();
}

void AllocationTable::makeHeader()
{
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    setHorizontalHeader(new AlignedHeader(Qt::Horizontal));
    QHeaderView& header = *horizontalHeader();
    header.setSectionsClickable(true);
    header.setHighlightSections(false);
    header.setSortIndicatorShown(true);
    header.setStretchLastSection(false);
    connect(&header, &QHeaderView::sectionClicked, this, &AllocationTable::takeHeader);
    resizeColumns();
    header.setSectionResizeMode(columnOf(Column::Nodes), QHeaderView::Stretch);
}

void AllocationTable::resizeColumns()
{
    constexpr std::array digits{7, 24, 13, 13, 11, 11};
    static_assert(digits.size() == AllocationList::columns);
    const int digit = fontMetrics().horizontalAdvance(QLatin1Char('0'));
    for (int column = 0; column < AllocationList::columns; ++column) {
        const int title = horizontalHeader()->sectionSizeHint(column);
        horizontalHeader()->resizeSection(
            column, std::max(title, digits.at(static_cast<std::size_t>(column)) * digit));
    }
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
}

void AllocationTable::takeHeader(int section)
{
    m_list.setOrder(orderOf(static_cast<Column>(section)));
    showOrder();
}

void AllocationTable::showOrder()
{
    const bool measured = m_list.hasMeasurements();
    setColumnHidden(columnOf(Column::Measured), !measured);
    setColumnHidden(columnOf(Column::Error), !measured);
    Column column = Column::Predicted;
    if (m_list.order() == AllocationOrder::Nodes)
        column = Column::Nodes;
    else if (m_list.order() == AllocationOrder::Measured)
        column = Column::Measured;
    horizontalHeader()->setSortIndicator(columnOf(column), Qt::AscendingOrder);
}

void AllocationTable::showSelection()
{
    const QScopedValueRollback quiet(m_quiet, true);
    const int row = m_list.selectedRow();
    const QModelIndex current = currentIndex();
    if (row < 0) {
        clearSelection();
        setCurrentIndex({});
    } else if (!current.isValid() || current.row() != row) {
        setCurrentIndex(
            m_list.index(row, current.isValid() ? current.column() : columnOf(Column::Nodes)));
    } else if (!selectionModel()->isRowSelected(row)) {
        selectRow(row);
    }
}

void AllocationTable::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QTableView::currentChanged(current, previous);
    if (!m_quiet && current.isValid())
        m_list.selectRow(current.row());
}

void AllocationTable::changeEvent(QEvent* event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        resizeColumns();
}

} // namespace tasuki
