// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "membershipview.h"

#include "domain/clock.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tasuki::hierarchy {

/// The way of a processor that has given itself up back among the others: the table of its states is
/// in docs/hierarchy.md, "Coming back". Says when and whom to ask; sends nothing itself.
class WayBack {
public:
    enum class State : std::uint8_t {
        Member, ///< one like the others
        Fenced, ///< what it did is being ended
        Asking, ///< wants to be let in, in a new life
        Over,   ///< is not let in any more
    };

    /// @param self  who is never asked
    explicit WayBack(ProcessorId self) : m_self(self) {}

    /// It has given itself up. @param until  then it stops asking
    void fence(SteadyTime until);
    /// Nothing of what it did is left. Precondition: state() is Fenced
    void ask() { m_state = State::Asking; }
    void enter() { m_state = State::Member; }
    void end() { m_state = State::Over; }
    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] bool overdue(SteadyTime now) const
    {
        return m_state == State::Asking && now > m_until;
    }
    /// @param view   what it knew last
    /// @param followed  its word counts there, so it is to be new; none: nobody
    /// @return whom to ask now: that one, who was system master, and each time another one of all
    std::vector<ProcessorId> next(const MembershipView& view, std::optional<ProcessorId> followed);

private:
    ProcessorId m_self;
    State m_state = State::Member;
    SteadyTime m_until{};
    std::uint32_t m_asked = 0; ///< so many of the others, one after the other
};

} // namespace tasuki::hierarchy
