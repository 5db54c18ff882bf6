// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulatedlink.h"

#include <algorithm>
#include <cmath>

namespace tasuki {

double SimulatedDice::roll()
{
    // SplitMix64: eight bytes of state, because every pair of processors has dice of its own.
    m_state += 0x9E3779B97F4A7C15U;
    std::uint64_t mixed = m_state;
    mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
    mixed ^= mixed >> 31U;
    return static_cast<double>(mixed >> 11U) * 0x1.0p-53;
}

SteadyTime SimulatedLink::arrival(SteadyTime now)
{
    const double extra = -std::log(1.0 - m_dice.roll());
    const auto delay = model.minimumDelay
        + std::chrono::nanoseconds(
                           std::llround(extra * static_cast<double>(model.meanExtraDelay.count())));
    m_latestArrival = std::max(m_latestArrival, now + delay);
    return m_latestArrival;
}

bool SimulatedLink::loses()
{
    if (model.cut)
        return true;
    return model.loss > 0.0 && m_dice.roll() < model.loss;
}

} // namespace tasuki
