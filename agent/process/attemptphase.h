// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tasuki::guardian {

/// Where an attempt stands in the guardian.
enum class AttemptPhase : std::uint8_t {
    Preparing,   ///< its script is being written
    Waiting,     ///< processes, descriptors or memory were used up when it was to start
    Running,     ///< its first process lives
    Terminating, ///< was asked to end and has a while to do so
    Killing,     ///< whatever belongs to it is killed until nothing is left
    Ended        ///< is to be reported
};
inline constexpr std::size_t attemptPhaseCount = 6;

enum class AttemptEvent : std::uint8_t {
    Short,      ///< the system had no room for it
    Launched,   ///< its first process exists
    Exited,     ///< its first process has ended
    StopGently, ///< overran its time or was cancelled
    StopNow,    ///< was interrupted, or the agent is silent
    GraceOver,  ///< has had its while, or left it unused
    NothingLeft ///< no process of it lives
};
inline constexpr std::size_t attemptEventCount = 7;

/// @return the phase that follows; the same one when the event changes nothing
constexpr AttemptPhase nextPhase(AttemptPhase phase, AttemptEvent event)
{
    using enum AttemptPhase;
    constexpr std::array<std::array<AttemptPhase, attemptEventCount>, attemptPhaseCount> table{{
        // Short, Launched, Exited, StopGently, StopNow, GraceOver, NothingLeft
        {Waiting, Running, Preparing, Ended, Ended, Preparing, Preparing}, // Preparing
        {Waiting, Running, Waiting, Ended, Ended, Waiting, Waiting},       // Waiting
        {Running, Running, Ended, Terminating, Killing, Running, Running}, // Running
        {Terminating, Terminating, Terminating, Terminating, Killing, Killing,
         Terminating},                                                 // Terminating
        {Killing, Killing, Killing, Killing, Killing, Killing, Ended}, // Killing
        {Ended, Ended, Ended, Ended, Ended, Ended, Ended},             // Ended
    }};
    return table[static_cast<std::size_t>(phase)][static_cast<std::size_t>(event)];
}

} // namespace tasuki::guardian
