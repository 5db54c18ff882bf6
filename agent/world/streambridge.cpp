// SPDX-License-Identifier: GPL-3.0-or-later
#include "streambridge.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace tasuki::world {

// ---- a copy

StreamCopy::StreamCopy(Log log, StreamHead& head, bool notes)
    : m_stream(&head), m_reader(log, head), m_writer(log, head), m_notes(notes)
{
    m_writer.goToEnd();
}

StreamCopy::Added StreamCopy::add(std::uint64_t position, std::string_view bytes)
{
    if (position > end())
        return Added::Gap;
    const std::uint64_t there = std::min<std::uint64_t>(bytes.size(), end() - position);
    // An unfinished message is not compared: it is not published, and nobody has read it.
    const std::uint64_t published = m_reader.place().position + m_reader.available();
    // Where it stands may be used again by the writer.
    const bool gaveBack = m_stream->needed.load(std::memory_order_relaxed) != 0;
    if ((position < m_reader.place().position || gaveBack) && there != 0)
        m_reader.rewind();
    if (position < published && there != 0) {
        m_reader.read(nullptr, position - m_reader.place().position);
        const std::uint64_t compared = std::min(there, published - position);
        if (!m_reader.isSame(bytes.data(), compared))
            return Added::Differs;
    }
    bytes.remove_prefix(static_cast<std::size_t>(there));
    return append(bytes) ? Added::Yes : Added::Full;
}

/// Readers see whole messages.
bool StreamCopy::append(std::string_view bytes)
{
    const auto put = [this](std::string_view part) {
        return m_writer.append(part.data(), part.size());
    };
    while (!bytes.empty()) {
        std::string_view part = bytes;
        if (!m_notes && m_payload == 0) {
            part = bytes.substr(0, sizeof m_head - m_headBytes);
            std::memcpy(reinterpret_cast<std::byte*>(&m_head) + m_headBytes, part.data(),
                        part.size());
        } else if (!m_notes) {
            part = bytes.substr(
                0, static_cast<std::size_t>(std::min<std::uint64_t>(m_payload, bytes.size())));
        }
        if (!put(part))
            return false;
        bytes.remove_prefix(part.size());
        if (!m_notes && m_payload == 0) {
            m_headBytes += part.size();
            if (m_headBytes < sizeof m_head)
                continue;
            m_headBytes = 0;
            m_payload = m_head.bytes;
        } else if (!m_notes) {
            m_payload -= part.size();
        }
        if (m_payload == 0)
            m_writer.publish();
    }
    return true;
}

// ---- the bridge

StreamBridge::StreamBridge(const Segment& segment, WorldRank me, Ports ports, Limits limits)
    : m_segment(segment), m_me(me), m_ports(std::move(ports)), m_limits(limits)
{}

StreamReader StreamBridge::readerOf(WorldRank to) const
{
    return {m_segment.log(m_me), m_segment.stream(m_me, to)};
}

void StreamBridge::begin(WorldRank other, bool again)
{
    m_outgoing.insert_or_assign(other, Outgoing{.reader = readerOf(other)});
    Incoming incoming{.copy = {m_segment.log(other), m_segment.stream(other, m_me), false}};
    incoming.from = again ? 0 : incoming.copy.end();
    m_incoming.insert_or_assign(other, std::move(incoming));
    m_ports.want(other, m_incoming.at(other).from);
}

void StreamBridge::end(WorldRank other)
{
    m_outgoing.erase(other);
    m_incoming.erase(other);
}

void StreamBridge::keepNotes(bool keeps)
{
    const WorldRank notes = m_segment.layout().ranks;
    ProgramStatus& shown = m_segment.status(m_me);
    m_outgoing.erase(notes);
    if (keeps)
        m_outgoing.emplace(notes, Outgoing{.reader = readerOf(notes), .wanted = true});
    shown.notesLeave.store(keeps ? 1 : 0);
    m_segment.wake(programOf(m_me)); // it may wait for who does not keep them any more
}

bool StreamBridge::poll(SteadyTime now)
{
    bool any = false;
    for (auto& [from, incoming] : m_incoming) {
        if (incoming.answered || now < incoming.nextAsk)
            continue;
        if (incoming.nextAsk != SteadyTime{}) {
            m_ports.want(from, incoming.from);
            any = true;
        }
        incoming.nextAsk = now + m_limits.again;
    }
    return any;
}

