// SPDX-License-Identifier: GPL-3.0-or-later
#include "messagematcher.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace tasuki::trace {

namespace {

constexpr std::size_t fewestQueues = 64;

std::uint64_t spread(std::uint64_t bits)
{
    bits = (bits ^ (bits >> 32U)) * 0xd6e8feb86659fd93U;
    bits = (bits ^ (bits >> 32U)) * 0xd6e8feb86659fd93U;
    return bits ^ (bits >> 32U);
}

std::size_t hashOf(const MessageMatcher::Key& key)
{
    const std::uint64_t ends = (std::uint64_t{key.from} << 32U) | key.to;
    const std::uint64_t kind = (std::uint64_t{key.communicator} << 32U)
        | static_cast<std::uint32_t>(key.tag);
    return spread(ends + spread(kind));
}

} // namespace

MessageMatcher::MessageMatcher() : m_queues(fewestQueues) {}

MessageMatcher::Queue& MessageMatcher::queueOf(const Key& key)
{
    if (m_used * 4 >= m_queues.size() * 3)
        rebuild();
    const std::size_t mask = m_queues.size() - 1;
    std::size_t at = hashOf(key) & mask;
    while (m_queues[at].used && !(m_queues[at].key == key))
        at = (at + 1) & mask;
    Queue& queue = m_queues[at];
    if (!queue.used) {
        queue.used = true;
        queue.key = key;
        ++m_used;
    }
    return queue;
}

void MessageMatcher::rebuild()
{
    std::vector<Queue> old = std::move(m_queues);
    const auto isLive = [](const Queue& queue) { return queue.first != noNode; };
    const auto live = static_cast<std::size_t>(std::ranges::count_if(old, isLive));
    m_queues = std::vector<Queue>(std::max(fewestQueues, std::bit_ceil(live * 4)));
    m_used = 0;
    for (const Queue& queue : old) {
        if (isLive(queue))
            queueOf(queue.key) = queue;
    }
}

std::uint32_t MessageMatcher::newNode(const Waiter& waiter)
{
    const Node node{.waiter = waiter, .next = noNode};
    if (m_free == noNode) {
        m_nodes.push_back(node);
        return static_cast<std::uint32_t>(m_nodes.size() - 1);
    }
    const std::uint32_t taken = std::exchange(m_free, m_nodes[m_free].next);
    m_nodes[taken] = node;
    return taken;
}

std::optional<MessageMatcher::Waiter> MessageMatcher::meet(const Key& key, End end,
                                                           const Waiter& self)
{
    Queue& queue = queueOf(key);
    if (queue.first != noNode && queue.end != end) {
        const std::uint32_t met = std::exchange(queue.first, m_nodes[queue.first].next);
        m_nodes[met].next = std::exchange(m_free, met);
        return m_nodes[met].waiter;
    }
    const std::uint32_t node = newNode(self);
    if (queue.first == noNode)
        queue.first = node;
    else
        m_nodes[queue.last].next = node;
    queue.last = node;
    queue.end = end;
    return std::nullopt;
}

std::vector<MessageMatcher::Waiter> MessageMatcher::waiting() const
{
    std::vector<Waiter> all;
    for (const Queue& queue : m_queues) {
        for (std::uint32_t node = queue.first; node != noNode; node = m_nodes[node].next)
            all.push_back(m_nodes[node].waiter);
    }
    std::ranges::sort(all, {}, &Waiter::line);
    return all;
}

} // namespace tasuki::trace
