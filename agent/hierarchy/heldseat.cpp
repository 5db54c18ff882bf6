// SPDX-License-Identifier: GPL-3.0-or-later
#include "heldseat.h"

#include <utility>

namespace tasuki::hierarchy {

HeldSeat::Look HeldSeat::look(const ClusterTable& table, ProcessorId self, Standing standing)
{
    const MemberRow& row = *table.member(self);
    std::optional<Holding> holding;
    if (row.seat && row.health < Health::Condemned)
        holding = Holding{*row.seat, table.seat(*row.seat)->incarnation};
    Look look;
    if (holding && row.vacating && holding != m_letGo) {
        look.toLetGo = m_letGo = holding;
        m_stopped = false;
    }
    // Not taken up again, whatever a later table says: others may have been told that it is free.
    const bool letGo = holding && holding == m_letGo;
    if (letGo && m_stopped)
        look.vacated = m_letGo;
    // Who does not know that it has its place takes no other one.
    if (letGo || standing == Standing::Lapsed
        || (standing == Standing::Suspended && holding != m_holding))
        holding.reset();
    look.changed = holding != m_holding;
    look.taken = holding && look.changed;
    if (holding)
        m_last = holding;
    m_holding = holding;
    if (holding && !table.seat(holding->seat)->taken)
        look.toSayTaken = holding;
    return look;
}

std::optional<Holding> HeldSeat::drop(bool lettingGo)
{
    if (m_holding && lettingGo) {
        m_letGo = m_holding;
        m_stopped = false;
    }
    return std::exchange(m_holding, std::nullopt);
}

bool HeldSeat::stopped(const Holding& holding)
{
    if (m_letGo != holding)
        return false;
    m_stopped = true;
    return true;
}

} // namespace tasuki::hierarchy
