// SPDX-License-Identifier: GPL-3.0-or-later
#include "resumeoffer.h"

#include "models/wording.h"

#include <QFileInfo>

#include <algorithm>

namespace tasuki {

namespace {

QString recordOf(const Session& session)
{
    if (session.kind() == SourceKind::RunFile)
        return session.name();
    return session.agent() ? session.agent()->runFile : QString();
}

} // namespace

std::optional<ResumeOffer> resumeOffer(const Session& session)
{
    const ConnectionState connection = session.connection().state;
    const RunState& state = session.state();
    const QFileInfo record(recordOf(session));
    const bool over = connection == ConnectionState::Offline
        || connection == ConnectionState::Ended;
    if (!over || session.loading() || !session.damage().isEmpty() || !state.opened()
        || !record.isFile())
        return std::nullopt;
    ResumeOffer offer;
    offer.left = state.unfinished();
    offer.failed = state.count(TaskState::Failed) + state.count(TaskState::Skipped)
        + state.count(TaskState::Cancelled);
    if (offer.left + offer.failed == 0)
        return std::nullopt;
    const RunOpened& opened = *state.opened();
    offer.plan.taskList = wording::text(opened.taskList);
    offer.plan.directory = wording::text(opened.directory);
    offer.plan.ranks = static_cast<int>(opened.processors);
    offer.plan.dedicatedMaster = opened.dedicatedMaster;
    for (const auto& [rank, processor] : state.processors())
        offer.plan.slots = std::max(offer.plan.slots, static_cast<int>(processor.slots));
    offer.plan.runFile = record.absoluteFilePath();
    offer.plan.goal = offer.left != 0 ? LaunchPlan::Goal::Resume : LaunchPlan::Goal::RetryFailed;
    return offer;
}

} // namespace tasuki
