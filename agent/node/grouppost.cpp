// SPDX-License-Identifier: GPL-3.0-or-later
#include "grouppost.h"

#include "hierarchy/rankchanges.h"
#include "hierarchy/tree.h"

#include <utility>
#include <variant>

namespace tasuki {

namespace {

struct TellGroupScheduler {
    farm::GroupScheduler& groupScheduler;

    void operator()(const hierarchy::RankHeld& held) const
    {
        groupScheduler.rankHeld(held.rank, held.holder, held.incarnation);
    }
    void operator()(const hierarchy::RankLost& lost) const
    {
        groupScheduler.rankLost(lost.rank, lost.incarnation);
    }
    void operator()(const hierarchy::RankOpened& opened) const
    {
        groupScheduler.setOpen(opened.rank, opened.open);
    }
};

} // namespace

std::optional<farm::GroupId> groupOf(const hierarchy::ClusterTable& table)
{
    const std::vector<Rank> ranks = hierarchy::ranksIn(table);
    return ranks.empty() ? std::nullopt : std::optional(farm::groupOf(ranks.front()));
}

GroupPost::GroupPost(Setup setup, hierarchy::MembershipView first, farm::Worker& worker,
                     Transport& transport, const Clock& clock)
    : m_setup(setup),
      m_view(std::move(first)),
      m_subcluster(m_view.subclusterOf(transport.self())),
      m_worker(worker),
      m_transport(transport),
      m_clock(clock)
{
    takePost();
}

void GroupPost::changed(const hierarchy::MembershipView& view)
{
    const hierarchy::MembershipView before = std::exchange(m_view, view);
    forgetLost(before);
    followMaster();
    if (m_groupScheduler) {
        for (const hierarchy::RankChange& change :
             hierarchy::rankChanges(before.cluster(m_subcluster), table()))
            std::visit(TellGroupScheduler{*m_groupScheduler}, change);
    }
    takePost();
}

void GroupPost::receive(ProcessorId from, farm::Envelope envelope)
{
    if (!m_groupScheduler)
        return;
    m_words.take([this, from, envelope = std::move(envelope)]() mutable {
        m_groupScheduler->receive(from, std::move(envelope));
    });
}

bool GroupPost::poll() { return m_groupScheduler && !m_words.held() && m_groupScheduler->poll(); }

void GroupPost::stepDown()
{
    m_groupScheduler.reset();
    m_words.clear();
}

void GroupPost::suspend(bool suspended)
{
    m_words.hold(suspended);
    if (!suspended)
        takePost();
}

void GroupPost::masterBeginsAnew()
{
    m_succeeded = true;
    takePost();
}

void GroupPost::dismiss()
{
    m_dismissed = true;
    stepDown();
}

void GroupPost::reconnect()
{
    for (std::uint32_t number = 0; number < m_view.processorCount(); ++number) {
        const ProcessorId other(number);
        if (other == m_transport.self() || isUnreachable(m_view.member(other).health))
            continue;
        m_transport.forget(other);
        m_transport.remember(other);
    }
}

/// The system master leads the farm. It is another one when the last one is no more.
void GroupPost::followMaster()
{
    const std::optional<ProcessorId> master = hierarchy::systemMaster(m_view);
    if (!master || *master == m_setup.master)
        return;
    m_succeeded = true;
    m_setup.master = *master;
    m_worker.setMaster(*master);
    if (m_groupScheduler)
        m_groupScheduler->setMaster(*master);
}

/// What the view says of this processor and its chief.
void GroupPost::takePost()
{
    if (!m_succeeded && m_subcluster == m_view.subclusterOf(m_setup.master))
        return; // the master leads
    const std::optional<ProcessorId> leader = hierarchy::clusterMaster(table());
    if (leader)
        m_worker.setChief(*leader);
    if (leader != m_transport.self() || m_dismissed)
        stepDown();
    else if (!m_groupScheduler && !m_words.held())
        appoint();
}

void GroupPost::appoint()
{
    const std::optional<farm::GroupId> group = groupOf(table());
    if (!group)
        return;
    m_groupScheduler.emplace(
        farm::GroupScheduler::Setup{
            .epoch = m_setup.epoch, .group = *group, .master = m_setup.master},
        m_transport, m_clock, [this] { return m_leaderships = m_leaderships.next(); });
    for (const hierarchy::RankChange& change : hierarchy::ranksOf(table()))
        std::visit(TellGroupScheduler{*m_groupScheduler}, change);
}

/// What waits for who is dead would wait for ever. Who comes back is spoken to again.
void GroupPost::forgetLost(const hierarchy::MembershipView& before)
{
    for (std::uint32_t number = 0; number < m_view.processorCount(); ++number) {
        const ProcessorId processor(number);
        const hierarchy::MemberRow& is = m_view.member(processor);
        const hierarchy::MemberRow& was = before.member(processor);
        if (processor == m_transport.self())
            continue;
        const bool lost = is.health == Health::Lost || is.health == Health::Fenced;
        if ((lost || is.life != was.life) && !isUnreachable(was.health))
            m_transport.forget(processor);
        if (is.life != was.life && !isUnreachable(is.health))
            m_transport.remember(processor);
    }
}

} // namespace tasuki
