// SPDX-License-Identifier: GPL-3.0-or-later
#include "agentsearcher.h"

#include "client/planlink.h"
#include "plan/environmentfile.h"

#include <QFileInfo>

#include <algorithm>
#include <optional>
#include <utility>

namespace tasuki::planner {

namespace {

/// The nodes of allocations as numbers, one allocation after the other.
std::optional<plan::Allocation> allocationAt(const std::vector<std::uint32_t>& nodes,
                                             std::size_t index, std::size_t tasks,
                                             std::size_t nodeCount)
{
    plan::Allocation allocation;
    for (std::size_t task = 0; task < tasks; ++task) {
        const std::uint32_t node = nodes[index * tasks + task];
        if (node >= nodeCount)
            return std::nullopt;
        allocation.emplace_back(node);
    }
    return allocation;
}

/// @return nothing when it is no ranking of the allocations of these tasks
std::optional<plan::Ranking> rankingOf(const link::PlanFound& found, std::size_t tasks,
                                       std::size_t nodeCount)
{
    const std::size_t count = found.timesUs.size();
    if (found.tasks != tasks || count == 0 || count > found.tried || found.tried > found.total
        || count > keptAllocations)
        return std::nullopt;
    std::vector<plan::Ranked> best;
    best.reserve(count);
    for (std::size_t index = 0; index < count; ++index) {
        auto allocation = allocationAt(found.nodes, index, tasks, nodeCount);
        if (!allocation)
            return std::nullopt;
        best.push_back({.allocation = std::move(*allocation), .timeUs = found.timesUs[index]});
    }
    auto worst = allocationAt(found.worstNodes, 0, tasks, nodeCount);
    if (!worst)
        return std::nullopt;
    return plan::Ranking(keptAllocations, std::move(best),
                         {.allocation = std::move(*worst), .timeUs = found.worstUs}, found.sumUs,
                         found.tried);
}

SearchPhase phaseOf(link::PlanPhase phase)
{
    switch (phase) {
    case link::PlanPhase::Waiting: return SearchPhase::Waiting;
    case link::PlanPhase::Reading: return SearchPhase::Reading;
    case link::PlanPhase::Searching: break;
    }
    return SearchPhase::Searching;
}

} // namespace

AgentSearcher::AgentSearcher(std::filesystem::path accessFile, QObject* parent, AgentTiming timing)
    : PlanSearcher(parent), m_accessFile(std::move(accessFile)), m_link(new PlanLink(timing))
{
    m_thread.setObjectName(QStringLiteral("plan link"));
    m_link->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_link, &QObject::deleteLater);
    connect(m_link, &PlanLink::sending, this, [this](quint64 number, quint64 bytes, quint64 total) {
        if (isCurrent(number))
            Q_EMIT progressed(
                {.number = number, .phase = SearchPhase::Sending, .tried = bytes, .total = total});
    });
    connect(m_link, &PlanLink::progressed, this, [this](const link::PlanProgress& progress) {
        take(progress);
        QMetaObject::invokeMethod(m_link, &PlanLink::progressTaken);
    });
    connect(m_link, &PlanLink::found, this, [this](const link::PlanFound& found) {
        take(found);
        QMetaObject::invokeMethod(m_link, &PlanLink::foundTaken);
    });
    connect(m_link, &PlanLink::ended, this, [this](const link::PlanEnded& ended) { take(ended); });
    connect(m_link, &PlanLink::failed, this, [this](quint64 number, const QString& reason) {
        if (isCurrent(number))
            giveUp(reason);
    });
    m_thread.start();
}

AgentSearcher::~AgentSearcher()
{
    QMetaObject::invokeMethod(m_link, &PlanLink::close);
    m_thread.quit();
    m_thread.wait();
}

bool AgentSearcher::isCurrent(quint64 number) const
{
    return m_active && number == m_request.number;
}

void AgentSearcher::search(const SearchRequest& request)
{
    m_request = request;
    m_result = {.number = request.number,
                .diagnostics = {},
                .environment = request.environment,
                .model = request.model};
    m_active = true;
    PlanLink::Job job;
    job.trace = request.path;
    job.request.number = request.number;
    job.request.model = request.model == Model::Lsmg ? link::PlanModel::Lsmg
                                                     : link::PlanModel::Replay;
    job.request.keep = keptAllocations;
    job.request.traceName = request.path.filename().string();
    job.request.environmentName = "environment";
    QMetaObject::invokeMethod(m_link,
                              [link = m_link, access = m_accessFile, job = std::move(job),
                               environment = *request.environment]() mutable {
                                  // A text needs room for every pair.
                                  environment.links.resize(environment.nodes.size()
                                                           * environment.nodes.size());
                                  job.environment = plan::environmentText(environment);
                                  link->begin(access, job);
                              });
}

void AgentSearcher::cancel()
{
    if (m_active)
        QMetaObject::invokeMethod(m_link, &PlanLink::cancel);
}

void AgentSearcher::giveUp(const QString& reason)
{
    m_active = false;
    QMetaObject::invokeMethod(m_link, &PlanLink::close);
    Q_EMIT lost(m_request.number, reason);
}

void AgentSearcher::take(const link::PlanProgress& progress)
{
    if (!isCurrent(progress.number))
        return;
    const trace::Trace& trace = *m_request.trace;
    if (progress.phase == link::PlanPhase::Searching
        && (progress.tasks != trace.tasks() || progress.records != trace.events.size())) {
        giveUp(tr("the trace's file has changed since it was opened: open it again"));
        return;
    }
    Q_EMIT progressed({.number = progress.number,
                       .phase = phaseOf(progress.phase),
                       .tried = progress.tried,
                       .total = progress.total,
                       .allocations = plan::AllocationCount(progress.total)});
}

void AgentSearcher::take(const link::PlanFound& found)
{
    if (!isCurrent(found.number))
        return;
    auto ranking = rankingOf(found, m_request.trace->tasks(), m_request.environment->nodes.size());
    if (!ranking) {
        giveUp(tr("the agent said what makes no sense: allocations of another plan"));
        return;
    }
    m_result.ranking = std::move(*ranking);
    m_result.total = plan::AllocationCount(found.total);
    m_result.last = false;
    Q_EMIT this->found(m_result);
}

void AgentSearcher::take(const link::PlanEnded& ended)
{
    if (!isCurrent(ended.number))
        return;
    const bool whole = ended.end == link::PlanEnd::Whole;
    if (whole || ended.end == link::PlanEnd::Stopped) {
        m_active = false;
        m_result.last = true;
        m_result.diagnostics = ended.notes;
        Q_EMIT found(m_result);
    } else {
        giveUp(QString::fromStdString(ended.reason));
    }
}

} // namespace tasuki::planner
