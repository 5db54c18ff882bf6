// SPDX-License-Identifier: GPL-3.0-or-later
#include "bannertext.h"

#include "models/wording.h"
#include "resumeoffer.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace tasuki {

namespace {

using Remedy = BannerContent::Remedy;

/// Context of the texts.
struct Banner {
    Q_DECLARE_TR_FUNCTIONS(Banner)
};

QString ageText(const Session& session)
{
    const auto age = session.dataAge();
    if (!age || session.eventsApplied() == 0)
        return {};
    return Banner::tr("What is shown is %1 old.").arg(wording::duration(age));
}

QString joined(const QString& first, const QString& second)
{
    if (first.isEmpty())
        return second;
    return second.isEmpty() ? first : first + QLatin1Char(' ') + second;
}

/// One line of others, ended as a sentence.
QString sentence(const QString& text)
{
    if (text.isEmpty() || text.endsWith(QLatin1Char('.')) || text.endsWith(QChar(0x3002)))
        return text;
    return text + QLatin1Char('.');
}

BannerContent waiting(const Session& session)
{
    const ConnectionStatus& status = session.connection();
    BannerContent content{.tint = theme::Tint::Warning,
                          .headline = Banner::tr("The connection to the agent is lost."),
                          .explanation = joined(sentence(status.reason), ageText(session)),
                          .remedy = Remedy::TryNow,
                          .stale = session.eventsApplied() > 0,
                          .percent = {}};
    if (status.nextTry) {
        const auto left = std::chrono::duration<double>(*status.nextTry - session.clock().now());
        const int seconds = std::max(0, static_cast<int>(std::ceil(left.count())));
        content.headline = Banner::tr("The connection to the agent is lost; next try in %1 s.")
                               .arg(QLocale().toString(seconds));
    }
    return content;
}

BannerContent refused(const Session& session)
{
    const bool file = session.kind() == SourceKind::RunFile;
    return {.tint = theme::Tint::Failure,
            .headline = file            ? Banner::tr("This file cannot be shown.")
                : session.isElsewhere() ? Banner::tr("The run cannot be shown.")
                                        : Banner::tr("The agent cannot be used."),
            .explanation = joined(sentence(session.connection().reason), ageText(session)),
            .remedy = file ? Remedy::None : Remedy::TryNow,
            .stale = session.eventsApplied() > 0,
            .percent = {}};
}

/// Whether a run has ended in order to be started again: a subcluster is down, and the policy is that.
bool startsAgain(const Session& session)
{
    const RunState& state = session.state();
    const bool serves = session.agent() && session.agent()->serve;
    const auto& layout = state.system().layout();
    return state.closed() && (serves || state.closed()->end == RunEnd::Interrupted) && layout
        && layout->policy == DownPolicy::Restart
        && std::ranges::any_of(state.system().subclusters(), [](const SystemSubcluster& one) {
               return one.state == ClusterState::Down;
           });
}

/// What can be done about a run that is over with tasks that did not succeed.
std::optional<BannerContent> goesOn(const Session& session)
{
    const auto offer = resumeOffer(session);
    if (!offer)
        return std::nullopt;
    const bool resume = offer->plan.goal == LaunchPlan::Goal::Resume;
    QString headline = resume
        ? Banner::tr("%Ln task(s) are left to do.", nullptr, static_cast<int>(offer->left))
        : Banner::tr("%Ln task(s) did not succeed.", nullptr, static_cast<int>(offer->failed));
    const bool killed = !session.state().closed();
    // Of a record that another host writes: as of when this is.
    const QString asOf = sentence(session.connection().reason);
    return BannerContent{
        .tint = theme::Tint::Warning,
        .headline = headline,
        .explanation = killed
            ? joined(Banner::tr("This run was not closed: its agent was killed, or still writes."),
                     asOf.isEmpty() ? ageText(session) : asOf)
            : Banner::tr("The run has ended. What has succeeded is not done again."),
        .remedy = resume ? Remedy::Resume : Remedy::RetryFailed,
        .stale = false,
        .percent = {}};
}

BannerContent ended(const Session& session)
{
    if (startsAgain(session)) {
        return {.tint = theme::Tint::Warning,
                .headline = Banner::tr("A subcluster is down: the run is to start again."),
                .explanation = joined(Banner::tr("As soon as it does, it goes on here."),
                                      ageText(session)),
                .remedy = Remedy::OpenRunFile,
                .stale = true,
                .percent = {}};
    }
    if (auto unfinished = goesOn(session))
        return *unfinished;
    if (session.state().closed()) {
        return {.tint = theme::Tint::Information,
                .headline = Banner::tr("The run has ended, and so has its agent."),
                .explanation = {},
                .remedy = Remedy::OpenRunFile,
                .stale = false,
                .percent = {}};
    }
    return {.tint = theme::Tint::Warning,
            .headline = Banner::tr("The agent has ended before the run was complete."),
            .explanation = joined(Banner::tr("When the run is resumed, it goes on here."),
                                  ageText(session)),
            .remedy = Remedy::TryNow,
            .stale = session.eventsApplied() > 0,
            .percent = {}};
}

BannerContent loading(const Session& session)
{
    const double progress = session.progress();
    return {.tint = theme::Tint::Information,
            .headline = session.kind() == SourceKind::RunFile
                ? Banner::tr("Reading the run file...")
                : Banner::tr("Catching up with the agent..."),
            .explanation = {},
            .remedy = Remedy::None,
            .stale = session.kind() == SourceKind::Agent && session.eventsApplied() > 0,
            .percent = progress < 0 ? -1 : static_cast<int>(std::floor(progress * 100))};
}

std::optional<BannerContent> live(const Session& session)
{
    const auto& status = session.agentStatus();
    if (!status)
        return std::nullopt;
    if (!status->stalled.isEmpty()) {
        return BannerContent{
            .tint = theme::Tint::Failure,
            .headline = Banner::tr("The agent cannot write its run file and waits."),
            .explanation = sentence(status->stalled),
            .remedy = Remedy::None,
            .stale = false,
            .percent = {}};
    }
    if (!status->recovery && !session.state().closed()) {
        return BannerContent{
            .tint = theme::Tint::Warning,
            .headline = Banner::tr("This run ends when one of its processors dies."),
            .explanation = Banner::tr("Start it with tasuki-agent launch, and it survives that."),
            .remedy = Remedy::None,
            .stale = false,
            .percent = {}};
    }
    return std::nullopt;
}

std::optional<BannerContent> offline(const Session& session)
{
    if (auto unfinished = goesOn(session))
        return unfinished;
    if (session.state().closed() || session.eventsApplied() == 0)
        return std::nullopt;
    const auto age = session.dataAge();
    const bool written = seemsWritten(session);
    return BannerContent{
        .tint = written ? theme::Tint::Information : theme::Tint::Warning,
        .headline = written
            ? Banner::tr("An agent writes this run; what is shown follows its record.")
            : Banner::tr("This run was not closed: its agent was killed, or still writes."),
        .explanation = joined(
            sentence(session.connection().reason),
            age ? Banner::tr("The latest event is %1 old.").arg(wording::duration(age))
                : QString()),
        .remedy = Remedy::None,
        .stale = false,
        .percent = {}};
}

} // namespace

