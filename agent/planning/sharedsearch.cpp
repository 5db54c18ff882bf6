// SPDX-License-Identifier: GPL-3.0-or-later
#include "sharedsearch.h"

#include <algorithm>
#include <utility>

namespace tasuki::planning {

namespace {

constexpr std::chrono::milliseconds tellPause{100};

} // namespace

SharedSearch::SharedSearch(SearchJob job, Transport* transport, const Clock& clock,
                           std::chrono::milliseconds lostAfter)
    : m_job(std::move(job)),
      m_transport(transport),
      m_clock(clock),
      m_lostAfter(lostAfter),
      m_polled(clock.now())
{
    if (m_transport != nullptr) {
        m_self = m_transport->self();
        m_transport->setHandler(
            [this](ProcessorId from, const Message& bytes) { receive(from, bytes); });
        const auto ranks = static_cast<ProcessorId::Representation>(m_transport->size());
        for (ProcessorId other(0); other < ProcessorId(ranks); other = other.next()) {
            if (other != m_self && (leads() || other == ProcessorId(0)))
                m_peers[other] = {.heard = m_clock.now()};
        }
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
    giveUpSilent();
    tellTried();
    if (m_state == State::Waiting && !waits())
        m_state = State::Over;
}

bool SharedSearch::waits() const
{
    if (!leads())
        return m_transport->pending() > 0;
    return std::ranges::any_of(m_peers, [](const auto& each) { return !each.second.done; });
}

void SharedSearch::takeOwn()
{
    const bool whole = !m_stop.stop_requested();
    m_whole = m_whole && whole;
    if (leads())
        m_ranking->add(*m_own);
    else
        m_transport->send(ProcessorId(0), encode(Found{.ranking = *m_own, .whole = whole}));
    m_state = State::Waiting;
}

void SharedSearch::tellTried()
{
    // Behind a Found it would only keep the rank from being over.
    if ((!leads() && m_state != State::Searching) || m_clock.now() - m_told < tellPause)
        return;
    m_told = m_clock.now();
    for (const auto& [rank, peer] : m_peers) {
        if (!peer.done)
            m_transport->send(rank, encode(Tried{.allocations = m_tried.load()}));
    }
}

void SharedSearch::giveUpSilent()
{
    // After such a gap this rank itself was stopped, and could not have heard anybody.
    const auto gap = m_clock.now() - std::exchange(m_polled, m_clock.now());
    const bool slept = gap > m_lostAfter / 4;
    for (auto& [rank, peer] : m_peers) {
        if (slept)
            peer.heard = m_clock.now();
        if (peer.done || m_clock.now() - peer.heard <= m_lostAfter)
            continue;
        peer.done = true;
        m_whole = false;
        m_lost.push_back(rank);
        m_transport->forget(rank);
        if (!leads())
            m_stop.request_stop(); // nobody is left to tell
    }
}

void SharedSearch::receive(ProcessorId from, const Message& bytes)
{
    const auto message = decode(bytes, m_job.keep, m_job.tasks,
                                static_cast<std::uint32_t>(m_job.environment->nodes.size()));
    const auto peer = m_peers.find(from);
    if (!message || peer == m_peers.end() || peer->second.done)
        return;
    peer->second.heard = m_clock.now();
    if (const auto* tried = std::get_if<Tried>(&*message)) {
        peer->second.tried = tried->allocations;
        return;
    }
    const auto* found = std::get_if<Found>(&*message);
    if (leads() && found != nullptr) {
        peer->second.tried = found->ranking.tried();
        peer->second.done = true;
        m_ranking->add(found->ranking);
        m_whole = m_whole && found->whole;
    } else if (!leads() && found == nullptr) {
        m_stop.request_stop();
    }
}

void SharedSearch::stop()
{
    if (m_stop.stop_requested())
        return;
    m_stop.request_stop();
    for (const auto& [rank, peer] : m_peers) {
        if (leads() && !peer.done)
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
