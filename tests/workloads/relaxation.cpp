// SPDX-License-Identifier: GPL-3.0-or-later
#include "relaxation.h"

#include "knownvalues.h"

#include <tasuki.h>

#include <array>
#include <cmath>

namespace tasuki::workloads {

Relaxation::Relaxation(const Peers& peers, const Grid& grid, const Distribution& distribution,
                       int sweeps, const CommonOptions& common)
    : m_peers(peers),
      m_sweeps(sweeps),
      m_common(common),
      m_points(static_cast<double>(grid.planes) * grid.rows * grid.columns),
      m_field(grid, distribution.blockOf(peers.rank()))
{}

/// From here a later incarnation goes on.
void Relaxation::restartPoint(int& sweep)
{
    const std::span<double> pressure = m_field.pressure();
    tasuki_protect(1, &sweep, sizeof sweep);
    tasuki_protect(2, pressure.data(), pressure.size_bytes());
    tasuki_protect(3, &m_field.remaining(), sizeof(double));
    tasuki_restart_point();
}

void Relaxation::run()
{
    for (int sweep = 1; sweep <= m_sweeps; ++sweep) {
        if (m_common.restartPoints)
            restartPoint(sweep);
        exchangeHalos(m_common.loseMessage && sweep == m_sweeps);
        m_squares = m_field.sweep(m_common.passes);
        const std::span<double> sum(&m_squares, 1);
        m_peers.sumAtRoot(sum);
        m_peers.shareFromRoot(sum);
    }
}

void Relaxation::exchangeHalos(bool lose)
{
    const int rank = m_peers.rank();
    const bool even = rank % 2 == 0;
    for (const bool upwards : {even, !even}) {
        const int neighbour = upwards ? rank + 1 : rank - 1;
        if (neighbour < 0 || neighbour >= m_peers.size())
            continue;
        const int border = upwards ? m_field.ownPlanes() : 1;
        const int halo = upwards ? m_field.ownPlanes() + 1 : 0;
        exchangeWith(neighbour, border, halo, lose && rank + 1 == m_peers.size());
    }
}

void Relaxation::exchangeWith(int neighbour, int border, int halo, bool lose)
{
    const std::span<double> into = m_field.plane(halo);
    const auto receive = [&] {
        if (lose)
            m_peers.receiveAndForget(into.size(), neighbour);
        else
            m_peers.receive(into, neighbour);
    };
    const bool sendsFirst = m_peers.rank() % 2 == 0;
    if (!sendsFirst)
        receive();
    m_peers.send(std::span<const double>(m_field.plane(border)), neighbour);
    if (sendsFirst)
        receive();
}

double Relaxation::deviation()
{
    // Each rank's own: its points, what it was told, and its part of what it should have been told.
    std::array<double, 3> found{m_field.deviation(), m_squares, m_field.expectedSquares()};
    if (!m_peers.isRoot()) {
        m_peers.send(std::span<const double>(found), 0);
        return 0;
    }
    double worst = found[0];
    double spread = 0;
    double expected = found[2];
    for (int other = 1; other < m_peers.size(); ++other) {
        m_peers.receive(found, other);
        worst = larger(worst, found[0]);
        spread = larger(spread, std::abs(found[1] - m_squares));
        expected += found[2];
    }
    const double change = std::sqrt(m_squares / m_points);
    worst = larger(worst, std::abs(change - std::sqrt(expected / m_points)));
    return larger(worst, std::sqrt(spread / m_points));
}

} // namespace tasuki::workloads