std::optional<BannerContent> bannerContent(const Session& session)
{
    if (!session.damage().isEmpty()) {
        return BannerContent{
            .tint = theme::Tint::Failure,
            .headline = Banner::tr("The record of this run is damaged."),
            .explanation = joined(sentence(session.damage()),
                                  Banner::tr("What is shown ends before the damage.")),
            .remedy = Remedy::Reload,
            .stale = true,
            .percent = {}};
    }
    switch (session.connection().state) {
    case ConnectionState::Waiting: return waiting(session);
    case ConnectionState::Refused: return refused(session);
    case ConnectionState::Ended: return ended(session);
    case ConnectionState::Connecting:
    case ConnectionState::Greeting:
        return BannerContent{.tint = theme::Tint::Information,
                             .headline = Banner::tr("Connecting to the agent..."),
                             .explanation = ageText(session),
                             .remedy = Remedy::None,
                             .stale = session.eventsApplied() > 0,
                             .percent = -1};
    case ConnectionState::CatchingUp: return loading(session);
    case ConnectionState::Live:
        if (session.loading())
            return loading(session);
        return live(session);
    case ConnectionState::Offline:
        if (session.loading())
            return loading(session);
        return offline(session);
    case ConnectionState::Idle: break;
    }
    return std::nullopt;
}

} // namespace tasuki
