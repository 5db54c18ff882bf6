// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/diagnostic.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

/// What an agent and a window say to each other of a plan. PROTOCOL.md has the message table.
namespace tasuki::link {

/// Largest content of one PlanPiece, in bytes.
inline constexpr std::size_t planPieceBytes = 1024 * 1024;
/// Best allocations that a window may ask for.
inline constexpr std::uint64_t mostPlanKept = 10'000;

/// How runtimes are predicted.
enum class PlanModel : std::uint8_t { Replay, Lsmg };

// ---- window to agent

/// Announces a plan, in place of the one that the window wanted before. Its content follows in
/// pieces: the environment file, and behind it the trace.
struct PlanRequest {
    std::uint64_t number = 0; ///< of the window's choice; comes back in all that is said of it
    PlanModel model = PlanModel::Replay;
    std::uint64_t keep = 1;           ///< how many of the best are wanted, 1 to mostPlanKept
    std::string traceName = {};       ///< what diagnostics call the trace,
    std::string environmentName = {}; ///< and the environment
    std::uint64_t traceBytes = 0;
    std::uint64_t environmentBytes = 0;
    bool operator==(const PlanRequest&) const = default;
};

struct PlanPiece {
    std::uint64_t number = 0;
    std::uint64_t offset = 0; ///< in the content: how much was sent before
    std::string content = {};
    bool operator==(const PlanPiece&) const = default;
};

/// The window wants to have what was found until now, and no more.
struct PlanCancel {
    std::uint64_t number = 0;
    bool operator==(const PlanCancel&) const = default;
};

/// Everything that a window may say of plans.
using PlanWish = std::variant<PlanRequest, PlanPiece, PlanCancel>;

// ---- agent to window

enum class PlanPhase : std::uint8_t {
    Waiting, ///< all content is there; other windows' plans are before this one
    Reading,
    Searching,
};

struct PlanProgress {
    std::uint64_t number = 0;
    PlanPhase phase = PlanPhase::Waiting;
    std::uint32_t tasks = 0;   ///< of the trace; from Searching on
    std::uint64_t records = 0; ///< likewise
    std::uint64_t tried = 0;   ///< allocations
    std::uint64_t total = 0;
    bool operator==(const PlanProgress&) const = default;
};

/// The best allocations of those that were tried, the worst one, and figures of all; or, when
/// `more` is set, a part of the best ones, whose rest follows at once. While the search goes on, what
/// has been found until then; each replaces the one before.
struct PlanFound {
    std::uint64_t number = 0;
    std::uint32_t tasks = 0;
    bool more = false;
    std::vector<double> timesUs = {};      ///< ascending
    std::vector<std::uint32_t> nodes = {}; ///< of each its nodes, in the order of the tasks
    // When `more` is not set:
    double worstUs = 0.0;
    std::vector<std::uint32_t> worstNodes = {};
    double sumUs = 0.0;
    std::uint64_t tried = 0;
    std::uint64_t total = 0;
    bool operator==(const PlanFound&) const = default;
};

enum class PlanEnd : std::uint8_t {
    Whole,    ///< all was tried; the last PlanFound has it
    Stopped,  ///< because the window wanted so; the last PlanFound has what was found, if any
    Failed,   ///< `reason` says why
    Replaced, ///< by another plan of the window
};

/// The last that is said of a plan.
struct PlanEnded {
    std::uint64_t number = 0;
    PlanEnd end = PlanEnd::Whole;
    std::string reason = {};            ///< of Failed: for people
    std::vector<Diagnostic> notes = {}; ///< on the trace, that the search had to guess at
    bool operator==(const PlanEnded&) const = default;
};

} // namespace tasuki::link
