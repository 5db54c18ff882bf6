// SPDX-License-Identifier: GPL-3.0-or-later
#include "columnmatrix.h"

#include "knownvalues.h"

#include <utility>

namespace tasuki::workloads {

ColumnMatrix::ColumnMatrix(int size, std::vector<int> indices)
    : m_size(size),
      m_indices(std::move(indices)),
      m_values(static_cast<std::size_t>(size) * m_indices.size())
{
    for (std::size_t position = 0; position < count(); ++position) {
        const std::span<double> column = columnAt(position);
        for (int row = 0; row < size; ++row)
            column[static_cast<std::size_t>(row)] = element(size, row, indexAt(position));
    }
}

double ColumnMatrix::element(int size, int row, int column)
{
    // Within -0.5 to 0.5: the others of a column come to half of the diagonal at most.
    const double scattered = scrambled(row, column) * 0x1p-32 - 0.5;
    return row == column ? size : scattered;
}

std::span<double> ColumnMatrix::columnAt(std::size_t position)
{
    const auto rows = static_cast<std::size_t>(m_size);
    return std::span(m_values).subspan(position * rows, rows);
}

std::span<const double> ColumnMatrix::columnAt(std::size_t position) const
{
    const auto rows = static_cast<std::size_t>(m_size);
    return std::span(m_values).subspan(position * rows, rows);
}

} // namespace tasuki::workloads
