// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workergroup.h"
#include "workergroups.h"

#include "domain/event.h"
#include "domain/ids.h"
#include "domain/runstate.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace tasuki::farm {

/// A rank as the master sees it.
struct Member {
    enum class State : std::uint8_t {
        Vacant,   ///< nobody holds it
        Expected, ///< its holder has not said Hello
        Present,  ///< its holder has been welcomed
    };
    State state = State::Vacant;
    ProcessorId holder;                ///< or who held it last
    Incarnation incarnation;           ///< of that holding
    bool open = true;                  ///< gets work
    bool joined = false;               ///< the record knows of that holding,
    bool everJoined = false;           ///< or of an earlier one
    std::uint32_t slots = 0;           ///< of who has joined
    LossCause cause = LossCause::Gone; ///< why the last holding has ended
};

/// Who holds which rank, and who leads it. What is known of the processors themselves is the failure
/// hierarchy's.
class Roster {
    /// @return null: it is not there
    template <class Map>
    static auto* findIn(Map& map, const typename Map::key_type& key)
    {
        const auto found = map.find(key);
        return found == map.end() ? nullptr : &found->second;
    }

public:
    /// A processor holds the rank from now on. Precondition: nobody does.
    void hold(Rank rank, ProcessorId holder, Incarnation incarnation)
    {
        Member& member = m_members[rank];
        member.state = Member::State::Expected;
        member.holder = holder;
        member.incarnation = incarnation;
        member.joined = false;
    }

    /// What the record knows of a rank's latest holding, when its master has died.
    void seed(Rank rank, const ProcessorRecord& known)
    {
        Member& member = m_members[rank];
        member.state = known.present ? Member::State::Present : Member::State::Vacant;
        member.incarnation = known.incarnation;
        member.joined = member.everJoined = true;
        member.slots = known.slots;
        member.cause = known.lossCause;
    }

    /// Ranks have a group scheduler from now on. Precondition: none of them has one.
    void form(GroupId id, WorkerGroup group)
    {
        for (const Rank rank : group.ranks())
            m_led[rank] = id;
        m_groups.emplace(id, std::move(group));
    }
    /// @return the worker group that a rank belongs to
    [[nodiscard]] GroupId groupOf(Rank rank) const
    {
        const auto led = m_led.find(rank);
        return led == m_led.end() ? farm::groupOf(rank) : led->second;
    }
    [[nodiscard]] bool isLed(Rank rank) const { return m_led.contains(rank); }
    /// @return null: it is a rank without a group scheduler
    [[nodiscard]] WorkerGroup* group(GroupId id) { return findIn(m_groups, id); }
    [[nodiscard]] const WorkerGroup* group(GroupId id) const { return findIn(m_groups, id); }
    [[nodiscard]] const std::map<GroupId, WorkerGroup>& groups() const { return m_groups; }
    /// @return the slots of those of a worker group who are there and get work
    [[nodiscard]] std::uint32_t openSlots(const WorkerGroup& group) const
    {
        std::uint32_t slots = 0;
        for (const Rank rank : group.ranks()) {
            const Member* const member = find(rank);
            if (member != nullptr && member->open && member->state == Member::State::Present)
                slots += member->slots;
        }
        return slots;
    }

    /// @return null: nobody has ever held the rank
    [[nodiscard]] Member* find(Rank rank) { return findIn(m_members, rank); }
    [[nodiscard]] const Member* find(Rank rank) const { return findIn(m_members, rank); }
    /// @return whether the record knows of a holder of the rank, the present or a former one
    [[nodiscard]] bool wasJoined(Rank rank) const
    {
        const Member* const member = find(rank);
        return member != nullptr && member->everJoined;
    }
    [[nodiscard]] const std::map<Rank, Member>& members() const { return m_members; }
    [[nodiscard]] std::size_t count(Member::State state) const
    {
        return static_cast<std::size_t>(std::ranges::count_if(
            m_members, [state](const auto& entry) { return entry.second.state == state; }));
    }

private:
    std::map<Rank, Member> m_members;
    std::map<GroupId, WorkerGroup> m_groups;
    std::map<Rank, GroupId> m_led;
};

} // namespace tasuki::farm
