// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace tasuki::probe {

/// A fixed piece of work of the kind that is to be planned for: the factorisation of a dense matrix
/// and sweeps of a stencil, both small enough for a core's own cache.
class ComputeKernel {
public:
    ComputeKernel();

    /// Does the work so many times.
    /// @return a number that depends on all of it; the same on every computer of one architecture
    double run(std::uint64_t times);

private:
    void factorise();
    void sweep();

    std::vector<double> m_original;
    std::vector<double> m_matrix;
    std::vector<double> m_grid;
    std::vector<double> m_next;
};

} // namespace tasuki::probe
