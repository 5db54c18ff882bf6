// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge.h"

#include <algorithm>
#include <utility>

namespace tasuki::world {

namespace {

constexpr std::size_t lengthBytes = 4;
constexpr unsigned bitsAByte = 8;

void putLength(std::string& out, std::size_t length)
{
    for (unsigned i = 0; i < lengthBytes; ++i)
        out += static_cast<char>((length >> (bitsAByte * i)) & 0xFFU);
}

std::size_t lengthAt(const std::string& records, std::size_t at)
{
    std::size_t length = 0;
    for (unsigned i = 0; i < lengthBytes; ++i)
        length |= std::size_t{static_cast<unsigned char>(records[at + i])} << (bitsAByte * i);
    return length;
}

/// Whether these are whole records, none of them longer than a ring takes.
bool areSound(const std::string& records, std::size_t longest)
{
    std::size_t at = 0;
    while (records.size() - at >= lengthBytes) {
        const std::size_t length = lengthAt(records, at);
        at += lengthBytes;
        if (length > longest || length > records.size() - at)
            return false;
        at += length;
    }
    return at == records.size();
}

} // namespace

Bridge::Bridge(const Segment& segment, WorldRank me, Ports ports, Limits limits)
    : m_segment(segment), m_me(me), m_ports(std::move(ports)), m_limits(limits)
{}

void Bridge::move()
{
    for (auto one = m_outgoing.begin(); one != m_outgoing.end();) {
        while (collect(one->first, one->second)) {}
        const bool idle = one->second == 0 && m_segment.ring(m_me, one->first).isEmpty();
        one = idle ? m_outgoing.erase(one) : std::next(one);
    }
    for (auto one = m_incoming.begin(); one != m_incoming.end();)
        one = write(one->first, one->second) ? m_incoming.erase(one) : std::next(one);
}

/// @return whether there was something, and there may be more
bool Bridge::collect(WorldRank to, std::uint64_t& underWay)
{
    Ring ring = m_segment.ring(m_me, to);
    std::string records;
    while (underWay + records.size() < m_limits.window && records.size() < m_limits.stretch
           && !ring.isEmpty()) {
        const RingPieces record = ring.front();
        const std::size_t length = record.firstBytes + record.secondBytes;
        putLength(records, length);
        const std::size_t at = records.size();
        records.resize(at + length);
        copyOutOf(record, 0, records.data() + at, length);
        ring.pop();
    }
    if (ring.takeWriterWaits())
        m_segment.wakeWriter(m_me, to);
    if (records.empty())
        return false;
    underWay += records.size();
    m_ports.send(to, std::move(records));
    return true;
}

Result<void> Bridge::deliver(WorldRank from, std::string records)
{
    if (from >= m_segment.layout().ranks || !m_segment.isRemote(from)
        || !areSound(records, m_segment.ring(from, m_me).longest()))
        return Error{.kind = ErrorKind::Protocol, .message = "records of a world are cut off"};
    Incoming& incoming = m_incoming[from];
    incoming.stretches.push_back(std::move(records));
    if (write(from, incoming))
        m_incoming.erase(from);
    return {};
}

/// @return whether all is in the ring
bool Bridge::write(WorldRank from, Incoming& incoming)
{
    Ring ring = m_segment.ring(from, m_me);
    bool any = false;
    while (!incoming.stretches.empty()) {
        const std::string& records = incoming.stretches.front();
        while (incoming.at < records.size()) {
            const std::size_t length = lengthAt(records, incoming.at);
            const RingPieces place = ring.reserve(length);
            if (place.first == nullptr) {
                if (any)
                    m_segment.announce(from, m_me);
                return false;
            }
            copyInto(place, 0, records.data() + incoming.at + lengthBytes, length);
            ring.publish(length);
            incoming.at += lengthBytes + length;
            any = true;
        }
        m_ports.taken(from, records.size());
        incoming.stretches.pop_front();
        incoming.at = 0;
    }
    if (any)
        m_segment.announce(from, m_me);
    return true;
}

void Bridge::dropIncoming()
{
    for (const auto& [from, incoming] : std::exchange(m_incoming, {})) {
        for (const std::string& records : incoming.stretches)
            m_ports.taken(from, records.size());
    }
}

void Bridge::taken(WorldRank to, std::uint64_t bytes)
{
    const auto found = m_outgoing.find(to);
    if (found != m_outgoing.end())
        found->second -= std::min(bytes, found->second);
    move();
}

} // namespace tasuki::world
