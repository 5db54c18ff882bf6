// SPDX-License-Identifier: GPL-3.0-or-later
#include "replaycourse.h"

#include <cstdio>
#include <sstream>
#include <utility>

namespace tasuki::membership {

using hierarchy::testing::OutageCourse;
using hierarchy::testing::OutageFigures;
using hierarchy::testing::OutageRow;
using hierarchy::testing::Sabotage;

std::string courseLog(const OutageRow& row, std::uint64_t seed, const Sabotage& sabotage)
{
    std::ostringstream log;
    OutageFigures figures;
    static_cast<void>(OutageCourse(row.kind, seed, figures, sabotage, &log).run());
    return std::move(log).str();
}

ReplayResult replayCourse(const OutageRow& row, std::uint64_t seed, const Sabotage& sabotage)
{
    std::istringstream log(courseLog(row, seed, sabotage));
    const Replay replay = replayed(log);
    return {.events = replay.events(), .divergences = replay.divergences()};
}

void ReplayFigures::add(const ReplayResult& result)
{
    ++logs;
    events += result.events;
    diverging += result.divergences.empty() ? 0U : 1U;
    divergences += result.divergences.size();
}

void print(const std::string& what, const ReplayFigures& figures)
{
    std::printf("%-60s %5zu logs, %9zu events, %zu divergences\n", what.c_str(), figures.logs,
                figures.events, figures.divergences);
}

} // namespace tasuki::membership
