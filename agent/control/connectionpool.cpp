// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectionpool.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tasuki::control {

namespace {

using std::chrono::milliseconds;

/// About what is written at once.
constexpr std::size_t batchLimit = 256 * 1024;
/// Connections that have shown who they are and wait for a place; more wait in the kernel.
constexpr std::size_t mostInLine = 128;
constexpr milliseconds firstRetry{50};
constexpr milliseconds lastRetry{1000};

SteadyTime steadyNow() { return std::chrono::steady_clock::now(); }

} // namespace

ConnectionPool::ConnectionPool(boost::asio::io_context& context, BoundSocket listening,
                               ControlIdentity identity, const RunKey& key,
                               const PoolOptions& options, Callbacks callbacks)
    : m_context(context),
      m_identity(identity),
      m_key(key),
      m_options(options),
      m_callbacks(std::move(callbacks)),
      m_refusalsDue(context),
      m_sweep(context),
      m_arrivals(
          context,
          {.greeting = options.authentication,
           .inAll = options.mostUnproven / 2,
           .ofAddress = options.mostUnproven / 2},
          {.greeted = [this](Accepted accepted, const std::string& greeting,
                             SteadyTime since) { accept(std::move(accepted), greeting, since); },
           .refused =
               [this](const Error& error) {
                   ++m_counters.refused;
                   reportStranger(error);
               }}),
      m_listener(context, std::move(listening.fd),
                 {.wanted = [this] { return inLine() < mostInLine; },
                  .accepted =
                      [this](Accepted accepted) {
                          m_arrivals.take(std::move(accepted));
                          noteUnproven();
                      },
                  .makeRoom = [this] { return m_arrivals.closeOldest(); }})
{
    assert(options.mostConnections >= 2 && options.mostUnproven >= 2);
}

ConnectionPool::~ConnectionPool()
{
    for (const auto& [address, each] : m_channels)
        each.channel->abandon();
}

void ConnectionPool::learn(ProcessorId peer, const std::vector<boost::asio::ip::address>& addresses,
                           std::uint16_t port)
{
    std::vector<boost::asio::ip::tcp::endpoint> endpoints;
    for (const auto& address : addresses)
        endpoints.emplace_back(address, port);
    Peer& known = m_peers[peer];
    if (known.endpoints == endpoints)
        return;
    known.endpoints = std::move(endpoints);
    known.current = 0;
    known.failedRow = 0;
}

void ConnectionPool::beginLife(Life life)
{
    m_identity.life = life;
    for (const auto& [address, each] : m_channels)
        if (each.channel->open() && !each.channel->busy())
            each.channel->close();
    armSweep();
}

ConnectionCounters ConnectionPool::counters() const
{
    ConnectionCounters counters = m_counters;
    counters.open = m_taken;
    counters.waiting = m_waiting;
    return counters;
}

// ---- messages

bool ConnectionPool::send(ProcessorId to, std::string message)
{
    const auto found = m_peers.find(to);
    if (found == m_peers.end() || message.size() > messageBytes
        || message.size() > m_options.mostWaitingBytes) {
        ++m_counters.tooMany;
        return false;
    }
    Peer& peer = found->second;
    peer.waitingBytes += message.size();
    peer.waiting.push_back({std::move(message), steadyNow()});
    ++m_waiting;
    // The latest ones tell how things are.
    for (; peer.waitingBytes > m_options.mostWaitingBytes; ++m_counters.tooMany)
        takeWaiting(peer);
    pump(to);
    armSweep();
    return true;
}

