// SPDX-License-Identifier: GPL-3.0-or-later
#include "systemrecord.h"

#include "crewpost.h"

#include "hierarchy/changes.h"
#include "hierarchy/rankchanges.h"
#include "hierarchy/tree.h"

#include "domain/systemevents.h"

#include <utility>
#include <variant>

namespace tasuki {

namespace {

using hierarchy::ClusterTable;
using hierarchy::MemberRow;
using hierarchy::Picture;

/// Longer thresholds are recorded so often at most.
constexpr std::chrono::seconds lengthenedPause{10};

struct TellMaster {
    farm::Master& master;

    void operator()(const hierarchy::RankHeld& held) const
    {
        master.rankHeld(held.rank, held.holder, held.incarnation);
        master.setOpen(held.rank, true);
    }
    void operator()(const hierarchy::RankLost& lost) const
    {
        master.rankLost(lost.rank, lost.incarnation, lost.cause);
    }
    void operator()(const hierarchy::RankOpened& opened) const
    {
        master.setOpen(opened.rank, opened.open);
    }
};

} // namespace

SystemRecord::SystemRecord(ProcessorId self, Picture first, SystemLaidOut layout,
                           farm::Master& master, std::function<void(const std::string&)> say)
    : m_picture(std::move(first)),
      m_home(m_picture.subclusterOf(self)),
      m_layout(std::move(layout)),
      m_master(master),
      m_say(std::move(say))
{
    for (std::uint32_t number = 0; number < m_picture.clusterCount(); ++number) {
        const hierarchy::ClusterTable& table = m_picture.cluster(SubclusterId(number));
        if (const auto crew = crewOf(table); crew && table.subcluster != m_home)
            m_master.crewFormed(*crew, hierarchy::ranksIn(table));
    }
    for (const hierarchy::RankChange& change : hierarchy::ranksOf(m_picture))
        std::visit(TellMaster{m_master}, change);
    tellLeaders();
    for (std::uint32_t number = 0; number < m_picture.processorCount(); ++number) {
        if (isAway(m_picture.member(ProcessorId(number)).health))
            m_master.processorLost(ProcessorId(number));
    }
    if (m_picture.system().started)
        m_master.begin();
}

/// Who leads the crews of the other subclusters.
void SystemRecord::tellLeaders()
{
    for (std::uint32_t number = 0; number < m_picture.clusterCount(); ++number) {
        const hierarchy::ClusterTable& table = m_picture.cluster(SubclusterId(number));
        if (const auto crew = crewOf(table); crew && table.subcluster != m_home)
            m_master.crewLed(*crew, hierarchy::clusterMaster(table));
    }
}

std::vector<EventPayload> SystemRecord::opening() const
{
    std::vector<EventPayload> events = hierarchy::mastersOf(m_picture);
    events.insert(events.begin(), m_layout);
    return events;
}

void SystemRecord::changed(const Picture& picture)
{
    m_master.record(hierarchy::changesBetween(m_picture, picture));
    tellLosses(picture);
    for (const hierarchy::RankChange& change : hierarchy::rankChanges(m_picture, picture))
        std::visit(TellMaster{m_master}, change);
    if (picture.system().started && !m_picture.system().started)
        m_master.begin();
    tellClusters(picture);
    tellRoles(std::exchange(m_picture, picture));
    tellLeaders();
}

/// A processor that has become something else changes the layout.
void SystemRecord::tellRoles(const Picture& before)
{
    for (std::uint32_t number = 0; number < before.processorCount(); ++number) {
        const ProcessorId processor(number);
        if (before.member(processor).kind != m_picture.member(processor).kind) {
            m_master.record({layOut(m_layout)});
            return;
        }
    }
}

SystemLaidOut SystemRecord::layOut(SystemLaidOut layout)
{
    for (ProcessorInfo& processor : layout.processors) {
        const MemberRow& row = m_picture.member(processor.id);
        const ClusterTable& table = m_picture.cluster(processor.subcluster);
        processor.kind = row.kind;
        processor.seat = row.seat && table.seat(*row.seat)->taken ? row.seat : std::nullopt;
    }
    m_layout = layout;
    return layout;
}

void SystemRecord::givenUp(const std::string& reason)
{
    m_master.record(
        {Notice{.severity = Severity::Warning,
                .text = "an operator's order cannot be carried out any more: " + reason}});
}

void SystemRecord::tellLosses(const Picture& picture)
{
    for (std::uint32_t number = 0; number < picture.processorCount(); ++number) {
        const ProcessorId processor(number);
        const MemberRow& row = picture.member(processor);
        if (!isAway(row.health) || isAway(m_picture.member(processor).health))
            continue;
        if (row.health == Health::Left)
            m_master.processorLeft(processor);
        else
            m_master.processorLost(processor);
    }
}

void SystemRecord::tellClusters(const Picture& picture)
{
    if (m_ending || picture.system().policy == DownPolicy::Continue)
        return;
    for (std::uint32_t number = 0; number < picture.clusterCount(); ++number) {
        if (picture.cluster(SubclusterId(number)).state != ClusterState::Down)
            continue;
        m_ending = true;
        m_master.record(
            {Notice{.severity = Severity::Failure,
                    .text = "as a subcluster is down the run ends; it can be resumed"}});
        m_master.interrupt();
        return;
    }
}

void SystemRecord::missing(const std::vector<ProcessorId>& processors)
{
    std::string names;
    for (const ProcessorId processor : processors)
        names += (names.empty() ? "" : ", ") + std::to_string(processor.value());
    m_say("the system cannot start, as these processors did not get ready in time: " + names);
    m_master.interrupt();
}

void SystemRecord::lengthened(std::chrono::nanoseconds by, SteadyTime now)
{
    if (m_lengthenedSaid != SteadyTime{} && now - m_lengthenedSaid < lengthenedPause)
        return;
    m_lengthenedSaid = now;
    const auto ms = std::chrono::ceil<std::chrono::milliseconds>(by).count();
    m_master.record({Notice{.severity = Severity::Information,
                            .text = "processor 0 was late itself: silent processors count as lost "
                                + std::to_string(ms) + " ms later"}});
}

} // namespace tasuki
