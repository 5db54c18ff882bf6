// SPDX-License-Identifier: GPL-3.0-or-later
#include "resumeoffer.h"

#include "models/wording.h"

#include <QFileInfo>

#include <algorithm>

namespace tasuki {

namespace {

QString recordOf(const Session& session)
{
    if (session.isElsewhere())
        return {};
    if (session.kind() == SourceKind::RunFile)
        return session.name();
    return session.agent() ? session.agent()->runFile : QString();
}

/// A writer that has been silent for longer may have ended.
constexpr std::chrono::seconds longestSilence{10};

} // namespace

bool seemsWritten(const Session& session)
{
    const auto age = session.dataAge();
    return session.showsRecord() && session.state().opened() && !session.state().closed() && age
        && *age < longestSilence;
}

std::optional<LaunchPlan> nextLife(const Session& session)
{
    const ConnectionState connection = session.connection().state;
    const RunState& state = session.state();
    const QFileInfo record(recordOf(session));
    const bool over = connection == ConnectionState::Offline
        || connection == ConnectionState::Ended;
    if (!over || seemsWritten(session) || session.loading() || !session.damage().isEmpty()
        || !state.opened() || !record.isFile())
        return std::nullopt;
    const RunOpened& opened = *state.opened();
    LaunchPlan plan;
    plan.taskList = wording::text(opened.taskList);
    plan.directory = wording::text(opened.directory);
    plan.ranks = static_cast<int>(opened.processors);
    plan.dedicatedMaster = opened.dedicatedMaster;
    for (const auto& [rank, processor] : state.processors())
        plan.slots = std::max(plan.slots, static_cast<int>(processor.slots));
    if (const auto& layout = state.system().layout())
        plan.topology = wording::text(layout->topologyFile);
    plan.runFile = record.absoluteFilePath();
    plan.goal = LaunchPlan::Goal::Resume;
    return plan;
}

std::optional<ResumeOffer> resumeOffer(const Session& session)
{
    const RunState& state = session.state();
    ResumeOffer offer;
    offer.left = state.unfinished();
    offer.failed = state.count(TaskState::Failed) + state.count(TaskState::Skipped)
        + state.count(TaskState::Cancelled);
    if (offer.left + offer.failed == 0)
        return std::nullopt;
    const auto plan = nextLife(session);
    if (!plan)
        return std::nullopt;
    offer.plan = *plan;
    if (offer.left == 0)
        offer.plan.goal = LaunchPlan::Goal::RetryFailed;
    return offer;
}

bool hasListOfItsOwn(const RunState& state)
{
    const std::string& list = state.opened() ? state.opened()->taskList : std::string();
    return !list.empty() && list != "-"
        && std::ranges::all_of(state.tasks(), [](const TaskRecord& task) {
               return task.task.line != 0 || task.state == TaskState::Removed;
           });
}

} // namespace tasuki
