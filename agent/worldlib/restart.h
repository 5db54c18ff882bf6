// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "world/endpoint.h"
#include "world/savedstate.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace tasuki::world {

class Program;

/// The restart points of this process (tasuki.h): which memory of the program they save, and when there can be one. Its caller has
/// the program's lock.
class Restart {
public:
    Restart();

    /// @param bytes  0: it is forgotten
    void protect(int id, void* memory, std::size_t bytes);
    /// What tasuki_restart_point() returns.
    int point(Program& program);

private:
    using Clock = std::chrono::steady_clock;
    struct Region {
        void* memory = nullptr;
        std::size_t bytes = 0;
    };
    /// A region as it is saved.
    struct SavedRegion {
        int id = 0;
        std::uint64_t bytes = 0;
    };
    using Lengths = std::array<std::uint64_t, Segment::outputs>;

    [[nodiscard]] bool isDue(const MessageLog& log) const;
    [[nodiscard]] PointObstacle obstacle(Program& program) const;
    [[nodiscard]] PointObstacle obstacleOfOutput() const;
    [[nodiscard]] bool isAtOutput(int descriptor) const;
    int save(Program& program);
    void pass(Program& program);
    int goOn(Program& program);
    void printAgain(Program& program, const Lengths& from, const Lengths& to) const;

    std::map<int, Region> m_regions; ///< by id
    std::chrono::milliseconds m_pause{1000};
    std::optional<Clock::time_point> m_latest;
    unsigned m_unanswered = 0; ///< how often in a row the output could not be kept; 5: that or more
    std::array<ino_t, Segment::outputs> m_pipes{}; ///< that the agent reads; 0: not known
    std::vector<std::uint64_t> m_communicators;    ///< contexts of those at the first point
    std::optional<Lengths> m_printedBefore;        ///< the first point; none: there was none
};

} // namespace tasuki::world
