// SPDX-License-Identifier: GPL-3.0-or-later
#include "showworlds.h"

#include "report/worldtables.h"
#include "steering/liverun.h"
#include "steering/runname.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace tasuki {

namespace {

/// An agent tells how it is twice a second, and programs are heard of once.
constexpr std::chrono::seconds answerPatience{3};

/// @return by rank; empty: nobody works on the run here, or nothing is known yet
std::vector<RankProgram> programsNow(const std::string& run)
{
    std::vector<RankProgram> programs;
    const Result<steering::FoundRun> found = steering::findRun(run);
    if (!found || !found->accessFile)
        return programs;
    steering::LiveRun live(*found->accessFile, {.status = [&](const link::Status& status) {
        programs = status.programs;
    }});
    if (live.join())
        static_cast<void>(
            live.serve([&] { return !programs.empty(); }, live.clock().now() + answerPatience));
    return programs;
}

} // namespace

Result<void> showWorlds(RunFileReader& reader, const std::string& run, bool json)
{
    RunHistory history;
    const Result<void> replayed = reader.replay(
        [&](const Event& event) -> Result<void> {
            const auto applied = history.apply(event);
            return applied ? Result<void>() : applied.error();
        },
        {}, RunFileReader::Outputs::Skip);
    if (!replayed)
        return replayed;
    std::vector<TaskId> ranks;
    bool runs = false;
    for (std::uint32_t i = 0; i < history.state().tasks().size(); ++i) {
        const TaskRecord& record = history.state().tasks()[i];
        if (!record.task.settings->seat || record.state == TaskState::Removed)
            continue;
        ranks.emplace_back(i);
        runs = runs || record.state == TaskState::Running;
    }
    const std::vector<RankProgram> programs = runs ? programsNow(run) : std::vector<RankProgram>();
    std::string text = json ? std::string() : worldHeading();
    for (const TaskId id : ranks) {
        const TaskRecord& record = history.state().task(id);
        const auto program = std::ranges::find(programs, record.task.settings->seat->rank,
                                               &RankProgram::rank);
        const bool known = program != programs.end() && record.state == TaskState::Running;
        const RankProgram* const now = known ? &*program : nullptr;
        text += json ? worldJson(history, id, now) : worldRow(history, id, now);
    }
    if (ranks.empty() && !json)
        text = "this run has no worlds\n";
    std::fwrite(text.data(), 1, text.size(), stdout);
    return {};
}

} // namespace tasuki
