// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulatednetwork.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <set>
#include <utility>

namespace tasuki {

namespace {

/// So that a flood to one processor does not keep its other work waiting.
constexpr std::size_t messagesPerPoll = 256;

std::size_t indexOf(ProcessorId processor) { return processor.value(); }
ProcessorId processorOf(std::size_t index)
{
    return ProcessorId(static_cast<std::uint32_t>(index));
}

} // namespace

/// One processor as its own code sees it.
class SimulatedNetwork::Endpoint final : public Transport {
public:
    Endpoint(SimulatedNetwork& network, ProcessorId self) : m_network(network), m_self(self) {}

    [[nodiscard]] ProcessorId self() const override { return m_self; }
    [[nodiscard]] std::size_t size() const override { return m_network.size(); }
    void setHandler(Handler handler) override { m_handler = std::move(handler); }
    void send(ProcessorId to, Message message) override;
    bool poll() override;
    [[nodiscard]] std::size_t pending(ProcessorId to) const override;
    [[nodiscard]] std::size_t pending() const override { return m_pending; }
    void forget(ProcessorId peer) override;
    void remember(ProcessorId peer) override;

    /// Takes a message from the network; it is handed over when its time has come.
    void accept(ProcessorId from, Message message, SteadyTime arrival, std::uint64_t departure);
    /// A message has left for a peer. Those to oneself never leave: they stay pending until taken.
    void departed(ProcessorId to) { m_pending -= to == m_self ? 0U : 1U; }
    void die();
    /// Takes back what a dead peer had under way to here.
    void loseFrom(ProcessorId peer);

    bool isAlive = true;
    bool isPaused = false;
    [[nodiscard]] std::optional<SteadyTime> nextArrival() const;

private:
    /// Order of arrival; what arrives at the same time, in the order of departure.
    struct When {
        SteadyTime arrival;
        std::uint64_t departure = 0;
        auto operator<=>(const When&) const = default;
    };
    struct Parcel {
        ProcessorId from;
        Message message;
    };

    bool departAll();

