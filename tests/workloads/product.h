// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "distribution.h"
#include "peers.h"
#include "program.h"

#include <vector>

namespace tasuki::workloads {

/// C = A B, with square dense matrices. Rank 0 has A and B, sends each other rank its rows of A and
/// the whole of B, computes its own rows of C and collects those of the others; all in the order of
/// the ranks. The others receive, compute and send.
///
/// The elements of A and B are small whole numbers: C is exact in double precision, in whatever
/// order it was added up.
class Product : public Workload {
public:
    /// @param distribution  of the rows of A and C
    Product(const Peers& peers, const Distribution& distribution, const CommonOptions& common);

    void run() override;
    /// Compares C x with A (B x) for a known x without zeros: a single wrong element of C is always
    /// seen. @return exactly 0 when C is right
    double deviation() override;

private:
    /// @return the part of a matrix that is a rank's rows of it
    [[nodiscard]] std::span<double> rowsOf(std::vector<double>& matrix, int rank) const;
    void compute(std::span<const double> a, std::span<double> c) const;
    void serve();
    void collect();
    void work();

    const Peers& m_peers;
    Distribution m_distribution;
    CommonOptions m_common;
    /// Row after row. On rank 0 whole; elsewhere A and C are the own rows alone.
    std::vector<double> m_a;
    std::vector<double> m_b;
    std::vector<double> m_c;
};

} // namespace tasuki::workloads
