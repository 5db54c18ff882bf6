// SPDX-License-Identifier: GPL-3.0-or-later
#include "mpireceiver.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace tasuki {

MpiReceiver::MpiReceiver(MPI_Comm communicator, std::size_t peers, const MpiLimits& limits)
    : m_communicator(communicator), m_limits(limits), m_streams(peers)
{}

MpiReceiver::~MpiReceiver()
{
    for (Stream& stream : m_streams) {
        for (std::size_t index = 0; index < stream.started; ++index) {
            // MPI writes into the buffer for as long as it likes: it must outlive everything.
            if (!stream.parts[index]->done)
                static_cast<void>(stream.parts[index].release());
        }
    }
}

bool MpiReceiver::receive(const Transport::Handler& handler)
{
    bool moved = false;
    for (const std::size_t from : m_busy)
        moved = advance(from, handler) || moved;
    std::erase_if(m_busy, [this](std::size_t from) {
        m_streams[from].busy = !m_streams[from].parts.empty();
        return !m_streams[from].busy;
    });

    std::size_t bytes = 0;
    std::size_t count = 0;
    while (count < m_limits.messagesPerPoll && bytes < m_limits.bytesPerPoll) {
        int found = 0;
        MPI_Message matched = MPI_MESSAGE_NULL;
        MPI_Status status{};
        const int probed = MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, m_communicator, &found,
                                       &matched, &status);
        if (probed != MPI_SUCCESS || found == 0)
            break;
        const std::size_t handedBefore = m_handed;
        bytes += take(matched, status, handler);
        count += std::max<std::size_t>(m_handed - handedBefore, 1);
        moved = true;
    }
    return moved;
}

/// Begins to receive a matched part and hands over what that completes.
/// @return its size
std::size_t MpiReceiver::take(MPI_Message matched, const MPI_Status& status,
                              const Transport::Handler& handler)
{
    int count = 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    const auto from = static_cast<std::size_t>(status.MPI_SOURCE);
    Stream& stream = m_streams[from];

    std::unique_ptr<Part> part = m_spare ? std::move(m_spare) : std::make_unique<Part>();
    part->kind = static_cast<PartKind>(status.MPI_TAG);
    part->bytes = static_cast<std::size_t>(count);
    part->matched = matched;
    part->dropped = stream.forgotten;
    stream.parts.push_back(std::move(part));
    advance(from, handler);
    if (!stream.busy && !stream.parts.empty()) {
        stream.busy = true;
        m_busy.push_back(from);
    }
    return static_cast<std::size_t>(count);
}

/// Hands over what is complete at the front of a peer's stream.
bool MpiReceiver::advance(std::size_t from, const Transport::Handler& handler)
{
    Stream& stream = m_streams[from];
    bool moved = false;
    startParts(stream);
    while (stream.started > 0 && completed(*stream.parts.front())) {
        if (stream.announcement == stream.parts.front().get())
            adopt(stream);
        std::unique_ptr<Part> part = std::move(stream.parts.front());
        stream.parts.pop_front();
        --stream.started;
        startParts(stream);
        finish(from, *part, handler);
        *part = Part{};
        m_spare = std::move(part);
        moved = true;
    }
    return moved;
}

/// Gives every part a buffer that can have one: fragments behind an announcement whose value is
/// not known yet must wait for it.
void MpiReceiver::startParts(Stream& stream)
{
    while (stream.started < stream.parts.size()) {
        if (stream.announcement != nullptr) {
            if (!completed(*stream.announcement))
                return;
            adopt(stream);
        }
        start(*stream.parts[stream.started], stream);
        ++stream.started;
    }
}

void MpiReceiver::start(Part& part, Stream& stream)
{
    if (part.kind == PartKind::Announcement) {
        // A message whose sender gave it up half way is followed by another beginning.
        stream.assembly.reset();
        stream.announcement = &part;
        assert(part.bytes == sizeof(part.announced));
        receiveInto(part, &part.announced);
        return;
    }
    if (part.kind != PartKind::Fragment)
        stream.assembly.reset();
    Assembly* assembly = stream.assembly.get();
    if (part.kind == PartKind::Fragment && assembly != nullptr
        && part.bytes <= assembly->data.size() - assembly->claimed) {
        part.assembly = stream.assembly;
        void* place = assembly->data.data() + assembly->claimed;
        assembly->claimed += part.bytes;
        part.last = assembly->claimed == assembly->data.size();
        if (part.last)
            stream.assembly.reset();
        receiveInto(part, place);
        return;
    }
    // A fragment without its beginning, which came while the peer was forgotten.
    part.dropped = part.dropped || part.kind == PartKind::Fragment;
    part.data.resize(part.bytes);
    receiveInto(part, part.data.data());
}

void MpiReceiver::receiveInto(Part& part, void* buffer)
{
    const int result = MPI_Imrecv(buffer, static_cast<int>(part.bytes), MPI_BYTE, &part.matched,
                                  &part.request);
    part.failed = result != MPI_SUCCESS;
    part.done = part.failed;
}

/// Makes room for an announced message.
void MpiReceiver::adopt(Stream& stream)
{
    const Part& announcement = *std::exchange(stream.announcement, nullptr);
    if (announcement.dropped || announcement.failed)
        return;
    stream.assembly = std::make_shared<Assembly>();
    stream.assembly->data.resize(announcement.announced);
}

bool MpiReceiver::completed(Part& part)
{
    if (part.done)
        return true;
    int done = 0;
    part.failed = MPI_Test(&part.request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS;
    part.done = done != 0 || part.failed;
    return part.done;
}

void MpiReceiver::finish(std::size_t from, Part& part, const Transport::Handler& handler)
{
    Stream& stream = m_streams[from];
    stream.broken = stream.broken || part.failed;
    if (part.dropped || stream.broken || !handler)
        return;
    const ProcessorId rank(static_cast<std::uint32_t>(from));
    if (part.kind == PartKind::Batch) {
        unpack(from, part.data, handler);
    } else if (part.kind == PartKind::Whole) {
        ++m_handed;
        handler(rank, std::move(part.data));
    } else if (part.kind == PartKind::Fragment && part.last) {
        ++m_handed;
        handler(rank, std::move(part.assembly->data));
    }
}

void MpiReceiver::unpack(std::size_t from, const Message& batch, const Transport::Handler& handler)
{
    // The handler may forget the sender in the middle: the rest is dropped then.
    const Stream& stream = m_streams[from];
    const std::size_t timesForgotten = stream.timesForgotten;
    BatchedLength length = 0;
    for (std::size_t place = 0; place < batch.size() && stream.timesForgotten == timesForgotten;
         place += length) {
        assert(batch.size() - place >= sizeof(length));
        std::memcpy(&length, batch.data() + place, sizeof(length));
        place += sizeof(length);
        assert(batch.size() - place >= length);
        ++m_handed;
        handler(ProcessorId(static_cast<std::uint32_t>(from)), batch.substr(place, length));
    }
}

void MpiReceiver::forget(std::size_t peer)
{
    Stream& stream = m_streams[peer];
    stream.forgotten = true;
    ++stream.timesForgotten;
    stream.assembly.reset();
    for (const auto& part : stream.parts)
        part->dropped = true;
}

void MpiReceiver::remember(std::size_t peer)
{
    m_streams[peer].forgotten = false;
    m_streams[peer].broken = false;
}

} // namespace tasuki
