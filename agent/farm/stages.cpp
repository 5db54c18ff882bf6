// SPDX-License-Identifier: GPL-3.0-or-later
#include "stages.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tasuki::farm {

void Stages::add(std::uint32_t stage)
{
    if (stage < m_open.size())
        return;
    m_open.resize(stage + 1U);
    m_deferred.resize(stage + 1U);
}

void Stages::open(std::uint32_t stage)
{
    ++m_open[stage];
    m_openBegun += hasBegun(stage) ? 1U : 0U;
}

void Stages::close(std::uint32_t stage)
{
    --m_open[stage];
    m_openBegun -= hasBegun(stage) ? 1U : 0U;
}

std::vector<TaskId> Stages::advance()
{
    std::vector<TaskId> due;
    while (m_current + 1 < m_open.size() && m_openBegun == 0) {
        m_openBegun = m_open[++m_current];
        std::ranges::copy(std::exchange(m_deferred[m_current], {}), std::back_inserter(due));
    }
    return due;
}

} // namespace tasuki::farm
