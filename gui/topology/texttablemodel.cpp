// SPDX-License-Identifier: GPL-3.0-or-later
#include "texttablemodel.h"

namespace tasuki {

void TextTableModel::show(TextTable table)
{
    beginResetModel();
    m_table = std::move(table);
    endResetModel();
}

int TextTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int TextTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.titles.size());
}

QVariant TextTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return m_table.rows[static_cast<std::size_t>(index.row())].value(index.column());
    case Qt::TextAlignmentRole:
        return static_cast<int>(
            (m_table.numbers.contains(index.column()) ? Qt::AlignRight : Qt::AlignLeft)
            | Qt::AlignVCenter);
    default: return {};
    }
}

QVariant TextTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical || role != Qt::DisplayRole)
        return {};
    return m_table.titles.value(section);
}

} // namespace tasuki
