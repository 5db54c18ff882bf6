// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "columnmatrix.h"
#include "distribution.h"
#include "peers.h"
#include "program.h"

#include <vector>

namespace tasuki::workloads {

/// Gaussian elimination in outer-product form: A becomes L and U in place, column by column.
///
/// For each column in turn its owner divides what is under the diagonal and sends it to every other
/// rank, in the order of the ranks; then each rank subtracts the outer product from its columns to
/// the right. At one time there is one sender, and all others receive.
///
/// Without pivoting: the matrix does not need it, and so each step is one message a rank, of the
/// multipliers alone: 7992 bytes for the first column of 1000.
class Elimination : public Workload {
public:
    Elimination(const Peers& peers, const Distribution& distribution, const CommonOptions& common);

    void run() override;
    /// Compares L (U x) with A x for a known x: a vector instead of a product of matrices.
    double deviation() override;

private:
    /// Receives the multipliers of a column.
    void receive(std::span<double> multipliers, int column) const;
    /// Adds the own columns' part of L or U times a vector.
    void addUpper(std::span<const double> factor, std::span<double> product) const;
    void addLower(std::span<const double> factor, std::span<double> product) const;

    const Peers& m_peers;
    Distribution m_distribution;
    CommonOptions m_common;
    ColumnMatrix m_matrix;
};

} // namespace tasuki::workloads