/// Gets on with what waits for a peer. Does nothing when there is nothing to do.
void ConnectionPool::pump(ProcessorId id)
{
    Peer& peer = m_peers.find(id)->second;
    if (peer.outlet && peer.outlet->open() && !peer.outlet->busy()
        && m_channels.find(peer.outlet.get())->second.life != m_identity.life)
        peer.outlet->close();
    if (peer.waiting.empty())
        return;
    if (!peer.outlet)
        peer.outlet = openChannel(id);
    if (peer.outlet) {
        // One that is closed by either side is waited for: ended() comes back here.
        if (peer.outlet->open() && !peer.outlet->busy())
            writeBatch(peer);
        return;
    }
    if (peer.dialing || peer.inLine || peer.endpoints.empty() || steadyNow() < peer.retryAt)
        return;
    peer.inLine = true;
    m_line.push_back({.peer = id});
    serveLine();
}

void ConnectionPool::writeBatch(Peer& peer)
{
    std::vector<std::string> batch;
    for (std::size_t bytes = 0; !peer.waiting.empty() && bytes < batchLimit;) {
        batch.push_back(takeWaiting(peer));
        bytes += batch.back().size();
    }
    peer.writing = batch.size();
    peer.outlet->write(batch);
}

std::string ConnectionPool::takeWaiting(Peer& peer)
{
    std::string message = std::move(peer.waiting.front().message);
    peer.waiting.pop_front();
    peer.waitingBytes -= message.size();
    --m_waiting;
    return message;
}

ConnectionPool::ChannelPtr ConnectionPool::openChannel(ProcessorId id) const
{
    for (const auto& [address, each] : m_channels)
        if (each.channel->open() && each.channel->peer().processor == id
            && each.life == m_identity.life)
            return each.channel;
    return nullptr;
}

// ---- what channels tell

void ConnectionPool::accept(Accepted accepted, const std::string& greeting, SteadyTime since)
{
    if (m_unproven.size() >= m_options.mostUnproven / 2)
        ChannelPtr(m_unproven.begin()->second)->makeRoom();
    ChannelHost& host = *this;
    auto channel = std::make_shared<FrameChannel>(
        m_context, host, m_options.channel,
        StreamHandshake::acceptor(
            m_key, m_identity,
            [this](ProcessorId id) { return id != m_identity.self && m_peers.contains(id); }),
        false);
    m_channels[channel.get()] = {
        .channel = channel, .life = m_identity.life, .unproven = ++m_latestUnproven};
    m_unproven.emplace(m_latestUnproven, channel);
    noteUnproven();
    channel->start(std::move(accepted), greeting, since);
    armSweep();
}

void ConnectionPool::setProven(Channel& each) { m_unproven.erase(std::exchange(each.unproven, 0)); }

void ConnectionPool::noteUnproven()
{
    m_counters.mostUnproven = std::max(m_counters.mostUnproven,
                                       m_arrivals.size() + m_unproven.size());
}

void ConnectionPool::proven(FrameChannel& channel)
{
    setProven(m_channels.find(&channel)->second);
    m_line.push_back({.peer = channel.peer().processor, .proven = channel.shared_from_this()});
    serveLine();
    armSweep();
}

void ConnectionPool::opened(FrameChannel& channel)
{
    Peer& peer = m_peers.find(channel.peer().processor)->second;
    if (channel.dialer()) {
        peer.dialing.reset();
        --m_dialing;
        ++m_counters.dialed;
        peer.failedRow = 0;
        peer.failedRounds = 0;
    } else {
        ++m_counters.accepted;
    }
    peer.lastProblem.clear();
    pump(channel.peer().processor);
    serveLine();
    armSweep();
}

void ConnectionPool::received(FrameChannel& channel, std::string_view message)
{
    ++m_counters.received;
    if (m_callbacks.message)
        m_callbacks.message(channel.peer(), message);
}

void ConnectionPool::written(FrameChannel& channel)
{
    Peer& peer = m_peers.find(channel.peer().processor)->second;
    m_counters.sent += std::exchange(peer.writing, 0);
    pump(channel.peer().processor);
    serveLine();
    armSweep();
}

