// SPDX-License-Identifier: GPL-3.0-or-later
#include "sharedsearch.h"

#include <utility>

namespace tasuki::planning {

namespace {

constexpr std::chrono::milliseconds tellPause{100};

} // namespace

SharedSearch::SharedSearch(SearchJob job, Transport* transport, const Clock& clock,
                           std::chrono::milliseconds lostAfter)
    : m_job(std::move(job)), m_transport(transport), m_clock(clock), m_lostAfter(lostAfter)
{
    if (m_transport != nullptr) {
        m_self = m_transport->self();
        m_transport->setHandler([this](Rank from, const Message& bytes) { receive(from, bytes); });
        const auto ranks = static_cast<Rank::Representation>(m_transport->size());
        for (Rank other(1); leads() && other < Rank(ranks); other = other.next())
            m_peers[other] = {.heard = m_clock.now()};
    }
    if (leads())
        m_ranking.emplace(m_job.keep);
    m_worker = std::jthread([this] { work(); });
}

SharedSearch::~SharedSearch() { m_stop.request_stop(); }

void SharedSearch::work()
{
    plan::SearchLimits limits{.keep = m_job.keep, .threads = m_job.threads};
    if (m_transport != nullptr) {
        limits.share = static_cast<std::uint32_t>(m_self.value());
        limits.shares = static_cast<std::uint32_t>(m_transport->size());
    }
    m_own = plan::search(*m_job.environment, m_job.tasks, *m_job.predictor, limits,
                         m_stop.get_token(), m_tried);
    m_ownDone.store(true, std::memory_order_release);
}

void SharedSearch::poll()
{
    if (m_transport != nullptr) {
        while (m_transport->poll()) {}
    }
    if (m_state == State::Searching && m_ownDone.load(std::memory_order_acquire))
        takeOwn();
    if (leads())
        giveUpSilent();
    else if (m_state == State::Searching)
        tellTried();
    if (m_state != State::Waiting)
        return;
    bool waits = m_transport != nullptr && m_transport->pending() > 0;
    for (const auto& [rank, peer] : m_peers)
        waits = waits || !peer.done;
    if (!waits)
        m_state = State::Over;
}

void SharedSearch::takeOwn()
{
    const bool whole = !m_stop.stop_requested();
    m_whole = m_whole && whole;
    if (leads())
        m_ranking->add(*m_own);
    else
        m_transport->send(Rank(0), encode(Found{.ranking = *m_own, .whole = whole}));
    m_state = State::Waiting;
}

void SharedSearch::tellTried()
{
    if (m_clock.now() - m_told < tellPause)
        return;
    m_told = m_clock.now();
    m_transport->send(Rank(0), encode(Tried{.allocations = m_tried.load()}));
}

void SharedSearch::giveUpSilent()
{
    for (auto& [rank, peer] : m_peers) {
        if (peer.done || m_clock.now() - peer.heard <= m_lostAfter)
            continue;
        peer.done = true;
        m_whole = false;
        m_lost.push_back(rank);
        m_transport->forget(rank);
    }
}

void SharedSearch::receive(Rank from, const Message& bytes)
{
    const auto message = decode(bytes, m_job.keep, m_job.tasks,
                                static_cast<std::uint32_t>(m_job.environment->nodes.size()));
    if (!message)
        return;
    if (std::holds_alternative<Stop>(*message) && from == Rank(0)) {
        m_stop.request_stop();
        return;
    }
    const auto peer = m_peers.find(from);
    if (peer == m_peers.end() || peer->second.done)
        return;
    peer->second.heard = m_clock.now();
    if (const auto* tried = std::get_if<Tried>(&*message)) {
        peer->second.tried = tried->allocations;
    } else if (const auto* found = std::get_if<Found>(&*message)) {
        peer->second.tried = found->ranking.tried();
        peer->second.done = true;
        m_ranking->add(found->ranking);
        m_whole = m_whole && found->whole;
    }
}

void SharedSearch::stop()
{
    if (m_stop.stop_requested())
        return;
    m_stop.request_stop();
    for (const auto& [rank, peer] : m_peers) {
        if (!peer.done)
            m_transport->send(rank, encode(Stop{}));
    }
}

std::uint64_t SharedSearch::tried() const
{
    std::uint64_t all = m_tried.load();
    for (const auto& [rank, peer] : m_peers)
        all += peer.tried;
    return all;
}

} // namespace tasuki::planning
