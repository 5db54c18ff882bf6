// SPDX-License-Identifier: GPL-3.0-or-later
#include "streambridge.h"

#include <algorithm>
#include <cstring>
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
    const std::uint64_t published = m_stream->written.load(std::memory_order_relaxed);
    if (position < published
        && !isSame(
            position,
            bytes.substr(0, static_cast<std::size_t>(std::min(there, published - position)))))
        return Added::Differs;
    bytes.remove_prefix(static_cast<std::size_t>(there));
    return append(bytes) ? Added::Yes : Added::Full;
}

/// As far as they are here.
bool StreamCopy::isSame(std::uint64_t position, std::string_view bytes)
{
    while (!bytes.empty()) {
        const std::optional<Gap> gap = gapBehind(*m_stream, position);
        const bool isInside = gap && gap->from <= position;
        const std::uint64_t until = isInside ? gap->to : gap ? gap->from : position + bytes.size();
        const auto part = static_cast<std::size_t>(
            std::min<std::uint64_t>(bytes.size(), until - position));
        if (!isInside) {
            if (m_reader.place().position != position)
                m_reader.seek(position);
            if (!m_reader.isSame(bytes.data(), part))
                return false;
        }
        position += part;
        bytes.remove_prefix(part);
    }
    return true;
}

bool StreamCopy::skipTo(std::uint64_t position)
{
    if (position <= end())
        return true;
    m_headBytes = 0;
    m_payload = 0;
    return m_writer.skipTo(position);
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
    m_segment.stream(m_me, other).carried.store(0);
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
    ProgramStatus& shown = m_segment.status(m_me);
    const WorldRank ranks = m_segment.layout().ranks;
    for (WorldRank notes = ranks; notes <= ranks + Segment::outputs; ++notes) {
        m_outgoing.erase(notes);
        if (keeps)
            m_outgoing.emplace(notes, Outgoing{.reader = readerOf(notes), .wanted = true});
    }
    shown.notesKept.store(0);
    shown.notesLeave.store(keeps ? 1 : 0);
    answerOutput();
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
    if (isNotes(to))
        tellReleased();
    for (auto& [other, outgoing] : m_outgoing) {
        if (other == to || (isNotes(other) && isNotes(to)))
            outgoing.pending = true;
    }
}

/// Who has sent what is not needed any more may use its memory again.
void StreamBridge::tellReleased()
{
    for (auto& [from, incoming] : m_incoming) {
        const std::uint64_t needed = m_segment.stream(from, m_me).needed.load();
        if (std::exchange(incoming.released, needed) != needed)
            m_ports.taken(from, incoming.copy.end());
    }
}

void StreamBridge::move()
{
    for (auto& [to, outgoing] : m_outgoing) {
        if (outgoing.wanted && outgoing.pending)
            ship(to, outgoing);
    }
    answerOutput();
}

/// What was printed is where a life would begin that needs it.
void StreamBridge::answerOutput()
{
    ProgramStatus& shown = m_segment.status(m_me);
    const std::uint32_t logged = shown.outputLogged.load();
    if (logged == shown.outputAnswered.load())
        return;
    for (std::size_t which = 0; which < Segment::outputs; ++which) {
        const auto found = m_outgoing.find(m_segment.layout().ranks + 1
                                           + static_cast<WorldRank>(which));
        if (found != m_outgoing.end()
            && found->second.taken < m_segment.output(m_me, which).written.load())
            return;
    }
    shown.outputAnswered.store(logged);
    m_segment.wake(programOf(m_me));
}

/// @return whether anything was sent
bool StreamBridge::shipNext(WorldRank to, Outgoing& outgoing, std::uint64_t& room)
{
    const std::uint64_t there = outgoing.reader.available();
    if (there == 0 || room == 0)
        return false;
    const std::uint64_t from = outgoing.reader.place().position;
    const std::optional<Gap> gap = gapBehind(m_segment.stream(m_me, to), from);
    if (gap && gap->from <= from) {
        outgoing.reader.seek(gap->to);
        m_ports.send(to, gap->to, {}, true);
        return true;
    }
    const std::uint64_t untilGap = gap ? gap->from - from : there;
    std::string bytes(static_cast<std::size_t>(std::min({there, room, m_limits.stretch, untilGap})),
                      '\0');
    outgoing.reader.read(bytes.data(), bytes.size());
    room -= bytes.size();
    m_ports.send(to, from, std::move(bytes), false);
    return true;
}

void StreamBridge::ship(WorldRank to, Outgoing& outgoing)
{
    const std::uint64_t position = outgoing.reader.place().position;
    const std::uint64_t underWay = position - std::min(position, outgoing.taken);
    std::uint64_t room = m_limits.window - std::min(m_limits.window, underWay);
    while (shipNext(to, outgoing, room)) {}
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
    Outgoing& outgoing = found->second;
    StreamReader reader = readerOf(to);
    // Of a life that has not come as far, it is compared when it does.
    reader.seek(std::min(position, reader.available()));
    outgoing.reader = reader;
    outgoing.taken = reader.place().position;
    showTaken(to, outgoing);
    outgoing.wanted = outgoing.pending = true;
    outgoing.told = false;
    m_ports.send(to, reader.place().position, {}, false);
    ship(to, outgoing);
    // Who asks is there: it did not hear this one's question.
    if (const auto incoming = m_incoming.find(to);
        incoming != m_incoming.end() && !incoming->second.answered)
        m_ports.want(to, incoming->second.from);
}

void StreamBridge::taken(WorldRank to, std::uint64_t position, const Gap& released)
{
    const auto found = m_outgoing.find(to);
    if (found == m_outgoing.end())
        return;
    Outgoing& outgoing = found->second;
    outgoing.taken = std::max(outgoing.taken, position);
    StreamHead& head = m_segment.stream(m_me, to);
    // A life that has begun on another host may not have come as far.
    if (released.to != 0 && released.to <= head.written.load(std::memory_order_relaxed))
        release(head, released.from, released.to);
    showTaken(to, outgoing);
    m_segment.wake(programOf(m_me));
    answerOutput();
    outgoing.pending = true;
    if (outgoing.wanted)
        ship(to, outgoing);
}

void StreamBridge::showTaken(WorldRank to, const Outgoing& outgoing)
{
    std::atomic<std::uint64_t>& shown = to == m_segment.layout().ranks
        ? m_segment.status(m_me).notesKept
        : m_segment.stream(m_me, to).carried;
    shown.store(outgoing.taken, std::memory_order_release);
}

void StreamBridge::deliver(WorldRank from, std::uint64_t position, std::string_view bytes,
                           bool skips)
{
    const auto found = m_incoming.find(from);
    if (found == m_incoming.end())
        return;
    Incoming& incoming = found->second;
    incoming.answered = true;
    if (skips && !incoming.copy.skipTo(position))
        return; // as long as its writer's is not full, it has room
    switch (incoming.copy.add(position, bytes)) {
    case StreamCopy::Added::Yes: break;
    case StreamCopy::Added::Gap: return m_ports.want(from, incoming.copy.end());
    case StreamCopy::Added::Differs: return m_ports.differs(from);
    case StreamCopy::Added::Full: return; // the same
    }
    if (bytes.empty() && !skips)
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