    SimulatedNetwork& m_network;
    ProcessorId m_self;
    std::set<ProcessorId> m_forgotten;
    Handler m_handler;
    std::map<When, Parcel> m_arriving;
    std::size_t m_pending = 0;
    bool m_left = false; ///< something has, since the last poll
};

void SimulatedNetwork::Endpoint::send(ProcessorId to, Message message)
{
    assert(indexOf(to) < size());
    if (!isAlive || m_forgotten.contains(to))
        return;
    m_network.link(m_self, to).waiting.push_back(std::move(message));
    ++m_pending;
    if (!isPaused)
        m_left = m_network.depart(m_self, to) || m_left;
}

bool SimulatedNetwork::Endpoint::departAll()
{
    if (m_pending == 0)
        return false;
    bool moved = false;
    for (std::size_t to = 0; to < size(); ++to)
        moved = m_network.depart(m_self, processorOf(to)) || moved;
    return moved;
}

bool SimulatedNetwork::Endpoint::poll()
{
    if (!isAlive || isPaused)
        return false;
    bool moved = std::exchange(m_left, false);
    moved = departAll() || moved;
    // What leaves from now on, sent by the handler for example, is for a later poll.
    const std::uint64_t firstLater = m_network.m_departures;
    const SteadyTime now = m_network.m_clock.now();
    for (std::size_t count = 0; count < messagesPerPoll && isAlive && !isPaused; ++count) {
        const auto next = std::find_if(
            m_arriving.begin(), m_arriving.end(), [&](const auto& entry) {
                return entry.first.arrival > now || entry.first.departure < firstLater;
            });
        if (next == m_arriving.end() || next->first.arrival > now)
            break;
        Parcel parcel = std::move(next->second);
        m_arriving.erase(next);
        --m_network.link(parcel.from, m_self).underWay;
        m_pending -= parcel.from == m_self ? 1U : 0U;
        moved = true;
        if (!m_forgotten.contains(parcel.from) && m_handler)
            m_handler(parcel.from, std::move(parcel.message));
    }
    return moved;
}

std::size_t SimulatedNetwork::Endpoint::pending(ProcessorId to) const
{
    const auto found = m_network.m_links.find({m_self, to});
    if (found == m_network.m_links.end())
        return 0;
    return found->second.waiting.size() + (to == m_self ? found->second.underWay : 0);
}

void SimulatedNetwork::Endpoint::forget(ProcessorId peer)
{
    m_forgotten.insert(peer);
    SimulatedLink& link = m_network.link(m_self, peer);
    m_pending -= link.waiting.size();
    link.waiting.clear();
}

void SimulatedNetwork::Endpoint::remember(ProcessorId peer) { m_forgotten.erase(peer); }

void SimulatedNetwork::Endpoint::accept(ProcessorId from, Message message, SteadyTime arrival,
                                        std::uint64_t departure)
{
    m_arriving.emplace(When{arrival, departure}, Parcel{from, std::move(message)});
}

void SimulatedNetwork::Endpoint::die()
{
    isAlive = false;
    // The links keep their counts: to the senders it looks as if nobody took the messages.
    m_arriving.clear();
    for (std::size_t to = 0; to < size(); ++to)
        m_network.link(m_self, processorOf(to)).waiting.clear();
    m_pending = 0;
}

void SimulatedNetwork::Endpoint::loseFrom(ProcessorId peer)
{
    std::erase_if(m_arriving, [&](const auto& entry) { return entry.second.from == peer; });
}

std::optional<SteadyTime> SimulatedNetwork::Endpoint::nextArrival() const
{
    if (!isAlive || isPaused || m_arriving.empty())
        return std::nullopt;
    return m_arriving.begin()->first.arrival;
}

SimulatedNetwork::SimulatedNetwork(std::size_t count, const Clock& clock, std::uint64_t seed,
                                   const LinkModel& link)
    : m_clock(clock), m_seed(seed), m_defaultLink(link), m_launched(count)
{
    assert(count > 0 && count <= std::size_t{std::numeric_limits<std::uint32_t>::max()});
    m_endpoints.reserve(count);
    while (size() < count)
        join();
}

SimulatedNetwork::~SimulatedNetwork() = default;

ProcessorId SimulatedNetwork::join()
{
    m_endpoints.push_back(std::make_unique<Endpoint>(*this, processorOf(size())));
    return m_endpoints.back()->self();
}

Transport& SimulatedNetwork::at(ProcessorId processor) { return endpoint(processor); }

SimulatedNetwork::Endpoint& SimulatedNetwork::endpoint(ProcessorId processor)
{
    assert(indexOf(processor) < m_endpoints.size());
    return *m_endpoints[indexOf(processor)];
}

const SimulatedNetwork::Endpoint& SimulatedNetwork::endpoint(ProcessorId processor) const
{
    assert(indexOf(processor) < m_endpoints.size());
    return *m_endpoints[indexOf(processor)];
}

SimulatedLink& SimulatedNetwork::link(ProcessorId from, ProcessorId to)
{
    const LinkKey key{from, to};
    if (const auto found = m_links.find(key); found != m_links.end())
        return found->second;
    // Every link has dice of its own, so that traffic on one leaves the others as they were.
    // Nor does a processor that joins change them.
    const bool launched = indexOf(from) < m_launched && indexOf(to) < m_launched;
    const std::uint64_t place = launched ? indexOf(from) * m_launched + indexOf(to) + 1
                                         : (indexOf(from) + 1) << 32U | (indexOf(to) + 1);
    LinkModel model = m_defaultLink;
    if (from == to) {
        model = LinkModel{};
        model.minimumDelay = {};
        model.meanExtraDelay = {};
        model.window = std::numeric_limits<std::size_t>::max();
    }
    const std::uint64_t seed = m_seed ^ (place * 0xD1B54A32D192ED03U);
    return m_links.emplace(key, SimulatedLink(model, seed)).first->second;
}

bool SimulatedNetwork::depart(ProcessorId from, ProcessorId to)
{
    SimulatedLink& line = link(from, to);
    Endpoint& sender = endpoint(from);
    Endpoint& receiver = endpoint(to);
    bool moved = false;
    while (!line.waiting.empty() && line.hasRoom()) {
        Message message = std::move(line.waiting.front());
        line.waiting.pop_front();
        sender.departed(to);
        moved = true;
        if (line.loses())
            continue;
        ++line.underWay;
        const SteadyTime arrival = line.arrival(m_clock.now());
        if (receiver.isAlive)
            receiver.accept(from, std::move(message), arrival, m_departures++);
    }
    return moved;
}

void SimulatedNetwork::setLink(ProcessorId from, ProcessorId to, const LinkModel& model)
{
    link(from, to).model = model;
}

void SimulatedNetwork::setLoss(double share)
{
    m_defaultLink.loss = share;
    for (auto& [key, line] : m_links) {
        if (key.first != key.second)
            line.model.loss = share;
    }
}

void SimulatedNetwork::cut(ProcessorId one, ProcessorId other)
{
    link(one, other).model.cut = true;
    link(other, one).model.cut = true;
}

void SimulatedNetwork::heal(ProcessorId one, ProcessorId other)
{
    link(one, other).model.cut = false;
    link(other, one).model.cut = false;
}

void SimulatedNetwork::kill(ProcessorId processor, LastWords words)
{
    endpoint(processor).die();
    if (words == LastWords::Delivered)
        return;
    for (const auto& peer : m_endpoints)
        peer->loseFrom(processor);
}

bool SimulatedNetwork::alive(ProcessorId processor) const { return endpoint(processor).isAlive; }
void SimulatedNetwork::pause(ProcessorId processor) { endpoint(processor).isPaused = true; }
void SimulatedNetwork::resume(ProcessorId processor) { endpoint(processor).isPaused = false; }
bool SimulatedNetwork::paused(ProcessorId processor) const { return endpoint(processor).isPaused; }

bool SimulatedNetwork::pollAll()
{
    bool moved = false;
    for (const auto& processor : m_endpoints)
        moved = processor->poll() || moved;
    return moved;
}

std::optional<SteadyTime> SimulatedNetwork::nextDelivery() const
{
    std::optional<SteadyTime> earliest;
    for (const auto& processor : m_endpoints) {
        const auto next = processor->nextArrival();
        if (next && (!earliest || *next < *earliest))
            earliest = next;
    }
    return earliest;
}

} // namespace tasuki
