// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/task.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace tasuki {

/// The tasks of a list by label.
struct LabelIndex {
    std::vector<std::string> names;
    std::vector<std::vector<std::uint32_t>> tasks; ///< by label, ascending
    std::unordered_map<std::string, std::uint32_t> numbers;
};

/// Labels that one task comes after, as numbers of the index.
struct LabelWaits {
    std::uint32_t task = 0;
    std::vector<std::uint32_t> labels;
};

/// A task that can never start, and why.
struct WaitCycle {
    std::uint32_t task = 0; ///< that comes after `label`
    std::uint32_t label = 0;
    std::string path; ///< what waits for what, in words, with lines
};

/// Looks for tasks that wait for themselves. Labels and barriers are nodes of their own, so that
/// the work grows with what is written, not with the pairs of tasks it means.
/// @param waits         of the tasks that come after labels, by ascending task
/// @param barrierLines  line of the barrier before stage n at n - 1
/// @param most          how many cycles are told
std::vector<WaitCycle> findWaitCycles(std::span<const Task> tasks, const LabelIndex& labels,
                                      std::span<const LabelWaits> waits,
                                      std::span<const std::uint64_t> barrierLines,
                                      std::size_t most);

} // namespace tasuki
