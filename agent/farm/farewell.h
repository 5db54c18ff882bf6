// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mastermail.h"

#include "domain/clock.h"
#include "domain/ids.h"

#include <cstddef>
#include <set>

namespace tasuki::farm {

/// Who of a run lives, and how its master takes leave of them: it says goodbye until all have left.
class Farewell {
public:
    /// @param processors  of the run
    /// @param mail        outlives this object
    Farewell(std::size_t processors, MasterMail& mail);

    void lost(ProcessorId processor);
    void back(ProcessorId processor) { m_living.insert(processor); }
    void left(ProcessorId processor) { m_living.erase(processor); }
    void begin(SteadyTime now);
    /// Says it again when that is due. Precondition: it has begun.
    /// @return whether all have left, or had long enough for it
    bool isOver(SteadyTime now);
    /// Whether a processor has been lost, or has not left in time.
    [[nodiscard]] bool losses() const { return m_losses; }

private:
    void say(SteadyTime now);

    MasterMail& m_mail;
    std::set<ProcessorId> m_living; ///< have neither left nor been lost
    bool m_losses = false;
    SteadyTime m_begun{};
    SteadyTime m_said{};
};

} // namespace tasuki::farm