void ConnectionPool::ended(FrameChannel& channel, const std::optional<Error>& error)
{
    const auto found = m_channels.find(&channel);
    const bool counted = found->second.counted;
    setProven(found->second);
    m_channels.erase(found);
    const auto id = channel.peer().processor;
    const auto known = m_peers.find(id);
    if (counted)
        --m_taken;
    if (!counted) {
        ++m_counters.refused;
        if (error)
            reportStranger(*error);
    } else if (error && known->second.dialing.get() == &channel) {
        known->second.dialing.reset();
        --m_dialing;
        ++m_counters.refused;
        dialFailed(known->second, *error);
    } else if (error) {
        ++m_counters.broken;
        report(known->second, *error);
    }
    if (counted && known->second.outlet.get() == &channel) {
        // In good order it ends only after the peer has everything.
        (error ? m_counters.torn : m_counters.sent) += std::exchange(known->second.writing, 0);
        known->second.outlet.reset();
    }
    if (known != m_peers.end())
        pump(id);
    serveLine();
    m_listener.resume();
    armSweep();
}

// ---- places

bool ConnectionPool::quiet(const Channel& each) const
{
    const auto peer = m_peers.find(each.channel->peer().processor);
    return each.counted && each.channel->open() && !each.channel->busy()
        && peer->second.waiting.empty();
}

bool ConnectionPool::pointless(const Wish& wish) const
{
    if (wish.proven)
        return wish.proven->state() != FrameChannel::State::Waiting;
    const Peer& peer = m_peers.find(wish.peer)->second;
    return peer.waiting.empty() || peer.endpoints.empty() || openChannel(wish.peer) != nullptr;
}

void ConnectionPool::take(Channel& each)
{
    each.counted = true;
    m_counters.mostOpen = std::max(m_counters.mostOpen, ++m_taken);
}

/// Gives places to those in line, the first first, and makes room for the others.
void ConnectionPool::serveLine()
{
    std::size_t wanting = 0;
    for (std::size_t i = 0; i < m_line.size();) {
        const Wish wish = m_line[i];
        const bool drop = pointless(wish);
        const bool reserved = !wish.proven && m_dialing + 1 >= m_options.mostConnections;
        const bool full = m_taken >= m_options.mostConnections;
        if (!drop && (reserved || full)) {
            wanting += reserved ? 0 : 1;
            ++i;
            continue;
        }
        m_line.erase(m_line.begin() + static_cast<std::ptrdiff_t>(i));
        if (!wish.proven)
            m_peers.find(wish.peer)->second.inLine = false;
        if (drop)
            continue;
        if (!wish.proven) {
            dial(wish.peer);
            continue;
        }
        take(m_channels.find(wish.proven.get())->second);
        wish.proven->admit();
    }
    if (wanting > 0)
        evict(wanting);
}

void ConnectionPool::evict(std::size_t count)
{
    std::vector<FrameChannel*> idle;
    std::size_t leaving = 0;
    for (const auto& [address, each] : m_channels) {
        using State = FrameChannel::State;
        const State state = each.channel->state();
        leaving += each.counted && (state == State::Closing || state == State::Draining) ? 1 : 0;
        if (quiet(each))
            idle.push_back(each.channel.get());
    }
    std::sort(idle.begin(), idle.end(), [](const FrameChannel* a, const FrameChannel* b) {
        return a->lastUse() < b->lastUse();
    });
    const std::size_t wanted = count - std::min(count, leaving);
    for (std::size_t i = 0; i < std::min(wanted, idle.size()); ++i) {
        idle[i]->close();
        ++m_counters.evicted;
    }
}

void ConnectionPool::dial(ProcessorId id)
{
    Peer& peer = m_peers.find(id)->second;
    ChannelHost& host = *this;
    auto channel = std::make_shared<FrameChannel>(
        m_context, host, m_options.channel, StreamHandshake::dialer(m_key, m_identity, id), true);
    if (auto begun = channel->connect(peer.endpoints[peer.current]); !begun)
        return dialFailed(peer, begun.error());
    peer.dialing = channel;
    ++m_dialing;
    take(m_channels[channel.get()] = {.channel = channel, .life = m_identity.life});
}

