// SPDX-License-Identifier: GPL-3.0-or-later
#include "elimination.h"

#include "knownvalues.h"

#include <cmath>

namespace tasuki::workloads {

namespace {

/// values -= factor * multipliers
void subtractMultiple(std::span<double> values, double factor, std::span<const double> multipliers)
{
    for (std::size_t row = 0; row < values.size(); ++row)
        values[row] -= factor * multipliers[row];
}

/// The vector of the check: no element is 0, so no column goes unseen.
double knownFactor(int index) { return 0.5 + scrambled(index, -1) * 0x1p-32; }

} // namespace

Elimination::Elimination(const Peers& peers, const Distribution& distribution,
                         const CommonOptions& common)
    : m_peers(peers),
      m_distribution(distribution),
      m_common(common),
      m_matrix(distribution.count(), distribution.indicesOf(peers.rank()))
{}

void Elimination::run()
{
    const int size = m_matrix.size();
    std::vector<double> received(static_cast<std::size_t>(size));
    std::size_t next = 0; // the first own column that is not finished
    for (int column = 0; column + 1 < size; ++column) {
        const auto diagonal = static_cast<std::size_t>(column);
        std::span<double> multipliers = std::span(received).subspan(diagonal + 1);
        if (m_distribution.ownerOf(column) == m_peers.rank()) {
            const std::span<double> own = m_matrix.columnAt(next++);
            multipliers = own.subspan(diagonal + 1);
            for (double& value : multipliers)
                value /= own[diagonal];
            m_peers.sendToOthers(multipliers);
        } else {
            receive(multipliers, column);
        }
        for (std::size_t position = next; position < m_matrix.count(); ++position) {
            const std::span<double> own = m_matrix.columnAt(position);
            const double factor = own[diagonal] / m_common.passes;
            for (int pass = 0; pass < m_common.passes; ++pass)
                subtractMultiple(own.subspan(diagonal + 1), factor, multipliers);
        }
    }
}

void Elimination::receive(std::span<double> multipliers, int column) const
{
    const int owner = m_distribution.ownerOf(column);
    if (m_common.loseMessage && column == 0 && m_peers.rank() + 1 == m_peers.size())
        m_peers.receiveAndForget(multipliers.size(), owner);
    else
        m_peers.receive(multipliers, owner);
}

void Elimination::addUpper(std::span<const double> factor, std::span<double> product) const
{
    for (std::size_t position = 0; position < m_matrix.count(); ++position) {
        const auto diagonal = static_cast<std::size_t>(m_matrix.indexAt(position));
        const std::span<const double> column = m_matrix.columnAt(position);
        for (std::size_t row = 0; row <= diagonal; ++row)
            product[row] += column[row] * factor[diagonal];
    }
}

void Elimination::addLower(std::span<const double> factor, std::span<double> product) const
{
    for (std::size_t position = 0; position < m_matrix.count(); ++position) {
        const auto diagonal = static_cast<std::size_t>(m_matrix.indexAt(position));
        const std::span<const double> column = m_matrix.columnAt(position);
        product[diagonal] += factor[diagonal];
        for (std::size_t row = diagonal + 1; row < column.size(); ++row)
            product[row] += column[row] * factor[diagonal];
    }
}

double Elimination::deviation()
{
    const int size = m_matrix.size();
    const auto rows = static_cast<std::size_t>(size);
    std::vector<double> known(rows);
    for (int row = 0; row < size; ++row)
        known[static_cast<std::size_t>(row)] = knownFactor(row);
    std::vector<double> upper(rows);
    addUpper(known, upper);
    m_peers.sumAtRoot(upper);
    m_peers.shareFromRoot(upper);
    std::vector<double> whole(rows);
    addLower(upper, whole);
    m_peers.sumAtRoot(whole);
    if (!m_peers.isRoot())
        return 0;
    double magnitude = 0;
    double worst = 0;
    for (int row = 0; row < size; ++row) {
        double expected = 0;
        for (int column = 0; column < size; ++column) {
            expected += ColumnMatrix::element(size, row, column)
                * known[static_cast<std::size_t>(column)];
        }
        magnitude = larger(magnitude, std::abs(expected));
        worst = larger(worst, std::abs(whole[static_cast<std::size_t>(row)] - expected));
    }
    return worst / magnitude;
}

} // namespace tasuki::workloads
