// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ids.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>

namespace tasuki::farm {

/// A rank as the master sees it.
struct Member {
    enum class State : std::uint8_t {
        Vacant,   ///< nobody holds it
        Expected, ///< its holder has not said Hello
        Present,  ///< its holder has been welcomed
    };
    State state = State::Vacant;
    ProcessorId holder;      ///< or who held it last
    Incarnation incarnation; ///< of that holding
    bool open = true;        ///< gets work
};

/// Who holds which rank. What is known of the processors themselves is the failure hierarchy's.
class Roster {
public:
    /// A processor holds the rank from now on. Precondition: nobody does.
    void hold(Rank rank, ProcessorId holder, Incarnation incarnation)
    {
        Member& member = m_members[rank];
        member.state = Member::State::Expected;
        member.holder = holder;
        member.incarnation = incarnation;
    }

    /// @return null: nobody has ever held the rank
    [[nodiscard]] Member* find(Rank rank)
    {
        const auto found = m_members.find(rank);
        return found == m_members.end() ? nullptr : &found->second;
    }
    [[nodiscard]] const std::map<Rank, Member>& members() const { return m_members; }
    [[nodiscard]] std::size_t count(Member::State state) const
    {
        return static_cast<std::size_t>(std::ranges::count_if(
            m_members, [state](const auto& entry) { return entry.second.state == state; }));
    }

private:
    std::map<Rank, Member> m_members;
};

} // namespace tasuki::farm
