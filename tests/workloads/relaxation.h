// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distribution.h"
#include "peers.h"
#include "pressurefield.h"
#include "program.h"

namespace tasuki::workloads {

/// Sweeps over a PressureField whose planes are split over a line of ranks. Before each sweep
/// neighbours exchange the planes at their border; after it the changes of all go to rank 0, and
/// their sum comes back to all.
class Relaxation : public Workload {
public:
    /// @param distribution  of the planes: one block a rank, none empty
    Relaxation(const Peers& peers, const Grid& grid, const Distribution& distribution, int sweeps,
               const CommonOptions& common);

    void run() override;
    /// Compares all points, and the sum of the changes that rank 0 told, with the closed form. Sees
    /// a border plane that is one sweep old.
    double deviation() override;

private:
    void restartPoint(int& sweep);
    /// Ranks in pairs, first 0 and 1, 2 and 3, ..., then 1 and 2, 3 and 4, ...; of a pair the even
    /// one sends first. No rank waits for one that waits for another.
    void exchangeHalos(bool lose);
    void exchangeWith(int neighbour, int border, int halo, bool lose);

    const Peers& m_peers;
    int m_sweeps;
    CommonOptions m_common;
    double m_points; ///< of the whole grid
    PressureField m_field;
    double m_squares = 0; ///< of the latest sweep's changes, of all ranks
};

} // namespace tasuki::workloads
