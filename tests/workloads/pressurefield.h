// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distribution.h"

#include <cstddef>
#include <span>
#include <vector>

namespace tasuki::workloads {

/// Inner points of a box along its axes.
struct Grid {
    int planes = 0; ///< along the axis that is split over the ranks
    int rows = 0;
    int columns = 0;
};

/// Some planes of a pressure in a box, on their way to the solution of a Poisson equation with mixed
/// derivatives: div (K grad p) = f, K a constant symmetric tensor. Each sweep of damped Jacobi takes
/// a point from itself and 18 neighbours, all that share a face or an edge with it.
///
/// The pressure after every sweep is known in closed form, at any size: it is the wave S that solves
/// the equation, plus a second wave M that is an eigenvector of a sweep and shrinks by a constant
/// factor each time. The values on the box follow it. So a point that was ever computed from a wrong
/// neighbour is seen, at any number of sweeps that leaves something of M.
class PressureField {
public:
    /// @param own  the planes here; the neighbouring ones at both ends are kept too, as halos, and
    ///             are zero at first where another rank has them
    PressureField(const Grid& grid, Distribution::Block own);

    /// One sweep over the inner points. Afterwards the halos are out of date.
    /// @param passes  how often each new value is computed
    /// @return the sum of the squares of all changes
    double sweep(int passes);

    /// Planes by their number here: 0 and ownPlanes() + 1 are the halos.
    [[nodiscard]] int ownPlanes() const { return m_own.count; }
    [[nodiscard]] std::span<double> plane(int number);

    /// All that a sweep starts from; others may stand elsewhere after it.
    [[nodiscard]] std::span<double> pressure() { return m_pressure; }
    [[nodiscard]] double& remaining() { return m_remaining; }

    /// @return the largest difference from the closed form, over the own planes; values are about 1
    [[nodiscard]] double deviation() const;
    /// @return what the latest sweep() had to return
    [[nodiscard]] double expectedSquares() const;

private:
    [[nodiscard]] std::size_t offset(int plane, int row) const;
    [[nodiscard]] double expected(std::size_t point) const;
    void fillWaves();
    void sweepPlane(int plane);
    /// Values of the box around the own planes, in `m_next`, for the sweep that is being made.
    void setBoundary();
    void setRow(int plane, int row);

    Grid m_grid;
    Distribution::Block m_own;
    double m_remaining = 1; ///< factor of M
    std::vector<double> m_pressure;
    std::vector<double> m_next;
    std::vector<double> m_steady;  ///< S, and f but for a factor
    std::vector<double> m_fading;  ///< M at the start
    std::vector<double> m_squares; ///< of the changes of a sweep, by column
};

} // namespace tasuki::workloads
