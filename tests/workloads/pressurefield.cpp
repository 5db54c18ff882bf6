// SPDX-License-Identifier: GPL-3.0-or-later
#include "pressurefield.h"

#include "knownvalues.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tasuki::workloads {

namespace {

/// The tensor K: positive definite, no two elements alike, so that no two neighbours are alike.
/// First along planes, then rows, then columns.
constexpr double alongPlanes = 1.0;
constexpr double alongRows = 0.8;
constexpr double alongColumns = 0.9;
constexpr double planesRows = 0.30;
constexpr double rowsColumns = -0.20;
constexpr double columnsPlanes = 0.25;

/// Weight of a point itself, and what a sweep takes of the correction that the equation asks for.
constexpr double diagonal = 2 * (alongPlanes + alongRows + alongColumns);
constexpr double damping = 0.8;
constexpr double step = damping / diagonal;

/// A plane wave on the whole grid; angles in radians a point.
struct Wave {
    double perPlane = 0;
    double perRow = 0;
    double perColumn = 0;
    double phase = 0;

    /// @return the wave with so many periods along the axes of a box
    static Wave of(const Grid& grid, double planes, double rows, double columns, double phase)
    {
        constexpr double turn = 2 * std::numbers::pi;
        return {.perPlane = turn * planes / (grid.planes + 1),
                .perRow = turn * rows / (grid.rows + 1),
                .perColumn = turn * columns / (grid.columns + 1),
                .phase = phase};
    }

    [[nodiscard]] double at(int plane, int row, int column) const
    {
        return std::cos(perPlane * plane + perRow * row + perColumn * column + phase);
    }

    /// @return by what the discrete div (K grad) multiplies the wave
    [[nodiscard]] double eigenvalue() const
    {
        const double straight = alongPlanes * (1 - std::cos(perPlane))
            + alongRows * (1 - std::cos(perRow)) + alongColumns * (1 - std::cos(perColumn));
        const double mixed = planesRows * std::sin(perPlane) * std::sin(perRow)
            + rowsColumns * std::sin(perRow) * std::sin(perColumn)
            + columnsPlanes * std::sin(perColumn) * std::sin(perPlane);
        return -2 * (straight + mixed);
    }
};

Wave steadyWave(const Grid& grid) { return Wave::of(grid, 1.3, 0.7, 1.1, 0.4); }

/// Long: little of it goes in a sweep, so that much is left after many.
Wave fadingWave(const Grid& grid) { return Wave::of(grid, 0.35, 0.20, 0.25, 1.0); }

/// What is left of the fading wave after a sweep.
double fadingFactor(const Grid& grid) { return 1 + step * fadingWave(grid).eigenvalue(); }

/// A row of points and its neighbours that share a face or an edge with it; `up` and `down` are the
/// planes after and before, `right` and `left` the rows.
struct Rows {
    const double* here;
    const double* up;
    const double* down;
    const double* right;
    const double* left;
    const double* upRight;
    const double* upLeft;
    const double* downRight;
    const double* downLeft;
};

/// New values of the inner points of a row, and the squares of their changes added to `squares`.
/// @param source  times `strength` is the right-hand side f
void relaxRow(const Rows& row, const double* source, double strength, int columns,
              double* __restrict next, double* __restrict squares)
{
    const Rows r = row;
    for (int c = 1; c <= columns; ++c) {
        const double straight = alongPlanes * (r.up[c] + r.down[c])
            + alongRows * (r.right[c] + r.left[c]) + alongColumns * (r.here[c + 1] + r.here[c - 1]);
        const double mixed = planesRows
                * (r.upRight[c] - r.upLeft[c] - r.downRight[c] + r.downLeft[c])
            + rowsColumns * (r.right[c + 1] - r.right[c - 1] - r.left[c + 1] + r.left[c - 1])
            + columnsPlanes * (r.up[c + 1] - r.up[c - 1] - r.down[c + 1] + r.down[c - 1]);
        const double missing = straight + 0.5 * mixed - diagonal * r.here[c] - strength * source[c];
        const double change = step * missing;
        next[c] = r.here[c] + change;
        squares[c] += change * change;
    }
}

} // namespace

PressureField::PressureField(const Grid& grid, Distribution::Block own) : m_grid(grid), m_own(own)
{
    const std::size_t points = offset(own.count + 2, 0);
    for (std::vector<double>* values : {&m_pressure, &m_next, &m_steady, &m_fading})
        values->resize(points);
    m_squares.resize(static_cast<std::size_t>(grid.columns) + 2);
    fillWaves();
    const bool first = own.first == 0;
    const bool last = own.first + own.count == grid.planes;
    const std::size_t begin = first ? 0 : offset(1, 0);
    const std::size_t end = last ? points : offset(own.count + 1, 0);
    for (std::size_t point = begin; point < end; ++point)
        m_pressure[point] = expected(point);
    m_next = m_pressure;
}

