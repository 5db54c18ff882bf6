// SPDX-License-Identifier: GPL-3.0-or-later
#include "computekernel.h"

#include <cstddef>

namespace tasuki::probe {

namespace {

constexpr std::size_t order = 72; ///< 41 kB a matrix: several fit in a second-level cache
constexpr int sweeps = 10;

constexpr std::size_t place(std::size_t row, std::size_t column) { return row * order + column; }

} // namespace

ComputeKernel::ComputeKernel()
    : m_original(order * order),
      m_matrix(order * order),
      m_grid(order * order),
      m_next(order * order)
{
    for (std::size_t row = 0; row < order; ++row) {
        for (std::size_t column = 0; column < order; ++column) {
            // Heavy on the diagonal, so that no pivots are needed.
            const double entry = 1.0 / static_cast<double>(1 + row + column);
            m_original[place(row, column)] = row == column ? static_cast<double>(order) : entry;
            m_grid[place(row, column)] = entry;
        }
    }
    m_next = m_grid;
}

double ComputeKernel::run(std::uint64_t times)
{
    for (std::uint64_t i = 0; i < times; ++i) {
        m_matrix = m_original;
        // Each time depends on the one before: none can be left out.
        m_matrix[0] += m_grid[place(order / 2, order / 2)];
        factorise();
        m_grid[place(1, 1)] = 1 / m_matrix.back();
        for (int sweepsDone = 0; sweepsDone < sweeps; ++sweepsDone)
            sweep();
    }
    return m_grid[place(order / 2, order / 2)] + m_matrix.back();
}

void ComputeKernel::factorise()
{
    for (std::size_t pivot = 0; pivot < order; ++pivot) {
        for (std::size_t row = pivot + 1; row < order; ++row) {
            const double factor = m_matrix[place(row, pivot)] / m_matrix[place(pivot, pivot)];
            m_matrix[place(row, pivot)] = factor;
            for (std::size_t column = pivot + 1; column < order; ++column)
                m_matrix[place(row, column)] -= factor * m_matrix[place(pivot, column)];
        }
    }
}

void ComputeKernel::sweep()
{
    for (std::size_t row = 1; row + 1 < order; ++row) {
        for (std::size_t column = 1; column + 1 < order; ++column) {
            constexpr double own = 0.2;
            constexpr double neighbour = 0.19;
            const double around = m_grid[place(row - 1, column)] + m_grid[place(row + 1, column)]
                + m_grid[place(row, column - 1)] + m_grid[place(row, column + 1)];
            m_next[place(row, column)] = own * m_grid[place(row, column)] + neighbour * around;
        }
    }
    m_grid.swap(m_next);
}

} // namespace tasuki::probe
