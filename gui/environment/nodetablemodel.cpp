// SPDX-License-Identifier: GPL-3.0-or-later
#include "nodetablemodel.h"

namespace tasuki {

namespace {

NodeField nodeFieldOf(int column) { return static_cast<NodeField>(column); }

bool isOptional(NodeField field)
{
    return field == NodeField::Cores || field == NodeField::Egress || field == NodeField::Ingress;
}

} // namespace

NodeTableModel::NodeTableModel(EnvironmentDocument& document, QObject* parent)
    : CellTableModel(parent), m_document(document)
{
    followRows(document);
    connect(&document, &EnvironmentDocument::nodesEdited, this, [this](int first, int last) {
        Q_EMIT dataChanged(index(first, 0), index(last, columnCount() - 1));
    });
}

int NodeTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_document.nodeCount());
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
        m_document.environment().nodes[static_cast<std::size_t>(index.row())];
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
    return m_document.problem(
        NodeCell{static_cast<std::uint32_t>(index.row()), nodeFieldOf(index.column()), text});
}

std::optional<CellFault> NodeTableModel::setCells(const QList<Cell>& cells)
{
    QList<NodeCell> wanted;
    for (const Cell& cell : cells)
        wanted << NodeCell{static_cast<std::uint32_t>(cell.row), nodeFieldOf(cell.column),
                           cell.text};
    return m_document.setCells(wanted);
}

QString NodeTableModel::clearCells(const QModelIndexList& indexes)
{
    if (const QList<int> rows = wholeRows(indexes); !rows.isEmpty() || indexes.isEmpty()) {
        m_document.removeNodes(rows);
        return {};
    }
    QList<Cell> emptied;
    for (const QModelIndex& index : indexes) {
        if (isOptional(nodeFieldOf(index.column())))
            emptied << Cell{index.row(), index.column(), {}};
    }
    if (emptied.isEmpty())
        return tr("A node needs a name, a speed and slots. Ctrl+Delete removes the whole node.");
    setCells(emptied);
    return {};
}

QString NodeTableModel::cellName(int row, int column) const
{
    const auto& nodes = m_document.environment().nodes;
    const auto place = static_cast<std::size_t>(row);
    const QString name = place < nodes.size() ? QString::fromStdString(nodes[place].name)
                                              : tr("row %1").arg(row + 1);
    return tr("%1 of %2").arg(fieldName(nodeFieldOf(column)), name);
}

} // namespace tasuki
