// SPDX-License-Identifier: GPL-3.0-or-later
#include "replaycourse.h"

#include <cstdio>
#include <sstream>
#include <utility>

namespace tasuki::membership {

using hierarchy::testing::Layout;
using hierarchy::testing::Outage;
using hierarchy::testing::OutageCourse;
using hierarchy::testing::OutageFigures;
using hierarchy::testing::Sabotage;

const std::vector<ReplayRow>& replayRows()
{
    static const std::vector<ReplayRow> rows = [] {
        struct Named {
            const char* name;
            Outage outage;
            bool deaths = false;
        };
        constexpr Named outages[] = {
            {"all hosts apart", Outage::AllApart},
            {"all hosts apart, with deaths", Outage::AllApart, true},
            {"sides", Outage::Sides},
            {"sides, with deaths", Outage::Sides, true},
            {"one host pauses", Outage::PauseOne},
            {"several hosts pause", Outage::PauseSeveral},
            {"all hosts pause", Outage::PauseAll},
            {"two hosts lost, then the master's", Outage::InARow},
        };
        constexpr std::pair<const char*, Layout> layouts[] = {
            {"subclusters within hosts", Layout::Within},
            {"over two hosts", Layout::OverTwo},
            {"over all hosts", Layout::OverEach},
        };
        std::vector<ReplayRow> out;
        for (const Named& one : outages) {
            for (const auto& [name, layout] : layouts)
                out.push_back({std::string(one.name) + ", " + name,
                               {.outage = one.outage, .layout = layout, .deaths = one.deaths}});
        }
        return out;
    }();
    return rows;
}

std::string courseLog(const ReplayRow& row, std::uint64_t seed, const Sabotage& sabotage)
{
    std::ostringstream log;
    OutageFigures figures;
    static_cast<void>(OutageCourse(row.kind, seed, figures, sabotage, &log).run());
    return std::move(log).str();
}

ReplayResult replayCourse(const ReplayRow& row, std::uint64_t seed, const Sabotage& sabotage)
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
