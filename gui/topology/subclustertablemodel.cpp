// SPDX-License-Identifier: GPL-3.0-or-later
#include "subclustertablemodel.h"

#include "topologycells.h"

#include <algorithm>

namespace tasuki {

namespace {

using config::TopologyField;

TopologyField fieldOf(int column) { return subclusterFields[static_cast<std::size_t>(column)]; }

bool isWords(TopologyField field)
{
    return field == TopologyField::Name || field == TopologyField::Hosts
        || field == TopologyField::WorldCommand || field == TopologyField::DedicatedMaster;
}

} // namespace

SubclusterTableModel::SubclusterTableModel(EditedTopology& document, QObject* parent)
    : CellTableModel(parent), m_document(document)
{
    followRows(document);
    // What an edit makes wrong, or right, may be anywhere.
    const auto renew = [this] {
        if (rowCount() > 0)
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    };
    connect(&document, &EditedTopology::subclustersEdited, this, renew);
    connect(&document, &EditedTopology::marksChanged, this, renew);
}

int SubclusterTableModel::columnOf(TopologyField field)
{
    return static_cast<int>(std::ranges::find(subclusterFields, field) - subclusterFields.begin());
}

const config::SubclusterSpec& SubclusterTableModel::spec(int row) const
{
    return m_document.topology().subclusters[static_cast<std::size_t>(row)];
}

int SubclusterTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_document.count());
}

int SubclusterTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(subclusterFields.size());
}

TopologyPlace SubclusterTableModel::placeOf(const QModelIndex& index)
{
    return {.subcluster = static_cast<std::size_t>(index.row()), .field = fieldOf(index.column())};
}

QString SubclusterTableModel::faultOf(const QModelIndex& index) const
{
    return m_document.faultAt(placeOf(index));
}

QString SubclusterTableModel::toolTip(const QModelIndex& index) const
{
    const TopologyField field = fieldOf(index.column());
    if (QString wrong = faultOf(index); !wrong.isEmpty())
        return wrong;
    if (QString fixed = m_document.fixedReason(field); !fixed.isEmpty())
        return fixed;
    if (const auto running = m_document.runningText(placeOf(index)))
        return tr("The system runs with %1.").arg(*running);
    const config::SubclusterSpec& one = spec(index.row());
    return field == TopologyField::Hosts && !one.hosts.empty() ? editText(one, field) : QString();
}

QVariant SubclusterTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const config::SubclusterSpec& one = spec(index.row());
    const TopologyField field = fieldOf(index.column());
    switch (role) {
    case Qt::DisplayRole: return shownText(one, field);
    case Qt::EditRole: return editText(one, field);
    case Qt::CheckStateRole:
        if (field != TopologyField::DedicatedMaster)
            return {};
        return static_cast<int>(one.dedicatedMaster ? Qt::Checked : Qt::Unchecked);
    case Qt::TextAlignmentRole:
        return static_cast<int>((isWords(field) ? Qt::AlignLeft : Qt::AlignRight)
                                | Qt::AlignVCenter);
    case Qt::ToolTipRole: return toolTip(index);
    case Qt::AccessibleTextRole:
        return tr("%1: %2").arg(cellName(index.row(), index.column()), shownText(one, field));
    case Qt::AccessibleDescriptionRole:
    case WrongRole: return faultOf(index);
    case DimRole: return isUnset(one, field) || !m_document.fixedReason(field).isEmpty();
    case OwnRole: return m_document.runningText(placeOf(index)).has_value();
    case HintRole:
        return isOptional(field) ? tr("empty: %1").arg(shownText(config::SubclusterSpec(), field))
                                 : QString();
    default: return {};
    }
}

QVariant SubclusterTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical)
        return role == Qt::DisplayRole ? QVariant(section + 1) : QVariant();
    const TopologyField field = fieldOf(section);
    if (role == Qt::ToolTipRole)
        return explanation(field);
    if (role != Qt::DisplayRole)
        return {};
    if (field == TopologyField::RestartWithinS)
        return tr("%1\n(s)").arg(fieldName(field));
    if (field == TopologyField::Units)
        return tr("%1\n(each host)").arg(fieldName(field));
    return field == TopologyField::DedicatedMaster ? tr("Dedicated\nmaster") : fieldName(field);
}

Qt::ItemFlags SubclusterTableModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags flags = CellTableModel::flags(index);
    if (!index.isValid())
        return flags;
    if (!m_document.fixedReason(fieldOf(index.column())).isEmpty())
        return flags & ~Qt::ItemIsEditable;
    if (fieldOf(index.column()) != TopologyField::DedicatedMaster)
        return flags;
    return (flags | Qt::ItemIsUserCheckable) & ~Qt::ItemIsEditable;
}

bool SubclusterTableModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::CheckStateRole || !index.isValid())
        return CellTableModel::setData(index, value, role);
    if (fieldOf(index.column()) != TopologyField::DedicatedMaster)
        return false;
    const bool checked = value.toInt() == Qt::Checked;
    return !setCells({{index.row(), index.column(),
                       checked ? QStringLiteral("true") : QStringLiteral("false")}});
}

QString SubclusterTableModel::problem(const QModelIndex& index, const QString& text) const
{
    return m_document.problem(
        SubclusterCell{static_cast<std::size_t>(index.row()), fieldOf(index.column()), text});
}

std::optional<CellFault> SubclusterTableModel::setCells(const QList<Cell>& cells)
{
    QList<SubclusterCell> wanted;
    for (const Cell& cell : cells)
        wanted << SubclusterCell{static_cast<std::size_t>(cell.row), fieldOf(cell.column),
                                 cell.text};
    return m_document.setCells(wanted);
}

QString SubclusterTableModel::clearCells(const QModelIndexList& indexes)
{
    if (m_document.isOfRunningSystem())
        return tr("Nothing here can be empty while the system runs.");
    if (const QList<int> rows = wholeRows(indexes); !rows.isEmpty() || indexes.isEmpty()) {
        m_document.remove(rows);
        return {};
    }
    QList<Cell> emptied;
    for (const QModelIndex& index : indexes) {
        if (isOptional(fieldOf(index.column())))
            emptied << Cell{index.row(), index.column(), {}};
    }
    if (emptied.isEmpty())
        return tr("Only hosts and units can be empty. Ctrl+Delete removes the whole subcluster.");
    const auto wrong = setCells(emptied);
    return wrong ? wrong->reason : QString();
}

QString SubclusterTableModel::cellName(int row, int column) const
{
    const QString name = static_cast<std::size_t>(row) < m_document.count()
        ? QString::fromStdString(spec(row).name)
        : tr("row %1").arg(row + 1);
    return tr("%1 of %2").arg(fieldName(fieldOf(column)), name);
}

} // namespace tasuki
