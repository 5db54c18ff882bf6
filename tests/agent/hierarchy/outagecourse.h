// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "systemsimulation.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <ostream>
#include <random>
#include <string>
#include <vector>

namespace tasuki::hierarchy::testing {

/// What happens to the hosts of a system.
enum class Outage : std::uint8_t {
    AllApart,     ///< each host hears only itself
    Sides,        ///< two to four groups of hosts, with a majority or without
    PauseOne,     ///< every other time the system master's
    PauseSeveral, ///< each for a time of its own
    PauseAll,     ///< and they wake up within 50 ms
    InARow,       ///< two hosts are lost one after the other, then the first system master's ends
};

/// How subclusters lie on hosts.
enum class Layout : std::uint8_t {
    Within,   ///< each on a host of its own
    OverTwo,  ///< each on two hosts
    OverEach, ///< each on all hosts
};

struct OutageKind {
    Outage outage = Outage::AllApart;
    Layout layout = Layout::Within;
    bool deaths = false; ///< some processors end meanwhile; more than half live on
    /// By so much clocks are faster or slower; none: in every third course by as much as is assumed.
    std::optional<double> drift = {};
    std::uint32_t guests =
        0; ///< so many come while it lasts, or after it; half of them have a rank to come
};

/// Courses of one kind, as tests and logs name them.
struct OutageRow {
    std::string name;   ///< of the kind
    std::string outage; ///< what happens, however subclusters lie
    OutageKind kind;
};

/// @return each outage with each layout
const std::vector<OutageRow>& outageRows();

/// What courses had in them, summed up; times are those of the slowest.
struct OutageFigures {
    int courses = 0;
    int failed = 0;
    int withoutMajority = 0; ///< no side of theirs had one, or no host could act
    int moved = 0;           ///< another system master acts in the end
    std::size_t kills = 0;
    std::size_t suspended = 0;
    std::size_t lapsed = 0;
    std::size_t lost = 0;    ///< processors that lost their place
    std::size_t returns = 0; ///< lives that began
    std::size_t ended = 0;   ///< processors that ended and were not killed
    std::chrono::nanoseconds acts{};
    std::chrono::nanoseconds back{};

    void add(const OutageFigures& other);
};

/// One random course: a fault of hosts that passes, and what comes after it.
class OutageCourse {
public:
    /// @param decisions  as that of SystemSimulation
    OutageCourse(const OutageKind& kind, std::uint64_t seed, OutageFigures& figures,
                 const Sabotage& sabotage = {}, std::ostream* decisions = nullptr);

    /// @return what went wrong; empty: nothing
    std::string run();

private:
    /// What a processor has that it may not lose by little.
    struct Place {
        Life life = {};
        std::optional<Holding> holding;
    };
    /// What it said last of what it hears from above.
    struct Said {
        BeatReply reply;
        SteadyTime at;
    };

    std::uint64_t draw(std::uint64_t below) { return m_random() % below; }
    [[nodiscard]] static SimulationShape shapeOf(const OutageKind& kind, std::mt19937_64& random);
    [[nodiscard]] bool started() const;
    [[nodiscard]] std::chrono::milliseconds drawLength();
    [[nodiscard]] std::vector<std::uint32_t> drawHosts(std::uint32_t first, std::size_t count);
    void strike();
    void strikeLinks(const std::vector<std::uint32_t>& sides);
    void strikePauses(const std::vector<std::uint32_t>& hosts);
    void runWithDeaths(std::chrono::milliseconds length);
    void killSome();
    std::string strikeInARow();
    std::string loseHost(std::uint32_t host, bool untilKill);
    void killHost(std::uint32_t host);
    [[nodiscard]] bool mayKill(ProcessorId one) const;
    void joinDue();
    [[nodiscard]] bool hasMajority(const std::vector<std::uint32_t>& sides) const;
    [[nodiscard]] std::string recovers(std::chrono::nanoseconds actsWithin);
    [[nodiscard]] std::string settles();
    [[nodiscard]] bool oneActs() const { return m_system.acting().size() == 1; }
    [[nodiscard]] bool anyRankMissing() const;
    [[nodiscard]] std::string placesLost() const;
    [[nodiscard]] std::string holdingOf(ProcessorId one) const;
    [[nodiscard]] std::string who() const;
    bool runUntil(const std::function<bool()>& done, std::chrono::nanoseconds limit);
    void tracePeriodically();

    std::mt19937_64 m_random;
    OutageKind m_kind;
    OutageFigures& m_figures;
    SystemSimulation m_system;
    std::map<ProcessorId, Said> m_said;
    std::vector<Place> m_places; ///< before the fault
    ProcessorId m_first;         ///< the system master then
    std::chrono::milliseconds m_length{};
    SteadyTime m_begun{};
    SteadyTime m_last{};  ///< the fault was over
    SteadyTime m_death{}; ///< somebody was killed last
    std::size_t m_kills = 0;
    bool m_trace = false; ///< as TASUKI_SIMULATION_TRACE wants
    SteadyTime m_traced{};
    std::map<ProcessorId, SteadyTime> m_joins; ///< when guests come who are not there yet
};

} // namespace tasuki::hierarchy::testing
