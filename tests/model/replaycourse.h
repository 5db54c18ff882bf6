// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outagecourse.h"
#include "replay.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tasuki::membership {

/// @return what all membership agents decide in a course
std::string courseLog(const hierarchy::testing::OutageRow& row, std::uint64_t seed,
                      const hierarchy::testing::Sabotage& sabotage = {});

struct ReplayResult {
    std::size_t events = 0;
    std::vector<Divergence> divergences;
};

ReplayResult replayCourse(const hierarchy::testing::OutageRow& row, std::uint64_t seed,
                          const hierarchy::testing::Sabotage& sabotage = {});

struct ReplayFigures {
    std::size_t logs = 0;
    std::size_t events = 0;
    std::size_t diverging = 0; ///< logs
    std::size_t divergences = 0;

    void add(const ReplayResult& result);
};

void print(const std::string& what, const ReplayFigures& figures);

} // namespace tasuki::membership