void ConnectionPool::dialFailed(Peer& peer, const Error& error)
{
    // The address may have been replaced meanwhile, by none even.
    peer.current = peer.current + 1 < peer.endpoints.size() ? peer.current + 1 : 0;
    if (++peer.failedRow < peer.endpoints.size())
        return;
    peer.failedRow = 0;
    const auto pause = firstRetry * (1U << std::min(peer.failedRounds++, 10U));
    peer.retryAt = steadyNow() + std::min<milliseconds>(pause, lastRetry);
    report(peer, error);
}

void ConnectionPool::report(Peer& peer, const Error& error)
{
    if (std::exchange(peer.lastProblem, error.message) != error.message && m_callbacks.problem)
        m_callbacks.problem(error);
}

void ConnectionPool::reportStranger(const Error& error)
{
    if (!m_callbacks.problem)
        return;
    if (m_refusals.add(error.message, steadyNow()))
        return m_callbacks.problem(error);
    if (std::exchange(m_refusalsArmed, true))
        return;
    m_refusalsDue.expires_at(*m_refusals.due());
    m_refusalsDue.async_wait([this, alive = std::weak_ptr(m_alive)](const auto& failure) {
        if (!failure && !alive.expired())
            tellRefusals();
    });
}

void ConnectionPool::tellRefusals()
{
    m_refusalsArmed = false;
    if (auto line = m_refusals.takeSummary(steadyNow()))
        m_callbacks.problem({.kind = ErrorKind::Protocol, .message = std::move(*line)});
}

// ---- time

std::size_t ConnectionPool::inLine() const
{
    return m_channels.size() - m_taken - m_unproven.size();
}

void ConnectionPool::sweep()
{
    m_sweepAt = SteadyTime::max();
    const SteadyTime now = steadyNow();
    std::vector<ChannelPtr> all;
    for (const auto& [address, each] : m_channels)
        all.push_back(each.channel);
    for (const ChannelPtr& channel : all)
        channel->checkLimits(now);
    for (auto& [id, peer] : m_peers) {
        for (; !peer.waiting.empty() && now - peer.waiting.front().since > m_options.deliverWithin;
             ++m_counters.tooLate)
            takeWaiting(peer);
        pump(id);
    }
    for (const auto& [address, each] : m_channels)
        if (quiet(each) && now - each.channel->lastUse() > m_options.idleClose) {
            each.channel->close();
            ++m_counters.idled;
        }
    serveLine();
    armSweep();
}

/// Rather late than often: limits are long, and an idle processor is to sleep.
milliseconds ConnectionPool::sweepPeriod() const
{
    constexpr milliseconds shortest{5};
    constexpr milliseconds soon{50};
    constexpr milliseconds longest{1000};
    constexpr int parts = 4;
    milliseconds period = longest;
    const auto within = [&](milliseconds limit) { period = std::min(period, limit / parts); };
    for (const auto& [address, each] : m_channels) {
        within(m_options.idleClose);
        if (each.channel->busy())
            within(m_options.channel.stalled);
        if (!each.channel->open())
            within(std::min({m_options.channel.opening, m_options.channel.proving,
                             m_options.channel.waiting, m_options.channel.closing, soon * parts}));
    }
    if (m_waiting > 0)
        within(std::min(m_options.deliverWithin, soon * parts));
    return std::max(period, shortest);
}

/// Sweeps while there is anything whose time may pass.
void ConnectionPool::armSweep()
{
    const SteadyTime due = steadyNow() + sweepPeriod();
    if ((m_channels.empty() && m_waiting == 0) || due >= m_sweepAt)
        return;
    m_sweepAt = due;
    m_sweep.expires_at(due);
    // A timer that ends without its completion having been queued tells an error.
    m_sweep.async_wait([this, alive = std::weak_ptr(m_alive)](const auto& error) {
        if (!error && !alive.expired() && steadyNow() >= m_sweepAt)
            sweep();
    });
}

} // namespace tasuki::control
