// SPDX-License-Identifier: GPL-3.0-or-later
#include "looks.h"

#include <algorithm>

namespace tasuki::tracer {

bool Looks::waitsSince(std::int64_t beginNs)
{
    if (!m_underWay)
        return false;
    const std::int64_t gapNs = beginNs - m_run.endNs;
    if (gapNs <= momentNs)
        return true;
    // Looking has used as much as it took, or less when others had the processor.
    const std::int64_t usedNs = m_used() - m_usedNs - (m_run.endNs - m_readNs);
    m_read = false;
    return usedNs <= std::max(momentNs, gapNs / sleepingPart);
}

void Looks::inVain(State state, std::int64_t beginNs, std::int64_t endNs)
{
    if (!m_underWay)
        m_run = {.state = state, .beginNs = beginNs};
    m_run.endNs = endNs;
    if (!m_underWay || !m_read) {
        m_readNs = endNs;
        m_usedNs = m_used();
    }
    m_underWay = true;
    m_read = true;
}

std::optional<Looks::Run> Looks::interrupt()
{
    const bool wasUnderWay = m_underWay;
    m_underWay = false;
    if (!wasUnderWay || m_run.endNs - m_run.beginNs < shortestNs)
        return std::nullopt;
    return m_run;
}

} // namespace tasuki::tracer
