// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"
#include "domain/event.h"
#include "domain/ids.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tasuki::farm {

/// A processor as the master sees it.
struct Member {
    enum class State : std::uint8_t {
        Expected, ///< has not said Hello
        Present,
        Silent, ///< given up; may come back with the next incarnation
        Gone,   ///< its process has ended
        Left,   ///< said goodbye
    };
    State state = State::Expected;
    Incarnation incarnation;
    std::string host;
    std::int64_t pid = 0;
    bool sameHost = false; ///< its process can be watched from here
    SteadyTime lastHeard{};
    SteadyTime lastSent{};
};

/// Who takes part, and who has been silent for how long. Pure logic.
class Roster {
public:
    /// @param limit  silence after which a present processor counts as lost
    explicit Roster(std::chrono::milliseconds limit) : m_limit(limit) {}

    /// Expects a processor's Hello from now on.
    void expect(Rank rank, SteadyTime now);
    /// The processor offers itself, for the first time or again.
    /// @return its incarnation from here on
    Incarnation join(Rank rank, SteadyTime now);
    void heard(Rank rank, SteadyTime now) { member(rank).lastHeard = now; }
    /// The processor is not counted on any more.
    void lose(Rank rank, LossCause cause);

    /// Processors that have been silent for too long. To be asked often: when the last time was long ago, the
    /// observer itself was late, and the time in which it could not listen is not held against anybody.
    std::vector<Rank> silent(SteadyTime now);

    /// Precondition for both: expected at some time.
    [[nodiscard]] Member& member(Rank rank) { return m_members.at(rank); }
    [[nodiscard]] const Member& member(Rank rank) const { return m_members.at(rank); }
    [[nodiscard]] const std::map<Rank, Member>& members() const { return m_members; }
    [[nodiscard]] std::size_t count(Member::State state) const;

private:
    std::chrono::milliseconds m_limit;
    std::map<Rank, Member> m_members;
    SteadyTime m_lastAsked{};
};

} // namespace tasuki::farm
