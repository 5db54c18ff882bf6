// SPDX-License-Identifier: GPL-3.0-or-later
#include "product.h"

#include "knownvalues.h"

#include <algorithm>
#include <cmath>

namespace tasuki::workloads {

namespace {

/// Rows of B that are used for all rows of C before the next: 256 kB of a matrix of 1000, which
/// stay in a core's own cache. What a node computes then does not depend on its neighbours' use of
/// the memory.
constexpr std::size_t rowsAtATime = 32;

/// values += factor * others
void addMultiple(std::span<double> values, double factor, std::span<const double> others)
{
    for (std::size_t column = 0; column < values.size(); ++column)
        values[column] += factor * others[column];
}

/// c += a b, where b has `size` rows and columns and the others have `size` columns.
void addProduct(std::span<const double> a, std::span<const double> b, std::span<double> c,
                std::size_t size)
{
    for (std::size_t begin = 0; begin < size; begin += rowsAtATime) {
        const std::size_t end = std::min(begin + rowsAtATime, size);
        for (std::size_t start = 0; start < c.size(); start += size) {
            for (std::size_t inner = begin; inner < end; ++inner) {
                addMultiple(c.subspan(start, size), a[start + inner],
                            b.subspan(inner * size, size));
            }
        }
    }
}

/// @return a whole number from -8 to 8 for each element; the matrices differ
std::vector<double> knownMatrix(int size, int matrix)
{
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
    for (int row = 0; row < size; ++row) {
        for (int column = 0; column < size; ++column)
            values.push_back(scrambled(row + matrix * size, column) % 17 - 8.0);
    }
    return values;
}

/// Exact for whole numbers below 2^53, which all here are.
std::vector<double> timesVector(const std::vector<double>& matrix,
                                const std::vector<double>& vector)
{
    std::vector<double> product(vector.size());
    for (std::size_t row = 0; row < product.size(); ++row) {
        for (std::size_t column = 0; column < vector.size(); ++column)
            product[row] += matrix[row * vector.size() + column] * vector[column];
    }
    return product;
}

} // namespace

Product::Product(const Peers& peers, const Distribution& distribution, const CommonOptions& common)
    : m_peers(peers), m_distribution(distribution), m_common(common)
{
    const int size = distribution.count();
    const auto edge = static_cast<std::size_t>(size);
    const int rows = peers.isRoot() ? size : distribution.blockOf(peers.rank()).count;
    const std::size_t part = static_cast<std::size_t>(rows) * edge;
    m_a = peers.isRoot() ? knownMatrix(size, 0) : std::vector<double>(part);
    m_b = peers.isRoot() ? knownMatrix(size, 1) : std::vector<double>(edge * edge);
    m_c.resize(part);
}

std::span<double> Product::rowsOf(std::vector<double>& matrix, int rank) const
{
    const Distribution::Block block = m_distribution.blockOf(rank);
    const auto edge = static_cast<std::size_t>(m_distribution.count());
    return std::span(matrix).subspan(static_cast<std::size_t>(block.first) * edge,
                                     static_cast<std::size_t>(block.count) * edge);
}

void Product::run()
{
    if (!m_peers.isRoot()) {
        work();
        return;
    }
    serve();
    compute(rowsOf(m_a, 0), rowsOf(m_c, 0));
    collect();
}

void Product::compute(std::span<const double> a, std::span<double> c) const
{
    for (int pass = 0; pass < m_common.passes; ++pass) {
        std::fill(c.begin(), c.end(), 0.0);
        addProduct(a, m_b, c, static_cast<std::size_t>(m_distribution.count()));
    }
}

void Product::serve()
{
    for (int worker = 1; worker < m_peers.size(); ++worker) {
        m_peers.send(std::span<const double>(rowsOf(m_a, worker)), worker);
        m_peers.send(std::span<const double>(m_b), worker);
    }
}

void Product::work()
{
    m_peers.receive(m_a, 0);
    m_peers.receive(m_b, 0);
    compute(m_a, m_c);
    m_peers.send(std::span<const double>(m_c), 0);
}

void Product::collect()
{
    for (int worker = 1; worker < m_peers.size(); ++worker) {
        const std::span<double> part = rowsOf(m_c, worker);
        if (m_common.loseMessage && worker + 1 == m_peers.size())
            m_peers.receiveAndForget(part.size(), worker);
        else
            m_peers.receive(part, worker);
    }
}

double Product::deviation()
{
    if (!m_peers.isRoot())
        return 0;
    std::vector<double> known(static_cast<std::size_t>(m_distribution.count()));
    for (std::size_t index = 0; index < known.size(); ++index)
        known[index] = 1 + scrambled(static_cast<int>(index), -1) % 1000;
    const std::vector<double> expected = timesVector(m_a, timesVector(m_b, known));
    const std::vector<double> found = timesVector(m_c, known);
    double magnitude = 1;
    double worst = 0;
    for (std::size_t row = 0; row < known.size(); ++row) {
        magnitude = larger(magnitude, std::abs(expected[row]));
        worst = larger(worst, std::abs(found[row] - expected[row]));
    }
    return worst / magnitude;
}

} // namespace tasuki::workloads