void PressureField::fillWaves()
{
    const Wave steady = steadyWave(m_grid);
    const Wave fading = fadingWave(m_grid);
    for (int plane = 0; plane <= m_own.count + 1; ++plane) {
        for (int row = 0; row <= m_grid.rows + 1; ++row) {
            const std::size_t start = offset(plane, row);
            for (int column = 0; column <= m_grid.columns + 1; ++column) {
                const std::size_t point = start + static_cast<std::size_t>(column);
                m_steady[point] = steady.at(m_own.first + plane, row, column);
                m_fading[point] = fading.at(m_own.first + plane, row, column);
            }
        }
    }
}

std::size_t PressureField::offset(int plane, int row) const
{
    const auto rows = static_cast<std::size_t>(m_grid.rows) + 2;
    const auto columns = static_cast<std::size_t>(m_grid.columns) + 2;
    return (static_cast<std::size_t>(plane) * rows + static_cast<std::size_t>(row)) * columns;
}

std::span<double> PressureField::plane(int number)
{
    return std::span(m_pressure).subspan(offset(number, 0), offset(1, 0));
}

double PressureField::expected(std::size_t point) const
{
    return m_steady[point] + m_remaining * m_fading[point];
}

double PressureField::sweep(int passes)
{
    std::fill(m_squares.begin(), m_squares.end(), 0.0);
    for (int plane = 1; plane <= m_own.count; ++plane) {
        for (int pass = 0; pass < passes; ++pass)
            sweepPlane(plane);
    }
    m_remaining *= fadingFactor(m_grid);
    setBoundary();
    m_pressure.swap(m_next);
    double sum = 0;
    for (const double squares : m_squares)
        sum += squares;
    return sum / passes;
}

void PressureField::sweepPlane(int plane)
{
    const double strength = steadyWave(m_grid).eigenvalue();
    for (int row = 1; row <= m_grid.rows; ++row) {
        const auto rowAt = [this](int ofPlane, int number) {
            return m_pressure.data() + offset(ofPlane, number);
        };
        const Rows rows{.here = rowAt(plane, row),
                        .up = rowAt(plane + 1, row),
                        .down = rowAt(plane - 1, row),
                        .right = rowAt(plane, row + 1),
                        .left = rowAt(plane, row - 1),
                        .upRight = rowAt(plane + 1, row + 1),
                        .upLeft = rowAt(plane + 1, row - 1),
                        .downRight = rowAt(plane - 1, row + 1),
                        .downLeft = rowAt(plane - 1, row - 1)};
        relaxRow(rows, m_steady.data() + offset(plane, row), strength, m_grid.columns,
                 m_next.data() + offset(plane, row), m_squares.data());
    }
}

void PressureField::setBoundary()
{
    for (int plane = 1; plane <= m_own.count; ++plane) {
        setRow(plane, 0);
        setRow(plane, m_grid.rows + 1);
        for (int row = 1; row <= m_grid.rows; ++row) {
            const std::size_t left = offset(plane, row);
            const std::size_t right = offset(plane, row + 1) - 1;
            m_next[left] = expected(left);
            m_next[right] = expected(right);
        }
    }
    for (int row = 0; row <= m_grid.rows + 1; ++row) {
        if (m_own.first == 0)
            setRow(0, row);
        if (m_own.first + m_own.count == m_grid.planes)
            setRow(m_own.count + 1, row);
    }
}

void PressureField::setRow(int plane, int row)
{
    const std::size_t end = offset(plane, row + 1);
    for (std::size_t point = offset(plane, row); point < end; ++point)
        m_next[point] = expected(point);
}

double PressureField::deviation() const
{
    double worst = 0;
    for (std::size_t point = offset(1, 0); point < offset(m_own.count + 1, 0); ++point)
        worst = larger(worst, std::abs(m_pressure[point] - expected(point)));
    return worst;
}

double PressureField::expectedSquares() const
{
    // From before the sweep to after it.
    const double change = m_remaining * (1 - 1 / fadingFactor(m_grid));
    double sum = 0;
    for (int plane = 1; plane <= m_own.count; ++plane) {
        for (int row = 1; row <= m_grid.rows; ++row) {
            const std::size_t start = offset(plane, row);
            for (std::size_t column = 1; column + 1 < m_squares.size(); ++column)
                sum += std::pow(change * m_fading[start + column], 2);
        }
    }
    return sum;
}

} // namespace tasuki::workloads
