// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "masterstate.h"
#include "operations.h"

#include "domain/clock.h"
#include "domain/event.h"
#include "domain/ids.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tasuki::farm {

/// Starts and ends the tasks of a world together, and lets a lost rank go on alone: see
/// docs/worlds.md, "A world in the farm". It keeps nothing that follows from the tasks, so a master
/// that takes over does what the last one would have done.
class Worlds {
public:
    /// @param master, operations, clock  outlive this object
    Worlds(MasterState& master, Operations& operations, const Clock& clock)
        : m_master(master), m_operations(operations), m_clock(clock)
    {}

    /// The scheduler knows all tasks.
    void begin();
    /// Something may have changed: the next look() looks.
    void touch() { m_touched = true; }
    /// Keeps other tasks out of worker groups that have ranks of worlds. Before anything is handed out.
    void reserve();
    /// Does what is due. In the phases Running and Draining, when all worker groups have gathered.
    void look();
    /// A processor tells of another life of a rank: it does again what the one before did, or is through with that.
    /// @param number  of the life's attempt
    /// @param took    since it began; notKnown: it is not through
    void replays(Rank rank, AttemptNumber number, std::chrono::microseconds took);
    /// @return a world that nobody can start, as a rank of it has no holder, and which rank; empty: there is none
    [[nodiscard]] std::string stranded() const;

private:
    struct World {
        std::string name;
        std::vector<TaskId> tasks; ///< in the order of ranks
        std::vector<Rank> ranks;
        bool ending = false;   ///< its other tasks are being cancelled, or done again
        bool goesBack = false; ///< it was told
        SteadyTime nextStop{}; ///< before that the order to go back is not said again
    };
    struct Counts {
        std::uint32_t waits = 0;
        std::uint32_t ready = 0;
        std::uint32_t held = 0;
        std::uint32_t ending = 0;
        std::uint32_t succeeded = 0;
        std::uint32_t givenUp = 0;
    };

    [[nodiscard]] Counts count(const World& world) const;
    void look(std::uint32_t number, World& world);
    [[nodiscard]] bool isManned(const World& world) const;
    [[nodiscard]] bool isManned(Rank rank) const;
    [[nodiscard]] std::shared_ptr<WorldStart> startOf(std::uint32_t number,
                                                      const World& world) const;
    void start(std::uint32_t number, World& world);
    [[nodiscard]] bool canGoOn(std::uint32_t number, const World& world) const;
    void goOn(std::uint32_t number, World& world);
    [[nodiscard]] std::vector<ProcessorId> standbysOf(const World& world) const;
    void hand(const World& world, std::size_t rank, std::shared_ptr<const WorldStart> begin);
    void stop(World& world);
    void cancelRest(World& world);
    void beginAgain(World& world);
    template <class Command>
    void request(World& world, Command command, bool (*concerns)(Advance));

    MasterState& m_master;
    Operations& m_operations;
    const Clock& m_clock;
    std::map<std::uint32_t, World> m_worlds;
    std::map<TaskId, RankReplays> m_replays; ///< as recorded, or about to be
    bool m_touched = true;
    SteadyTime m_nextLook{};
};

} // namespace tasuki::farm
