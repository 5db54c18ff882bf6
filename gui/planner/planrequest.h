// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMetaType>

#include "domain/diagnostic.h"
#include "plan/allocationcount.h"
#include "plan/environment.h"
#include "plan/modelpredictor.h"
#include "plan/ranking.h"
#include "plan/timeline.h"
#include "trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

/// What the planner's threads hand to each other, by value or as shared things that never change.
namespace tasuki::planner {

using plan::Model;

/// Of the best allocations.
inline constexpr std::size_t keptAllocations = 10'000;

/// What reading a log has come to.
struct LoadedTrace {
    std::uint64_t number = 0; ///< logs that were asked for before the latest are of no interest
    std::shared_ptr<const trace::Trace> trace; ///< null: see the diagnostics
    std::shared_ptr<const plan::Timeline> timeline;
    double tracedUs = 0.0; ///< plan::tracedRuntimeUs()
    std::vector<Diagnostic> diagnostics;
    bool cancelled = false;
};

struct SearchRequest {
    std::uint64_t number = 0; ///< results of older requests are of no interest
    std::shared_ptr<const trace::Trace> trace;
    std::shared_ptr<const plan::Environment> environment;
    Model model = Model::Replay;
    std::filesystem::path path = {}; ///< of the trace's file
};

enum class SearchPhase : std::uint8_t {
    Sending, ///< what is searched to an agent
    Waiting, ///< for the agent, which has other plans
    Reading,
    Searching,
};

struct SearchProgress {
    std::uint64_t number = 0;
    SearchPhase phase = SearchPhase::Searching;
    std::uint64_t tried = 0; ///< allocations; while sending: bytes
    std::uint64_t total = 0;
    plan::AllocationCount allocations = {}; ///< total, where no number can hold it
};

/// How many allocations a search would try.
struct CountResult {
    std::uint64_t number = 0; ///< of the request
    plan::AllocationCount total = {};
};

struct SearchResult {
    std::uint64_t number = 0;
    std::vector<Diagnostic> diagnostics; ///< with an error among them there is nothing else
    std::shared_ptr<const plan::Environment> environment;
    Model model = Model::Replay;
    plan::Ranking ranking{1};         ///< not of all allocations when there are many
    plan::AllocationCount total = {}; ///< more than were tried: it was cancelled, or goes on
    bool last = true;                 ///< false: the search goes on
};

/// An allocation is looked at beside the best one.
struct TimelineRequest {
    std::uint64_t number = 0;
    std::shared_ptr<const trace::Trace> trace;
    std::shared_ptr<const plan::Environment> environment;
    plan::Allocation allocation;
    plan::Allocation best;
};

struct TimelineResult {
    std::uint64_t number = 0;
    plan::Allocation allocation;
    std::shared_ptr<const plan::Timeline> timeline; ///< null: the trace cannot be replayed
    std::shared_ptr<const plan::Timeline> best;     ///< likewise; may be the same
};

} // namespace tasuki::planner

Q_DECLARE_METATYPE(tasuki::planner::CountResult)
Q_DECLARE_METATYPE(tasuki::planner::LoadedTrace)
Q_DECLARE_METATYPE(tasuki::planner::SearchProgress)
Q_DECLARE_METATYPE(tasuki::planner::SearchResult)
Q_DECLARE_METATYPE(tasuki::planner::TimelineResult)
