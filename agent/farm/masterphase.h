// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "interruption.h"

#include "domain/event.h"

#include <cstdint>
#include <string_view>

namespace tasuki::farm {

/// Where a life of the run stands; the table is in docs/farm.md, "Master".
enum class MasterPhase : std::uint8_t {
    Opening,
    Running,
    Draining,
    Killing,
    Closing,
    Dismissing,
    Over
};

/// @return the word for a phase on screens, e.g. "running"
constexpr std::string_view phaseName(MasterPhase phase)
{
    switch (phase) {
    case MasterPhase::Opening: return "opening";
    case MasterPhase::Running: return "running";
    case MasterPhase::Draining: return "finishing";
    case MasterPhase::Killing: return "killing";
    case MasterPhase::Closing:
    case MasterPhase::Dismissing: return "closing";
    case MasterPhase::Over: return "over";
    }
    return "unknown";
}

/// How far a life of the run has come.
struct Course {
    MasterPhase phase = MasterPhase::Opening;
    RunEnd end = RunEnd::Complete; ///< from Closing on
    bool takesOver = false;        ///< from another master of this epoch

    /// Nothing is recorded any more but that it ends.
    [[nodiscard]] bool closing() const { return phase >= MasterPhase::Closing; }
    /// What the phase means for attempts that end in it.
    [[nodiscard]] Interruption interruption() const
    {
        switch (phase) {
        case MasterPhase::Draining: return Interruption::Asked;
        case MasterPhase::Killing: return Interruption::Killing;
        default: return Interruption::None;
        }
    }
};

} // namespace tasuki::farm
