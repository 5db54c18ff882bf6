// SPDX-License-Identifier: GPL-3.0-or-later
#include "crewpost.h"

#include "hierarchy/rankchanges.h"
#include "hierarchy/tree.h"

#include <utility>
#include <variant>

namespace tasuki {

namespace {

struct TellForeman {
    farm::Foreman& foreman;

    void operator()(const hierarchy::RankHeld& held) const
    {
        foreman.rankHeld(held.rank, held.holder, held.incarnation);
    }
    void operator()(const hierarchy::RankLost& lost) const
    {
        foreman.rankLost(lost.rank, lost.incarnation);
    }
    void operator()(const hierarchy::RankOpened& opened) const
    {
        foreman.setOpen(opened.rank, opened.open);
    }
};

} // namespace

std::optional<farm::CrewId> crewOf(const hierarchy::ClusterTable& table)
{
    const std::vector<Rank> ranks = hierarchy::ranksIn(table);
    return ranks.empty() ? std::nullopt : std::optional(farm::crewOf(ranks.front()));
}

CrewPost::CrewPost(Setup setup, hierarchy::Picture first, farm::Worker& worker,
                   Transport& transport, const Clock& clock)
    : m_setup(setup),
      m_picture(std::move(first)),
      m_subcluster(m_picture.subclusterOf(transport.self())),
      m_worker(worker),
      m_transport(transport),
      m_clock(clock)
{
    takePost();
}

void CrewPost::changed(const hierarchy::Picture& picture)
{
    const hierarchy::Picture before = std::exchange(m_picture, picture);
    forgetLost(before);
    followMaster();
    if (m_foreman) {
        for (const hierarchy::RankChange& change :
             hierarchy::rankChanges(before.cluster(m_subcluster), table()))
            std::visit(TellForeman{*m_foreman}, change);
    }
    takePost();
}

void CrewPost::receive(ProcessorId from, farm::Envelope envelope)
{
    if (!m_foreman)
        return;
    m_words.take([this, from, envelope = std::move(envelope)]() mutable {
        m_foreman->receive(from, std::move(envelope));
    });
}

bool CrewPost::poll() { return m_foreman && !m_words.held() && m_foreman->poll(); }

void CrewPost::stepDown()
{
    m_foreman.reset();
    m_words.clear();
}

void CrewPost::suspend(bool suspended)
{
    m_words.hold(suspended);
    if (!suspended)
        takePost();
}

void CrewPost::masterBeginsAnew()
{
    m_succeeded = true;
    takePost();
}

void CrewPost::dismiss()
{
    m_dismissed = true;
    stepDown();
}

void CrewPost::reconnect()
{
    for (std::uint32_t number = 0; number < m_picture.processorCount(); ++number) {
        const ProcessorId other(number);
        if (other == m_transport.self() || isAway(m_picture.member(other).health))
            continue;
        m_transport.forget(other);
        m_transport.remember(other);
    }
}

/// The system master leads the farm. It is another one when the last one is no more.
void CrewPost::followMaster()
{
    const std::optional<ProcessorId> master = hierarchy::systemMaster(m_picture);
    if (!master || *master == m_setup.master)
        return;
    m_succeeded = true;
    m_setup.master = *master;
    m_worker.setMaster(*master);
    if (m_foreman)
        m_foreman->setMaster(*master);
}

/// What the picture says of this processor and its chief.
void CrewPost::takePost()
{
    if (!m_succeeded && m_subcluster == m_picture.subclusterOf(m_setup.master))
        return; // the master leads
    const std::optional<ProcessorId> leader = hierarchy::clusterMaster(table());
    if (leader)
        m_worker.setChief(*leader);
    if (leader != m_transport.self() || m_dismissed)
        stepDown();
    else if (!m_foreman && !m_words.held())
        appoint();
}

void CrewPost::appoint()
{
    const std::optional<farm::CrewId> crew = crewOf(table());
    if (!crew)
        return;
    m_foreman.emplace(
        farm::Foreman::Setup{.epoch = m_setup.epoch, .crew = *crew, .master = m_setup.master},
        m_transport, m_clock, [this] { return ++m_terms; });
    for (const hierarchy::RankChange& change : hierarchy::ranksOf(table()))
        std::visit(TellForeman{*m_foreman}, change);
}

/// What waits for who is dead would wait for ever. Who comes back is spoken to again.
void CrewPost::forgetLost(const hierarchy::Picture& before)
{
    for (std::uint32_t number = 0; number < m_picture.processorCount(); ++number) {
        const ProcessorId processor(number);
        const hierarchy::MemberRow& is = m_picture.member(processor);
        const hierarchy::MemberRow& was = before.member(processor);
        if (processor == m_transport.self())
            continue;
        const bool lost = is.health == Health::Lost || is.health == Health::Fenced;
        if ((lost || is.life != was.life) && !isAway(was.health))
            m_transport.forget(processor);
        if (is.life != was.life && !isAway(is.health))
            m_transport.remember(processor);
    }
}

} // namespace tasuki
