// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "crews.h"

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

/// A foreman, and which of its leaderships.
struct Leadership {
    ProcessorId foreman;
    std::uint64_t term = 0;
    bool operator==(const Leadership&) const = default;
};

/// Ranks that have a foreman, as the master sees them.
struct Crew {
    std::vector<Rank> ranks;           ///< ascending
    std::optional<ProcessorId> leader; ///< who is to be their foreman; none: nobody is left
    std::optional<Leadership> acting;  ///< who has been told what the crew holds
    /// The newest terms of those whose CrewHello cannot be answered yet.
    std::map<ProcessorId, std::uint64_t> early;
    bool mustered = false; ///< the acting foreman takes work
    bool byRecord = false; ///< it has not told what the record does not say
    std::uint64_t era = 0; ///< of the latest Muster
    /// The newest terms of foremen: what they said in older ones may come late.
    std::map<ProcessorId, std::uint64_t> terms;
};

/// Who holds which rank, and who leads it. What is known of the processors themselves is the failure
/// hierarchy's.
class Roster {
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

    /// Ranks have a foreman from now on. Precondition: none of them has one.
    void form(CrewId id, std::vector<Rank> ranks)
    {
        for (const Rank rank : ranks)
            m_led[rank] = id;
        m_crews[id].ranks = std::move(ranks);
    }
    /// @return the crew that a rank belongs to
    [[nodiscard]] CrewId crewOf(Rank rank) const
    {
        const auto led = m_led.find(rank);
        return led == m_led.end() ? farm::crewOf(rank) : led->second;
    }
    [[nodiscard]] bool isLed(Rank rank) const { return m_led.contains(rank); }
    /// @return null: it is a rank without a foreman
    [[nodiscard]] Crew* crew(CrewId id)
    {
        const auto found = m_crews.find(id);
        return found == m_crews.end() ? nullptr : &found->second;
    }
    [[nodiscard]] const std::map<CrewId, Crew>& crews() const { return m_crews; }
    /// @return the slots of those of a crew who are there and get work
    [[nodiscard]] std::uint32_t openSlots(const Crew& crew) const
    {
        std::uint32_t slots = 0;
        for (const Rank rank : crew.ranks) {
            const auto member = m_members.find(rank);
            if (member != m_members.end() && member->second.open
                && member->second.state == Member::State::Present)
                slots += member->second.slots;
        }
        return slots;
    }

    /// @return null: nobody has ever held the rank
    [[nodiscard]] Member* find(Rank rank)
    {
        const auto found = m_members.find(rank);
        return found == m_members.end() ? nullptr : &found->second;
    }
    /// @return whether the record knows of a holder of the rank, the present or a former one
    [[nodiscard]] bool wasJoined(Rank rank) const
    {
        const auto found = m_members.find(rank);
        return found != m_members.end() && found->second.everJoined;
    }
    [[nodiscard]] const std::map<Rank, Member>& members() const { return m_members; }
    [[nodiscard]] std::size_t count(Member::State state) const
    {
        return static_cast<std::size_t>(std::ranges::count_if(
            m_members, [state](const auto& entry) { return entry.second.state == state; }));
    }

private:
    std::map<Rank, Member> m_members;
    std::map<CrewId, Crew> m_crews;
    std::map<Rank, CrewId> m_led;
};

} // namespace tasuki::farm
