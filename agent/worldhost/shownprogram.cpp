// SPDX-License-Identifier: GPL-3.0-or-later
#include "shownprogram.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace tasuki::worldhost {

RankProgram programIn(const world::ProgramStatus& status)
{
    RankProgram program{.rank = {},
                        .messages = status.messages.load(std::memory_order_relaxed),
                        .bytes = status.bytes.load(std::memory_order_relaxed)};
    program.restartPoints = status.points.load(std::memory_order_relaxed);
    program.noPoint = status.noPoint.load(std::memory_order_relaxed);
    if (const std::uint64_t at = status.pointAt.load(std::memory_order_relaxed); at != 0)
        program.pointAge = std::chrono::milliseconds(std::max(at, world::steadyMilliseconds())
                                                     - at);
    // What was noted, in bytes: the calls between are as fast as the program itself.
    const std::uint64_t all = status.toReplay.load(std::memory_order_relaxed);
    const std::uint64_t done = status.replayed.load(std::memory_order_relaxed);
    if (done < all)
        program.replayed = static_cast<std::uint32_t>(100 * done / all);
    switch (status.phase.load()) {
    case world::ProgramPhase::Outside: break;
    case world::ProgramPhase::Inside: program.state = ProgramState::Running; break;
    case world::ProgramPhase::Over: program.state = ProgramState::Over; break;
    }
    if (program.state != ProgramState::Running || status.waits.load(std::memory_order_relaxed) == 0)
        return program;
    program.state = ProgramState::Waiting;
    for (const std::atomic<char>& one : status.call) {
        const char letter = one.load(std::memory_order_relaxed);
        if (letter == 0)
            break;
        program.call += letter;
    }
    return program;
}

std::optional<std::chrono::microseconds> replayTook(const world::ProgramStatus& status,
                                                    std::chrono::nanoseconds age)
{
    const std::uint64_t at = status.beyondAt.load(std::memory_order_relaxed);
    if (at == 0)
        return std::nullopt;
    const auto since = std::chrono::milliseconds(std::max(at, world::steadyMilliseconds()) - at);
    return std::chrono::duration_cast<std::chrono::microseconds>(
        std::max<std::chrono::nanoseconds>(age - since, std::chrono::milliseconds(1)));
}

std::string overdueSign(const world::ProgramStatus& status)
{
    const std::uint64_t due = status.signBy.load(std::memory_order_relaxed);
    const bool isOverdue = due != 0 && status.phase.load() == world::ProgramPhase::Inside
        && status.waits.load() == 0 && world::steadyMilliseconds() > due;
    return isOverdue ? "it has given no sign of life for " + std::to_string(status.signEvery.load())
            + " s, as it had promised"
                     : std::string();
}

} // namespace tasuki::worldhost
