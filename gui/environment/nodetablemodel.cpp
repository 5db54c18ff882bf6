// SPDX-License-Identifier: GPL-3.0-or-later
#include "nodetablemodel.h"

#include <algorithm>
#include <map>

namespace tasuki {

namespace {

NodeField nodeFieldOf(int column) { return static_cast<NodeField>(column); }

bool isOptional(NodeField field)
{
    return field == NodeField::Cores || field == NodeField::Egress || field == NodeField::Ingress;
}

} // namespace

NodeTableModel::NodeTableModel(EnvironmentDocument& document, QObject* parent)
    : EnvironmentTableModel(document, parent)
{
    connect(&document, &EnvironmentDocument::nodesEdited, this, [this](int first, int last) {
        Q_EMIT dataChanged(index(first, 0), index(last, columnCount() - 1));
    });
}

int NodeTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(document().nodeCount());
}

int NodeTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(allNodeFields.size());
}

QVariant NodeTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const plan::NodeSpec& node =
        document().environment().nodes[static_cast<std::size_t>(index.row())];
    const NodeField field = nodeFieldOf(index.column());
    switch (role) {
    case Qt::DisplayRole: return shownText(node, field);
    case Qt::EditRole: return editText(node, field);
    case Qt::TextAlignmentRole:
        return static_cast<int>((field == NodeField::Name ? Qt::AlignLeft : Qt::AlignRight)
                                | Qt::AlignVCenter);
    case Qt::ToolTipRole: {
        const QString exact = editText(node, field);
        return exact == shownText(node, field) || exact.isEmpty() ? QVariant() : exact;
    }
    case Qt::AccessibleTextRole:
        return tr("%1: %2").arg(cellName(index.row(), index.column()), shownText(node, field));
    case DimRole: return isUnset(node, field);
    case HintRole:
        return isOptional(field) ? tr("empty: %1").arg(shownText(plan::NodeSpec(), field))
                                 : QString();
    default: return {};
    }
}

QVariant NodeTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical)
        return role == Qt::DisplayRole ? QVariant(section + 1) : QVariant();
    const NodeField field = nodeFieldOf(section);
    const bool perByte = field == NodeField::Egress || field == NodeField::Ingress;
    if (role == Qt::DisplayRole)
        return perByte ? tr("%1\n(µs/byte)").arg(fieldName(field)) : fieldName(field);
    if (role != Qt::ToolTipRole)
        return {};
    switch (field) {
    case NodeField::Name: return tr("What mpirun knows the computer by");
    case NodeField::Speed: return tr("Relative: at 0.5, computation takes twice the time");
    case NodeField::Slots: return tr("How many tasks the node takes");
    case NodeField::Cores: return tr("How many cores a task may be bound to");
    case NodeField::Egress: return tr("What the network card takes for a byte that leaves");
    case NodeField::Ingress: return tr("What the network card takes for a byte that comes");
    }
    return {};
}

QString NodeTableModel::problem(const QModelIndex& index, const QString& text) const
{
    return document().problem(
        NodeCell{static_cast<std::uint32_t>(index.row()), nodeFieldOf(index.column()), text});
}

std::optional<CellFault> NodeTableModel::setCells(const QList<Cell>& cells)
{
    QList<NodeCell> wanted;
    for (const Cell& cell : cells)
        wanted << NodeCell{static_cast<std::uint32_t>(cell.row), nodeFieldOf(cell.column),
                           cell.text};
    return document().setCells(wanted);
}

QString NodeTableModel::clearCells(const QModelIndexList& indexes)
{
    std::map<int, int> cellsOfRow;
    QList<NodeCell> emptied;
    for (const QModelIndex& index : indexes) {
        ++cellsOfRow[index.row()];
        const NodeField field = nodeFieldOf(index.column());
        if (isOptional(field))
            emptied << NodeCell{static_cast<std::uint32_t>(index.row()), field, {}};
    }
    const bool wholeRows = std::ranges::all_of(
        cellsOfRow, [this](const auto& row) { return row.second == columnCount(); });
    if (wholeRows) {
        QList<int> nodes;
        for (const auto& [row, unused] : cellsOfRow)
            nodes << row;
        document().removeNodes(nodes);
        return {};
    }
    if (emptied.isEmpty())
        return tr("A node needs a name, a speed and slots. Ctrl+Delete removes the whole node.");
    document().setCells(emptied);
    return {};
}

QString NodeTableModel::cellName(int row, int column) const
{
    const auto& nodes = document().environment().nodes;
    const auto place = static_cast<std::size_t>(row);
    const QString name = place < nodes.size() ? QString::fromStdString(nodes[place].name)
                                              : tr("row %1").arg(row + 1);
    return tr("%1 of %2").arg(fieldName(nodeFieldOf(column)), name);
}

} // namespace tasuki
