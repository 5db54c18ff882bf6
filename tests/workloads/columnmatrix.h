// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tasuki::workloads {

/// Some columns of a square matrix whose diagonal is so heavy that elimination needs no pivoting.
class ColumnMatrix {
public:
    /// @param indices  of the columns in the whole matrix, ascending
    ColumnMatrix(int size, std::vector<int> indices);

    /// @return an element of the whole matrix before elimination
    [[nodiscard]] static double element(int size, int row, int column);

    [[nodiscard]] int size() const { return m_size; }
    /// @return how many columns are here
    [[nodiscard]] std::size_t count() const { return m_indices.size(); }
    /// @return which column of the whole matrix the one at a position here is
    [[nodiscard]] int indexAt(std::size_t position) const { return m_indices[position]; }
    /// @return all rows of the column at a position here
    [[nodiscard]] std::span<double> columnAt(std::size_t position);
    [[nodiscard]] std::span<const double> columnAt(std::size_t position) const;

private:
    int m_size;
    std::vector<int> m_indices;
    std::vector<double> m_values; ///< column after column
};

} // namespace tasuki::workloads