void StreamBridge::touch(WorldRank to)
{
    if (const auto found = m_outgoing.find(to); found != m_outgoing.end())
        found->second.pending = true;
}

void StreamBridge::move()
{
    for (auto& [to, outgoing] : m_outgoing) {
        if (outgoing.wanted && outgoing.pending)
            ship(to, outgoing);
    }
}

void StreamBridge::ship(WorldRank to, Outgoing& outgoing)
{
    const std::uint64_t position = outgoing.reader.place().position;
    const std::uint64_t underWay = position - std::min(position, outgoing.taken);
    std::uint64_t room = m_limits.window - std::min(m_limits.window, underWay);
    for (std::uint64_t there = outgoing.reader.available(); there != 0 && room != 0;
         there = outgoing.reader.available()) {
        const std::uint64_t from = outgoing.reader.place().position;
        std::string bytes(static_cast<std::size_t>(std::min({there, room, m_limits.stretch})),
                          '\0');
        outgoing.reader.read(bytes.data(), bytes.size());
        room -= bytes.size();
        m_ports.send(to, from, std::move(bytes));
    }
    outgoing.pending = outgoing.reader.available() != 0;
    if (outgoing.pending || outgoing.told || !m_segment.log(m_me).isClosed()
        || outgoing.reader.available() != 0)
        return;
    outgoing.told = true;
    m_ports.end(to, outgoing.reader.place().position);
}

void StreamBridge::wanted(WorldRank to, std::uint64_t position)
{
    const auto found = m_outgoing.find(to);
    if (found == m_outgoing.end())
        return;
    if (to < m_segment.layout().ranks
        && position < m_segment.stream(m_me, to).needed.load(std::memory_order_acquire))
        return m_ports.differs(to); // it cannot have all of it again
    Outgoing& outgoing = found->second;
    StreamReader reader = readerOf(to);
    // Of a life that has not come as far, it is compared when it does.
    reader.read(nullptr, std::min(position, reader.available()));
    outgoing.reader = reader;
    outgoing.taken = reader.place().position;
    outgoing.wanted = outgoing.pending = true;
    outgoing.told = false;
    m_ports.send(to, reader.place().position, {});
    ship(to, outgoing);
    // Who asks is there: it did not hear this one's question.
    if (const auto incoming = m_incoming.find(to);
        incoming != m_incoming.end() && !incoming->second.answered)
        m_ports.want(to, incoming->second.from);
}

void StreamBridge::taken(WorldRank to, std::uint64_t position)
{
    const auto found = m_outgoing.find(to);
    if (found == m_outgoing.end())
        return;
    found->second.taken = std::max(found->second.taken, position);
    if (to == m_segment.layout().ranks) {
        m_segment.status(m_me).notesKept.store(found->second.taken, std::memory_order_release);
        m_segment.wake(programOf(m_me));
    }
    found->second.pending = true;
    if (found->second.wanted)
        ship(to, found->second);
}

void StreamBridge::deliver(WorldRank from, std::uint64_t position, std::string_view bytes)
{
    const auto found = m_incoming.find(from);
    if (found == m_incoming.end())
        return;
    Incoming& incoming = found->second;
    incoming.answered = true;
    switch (incoming.copy.add(position, bytes)) {
    case StreamCopy::Added::Yes: break;
    case StreamCopy::Added::Gap: return m_ports.want(from, incoming.copy.end());
    case StreamCopy::Added::Differs: return m_ports.differs(from);
    case StreamCopy::Added::Full: return; // as long as its writer's is not, it has room
    }
    if (bytes.empty())
        return;
    m_ports.taken(from, incoming.copy.end());
    m_segment.announce(from, m_me);
}

void StreamBridge::ended(WorldRank from, std::uint64_t position)
{
    const auto found = m_incoming.find(from);
    if (found == m_incoming.end())
        return;
    if (found->second.copy.end() < position)
        return m_ports.want(from, found->second.copy.end());
    m_segment.log(from).close();
    static_cast<void>(m_segment.endKeeping());
    m_segment.announce(from, m_me);
}

} // namespace tasuki::world
