// SPDX-License-Identifier: GPL-3.0-or-later
#include "processortablemodel.h"

#include "wording.h"

#include <algorithm>

namespace tasuki {

ProcessorTableModel::ProcessorTableModel(const Session& session, const SystemTreeModel& tree,
                                         QObject* parent)
    : QAbstractTableModel(parent), m_session(session), m_tree(tree)
{
    connect(&tree, &QAbstractItemModel::modelAboutToBeReset, this, [this] { beginResetModel(); });
    connect(&tree, &QAbstractItemModel::modelReset, this, [this] {
        renewRows();
        endResetModel();
    });
    connect(&tree, &QAbstractItemModel::dataChanged, this, &ProcessorTableModel::takeChange);
    renewRows();
}

void ProcessorTableModel::renewRows()
{
    m_rows.clear();
    if (m_tree.rowCount() == 0)
        return;
    for (const auto& [id, unused] : m_session.state().system().processors())
        m_rows.push_back(id);
}

void ProcessorTableModel::takeChange(const QModelIndex& first, const QModelIndex& last)
{
    int top = rowCount();
    int bottom = -1;
    for (int row = first.row(); row <= last.row(); ++row) {
        const QVariant number = first.sibling(row, 0).data(SystemTreeModel::ProcessorRole);
        if (!number.isValid())
            return; // a part
        const QModelIndex own = indexOf(ProcessorId(number.toUInt()));
        if (!own.isValid())
            continue;
        top = std::min(top, own.row());
        bottom = std::max(bottom, own.row());
    }
    if (bottom >= top)
        Q_EMIT dataChanged(index(top, 0), index(bottom, columns - 1));
}

QModelIndex ProcessorTableModel::indexOf(ProcessorId processor) const
{
    const auto found = std::ranges::lower_bound(m_rows, processor);
    return found != m_rows.end() && *found == processor
        ? index(static_cast<int>(found - m_rows.begin()), 0)
        : QModelIndex();
}

int ProcessorTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ProcessorTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : columns;
}

QVariant ProcessorTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0
        || section >= columns)
        return {};
    switch (static_cast<Column>(section)) {
    case Column::Processor: return tr("Processor");
    case Column::Seat: return tr("Seat");
    case Column::Kind: return tr("Role");
    case Column::State: return tr("State");
    case Column::Subcluster: return tr("Subcluster");
    case Column::Unit: return tr("Unit");
    case Column::Host: return tr("Host");
    }
    return {};
}

QVariant ProcessorTableModel::own(const SystemProcessor& processor, Column column) const
{
    const SystemState& system = m_session.state().system();
    switch (column) {
    case Column::Kind: return wording::processorKind(processor.info.kind);
    case Column::Subcluster:
        return wording::text(system.subclusters()[processor.info.subcluster.value()].info.name);
    case Column::Unit: return wording::text(system.units()[processor.info.unit.value()].info.name);
    case Column::Host: return wording::text(processor.info.host);
    default: return {};
    }
}

QVariant ProcessorTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const ProcessorId id = m_rows[static_cast<std::size_t>(index.row())];
    const QModelIndex node = m_tree.indexOf(id);
    const auto column = static_cast<Column>(index.column());
    const auto inTree = [&node](SystemTreeModel::Column wanted) {
        return node.siblingAtColumn(static_cast<int>(wanted));
    };
    switch (column) {
    case Column::Seat: return inTree(SystemTreeModel::Column::Seat).data(role);
    case Column::State: return inTree(SystemTreeModel::Column::State).data(role);
    default: break;
    }
    const SystemProcessor* processor = m_session.state().system().find(id);
    if (role == Qt::DisplayRole && column != Column::Processor && processor != nullptr)
        return own(*processor, column);
    return node.data(role);
}

} // namespace tasuki
