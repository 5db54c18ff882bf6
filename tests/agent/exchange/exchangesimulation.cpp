// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchangesimulation.h"

#include "merge/mapmerger.h"

#include <algorithm>

namespace tasuki::merge::testing {

ExchangeSimulation::ExchangeSimulation(Setup setup)
    : m_setup(std::move(setup)),
      m_network(m_setup.maps.size(), m_clock, m_setup.seed),
      m_watches(m_setup.maps.size())
{
    for (std::size_t rank = 0; rank < m_setup.maps.size(); ++rank) {
        const ProcessorId self(static_cast<ProcessorId::Representation>(rank));
        ExchangeOptions options{.keep = m_setup.keep,
                                .score = m_setup.score,
                                .exactScores = m_setup.exactScores,
                                .pace = {.chunkBytes = m_setup.chunkBytes, .chunksUnderWay = 2},
                                .place = {.pid = self.value() + 1, .hostKey = "host"},
                                .listing = {},
                                .peakBytes = {}};
        m_exchanges.push_back(std::make_unique<Exchange>(
            std::move(options), m_setup.maps[rank], m_network.at(self), m_clock, observe(self)));
        // All know rank 0's process before they begin.
        m_watches[rank].insert(ProcessorId(0));
        m_network.at(self).setHandler([this, rank](ProcessorId from, Message message) {
            m_exchanges[rank]->receive(from, std::move(message));
        });
    }
    for (const auto& exchange : m_exchanges)
        exchange->start();
}

ExchangeObserver ExchangeSimulation::observe(ProcessorId rank)
{
    return {.present = [this, rank](ProcessorId other,
                                    const Place&) { m_watches[index(rank)].insert(other); },
            .began =
                [this](const ViewId&, const View&, const std::string& reason) {
                    if (!reason.empty())
                        viewReasons.push_back(reason);
                },
            .roundEnded =
                [this](const RoundReport& report) {
                    latestRound = std::max(latestRound, report.round);
                    sentBytes += report.sentBytes;
                },
            .lost = {},
            .agreed =
                [this, rank] {
                    closers.push_back(rank);
                    if (m_setup.closes)
                        m_exchanges[index(rank)]->finish(true);
                }};
}

void ExchangeSimulation::step()
{
    ++m_steps;
    bool moved = m_network.pollAll();
    for (std::size_t rank = 0; rank < m_exchanges.size(); ++rank) {
        const ProcessorId self(static_cast<ProcessorId::Representation>(rank));
        if (m_network.alive(self) && !m_network.paused(self))
            moved = m_exchanges[rank]->poll() || moved;
    }
    if (moved)
        return;
    const auto next = m_network.nextDelivery();
    constexpr std::chrono::milliseconds idle{100};
    const auto pause = next ? std::min<std::chrono::nanoseconds>(*next - m_clock.now(), idle)
                            : idle;
    m_clock.advance(std::max<std::chrono::nanoseconds>(pause, std::chrono::microseconds(1)));
}

bool ExchangeSimulation::everybodyIsOver() const
{
    for (std::size_t rank = 0; rank < m_exchanges.size(); ++rank) {
        if (m_network.alive(ProcessorId(static_cast<ProcessorId::Representation>(rank)))
            && !m_exchanges[rank]->over())
            return false;
    }
    return true;
}

bool ExchangeSimulation::run(std::chrono::seconds limit)
{
    const SteadyTime end = m_clock.now() + limit;
    while (!everybodyIsOver() && m_clock.now() < end)
        step();
    return everybodyIsOver();
}

bool ExchangeSimulation::allHaveBegun() const
{
    return std::ranges::none_of(m_exchanges, [](const auto& exchange) {
        return exchange->phase() == Exchange::Phase::Gathering;
    });
}

void ExchangeSimulation::kill(ProcessorId rank, SimulatedNetwork::LastWords words)
{
    m_network.kill(rank, words);
    if (!m_setup.processesAreWatched)
        return;
    for (std::size_t other = 0; other < m_exchanges.size(); ++other) {
        const ProcessorId watcher(static_cast<ProcessorId::Representation>(other));
        if (m_network.alive(watcher) && m_watches[other].count(rank) != 0)
            m_exchanges[other]->processGone(rank);
    }
}

std::string ExchangeSimulation::problem() const
{
    std::optional<Digest> digest;
    for (std::size_t rank = 0; rank < m_exchanges.size(); ++rank) {
        const std::string name = "rank " + std::to_string(rank);
        if (!m_network.alive(ProcessorId(static_cast<ProcessorId::Representation>(rank))))
            continue;
        const Exchange& exchange = *m_exchanges[rank];
        if (!exchange.over())
            return name + " is not over, phase "
                + std::to_string(static_cast<int>(exchange.phase()));
        if (!exchange.failure() && !exchange.safe())
            return name + " was told that the result is not safe";
        if (exchange.failure())
            return name + " failed: " + exchange.failure()->text();
        const MergeMap& result = exchange.result();
        if (digest.value_or(result.digest()) != result.digest())
            return name + " holds another map";
        digest = result.digest();
        const bool comparable = !m_setup.keep && !result.law().keepsOrigins()
            && !m_setup.maps[rank].law().keepsOrigins();
        if (comparable && merged(result, m_setup.maps[rank]).digest() != result.digest())
            return name + " brought what the result lacks";
    }
    if (closers.empty() && digest)
        return "nobody was asked to keep the result";
    return {};
}

} // namespace tasuki::merge::testing
