// SPDX-License-Identifier: GPL-3.0-or-later
#include "mpisender.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <functional>
#include <utility>

namespace tasuki {

MpiSender::MpiSender(MPI_Comm communicator, std::size_t peers, const MpiLimits& limits)
    : m_communicator(communicator), m_limits(limits), m_peers(peers)
{
    assert(limits.sendsPerPeer > 0 && limits.partBytes > 0);
}

MpiSender::~MpiSender()
{
    for (std::size_t index = 0; index < m_flights.size(); ++index) {
        MPI_Request_free(&m_requests[index]);
        // MPI reads the buffer for as long as it likes: the owner must outlive everything.
        static_cast<void>(new std::shared_ptr<Letter>(std::move(m_flights[index].letter)));
    }
}

void MpiSender::send(std::size_t to, Message message)
{
    Peer& peer = m_peers[to];
    if (peer.forgotten)
        return;
    peer.queue.push_back(std::move(message));
    ++peer.pending;
    ++m_pending;
    m_moved = pump(to) || m_moved;
}

/// Hands to MPI what the window of a peer allows.
bool MpiSender::pump(std::size_t to)
{
    Peer& peer = m_peers[to];
    bool moved = false;
    for (std::size_t count = 0; count < m_limits.sendsPerPoll; ++count) {
        if (peer.broken || peer.inFlight >= m_limits.sendsPerPeer)
            break;
        if (!peer.current) {
            if (peer.queue.empty())
                break;
            peer.current = nextLetter(peer);
        }
        postPart(to);
        moved = true;
    }
    return moved;
}

bool MpiSender::fitsBatch(const Message& message, std::size_t batchSize) const
{
    const std::size_t room = std::min(m_limits.batchBytes, m_limits.partBytes);
    return message.size() <= m_limits.batchedBytes
        && batchSize + sizeof(BatchedLength) + message.size() <= room;
}

/// Takes the front of the queue, together with what follows if that is short.
std::shared_ptr<MpiSender::Letter> MpiSender::nextLetter(Peer& peer) const
{
    auto letter = std::make_shared<Letter>();
    Message& data = letter->data;
    if (peer.queue.size() > 1 && fitsBatch(peer.queue[0], 0) && fitsBatch(peer.queue[1], 0)) {
        letter->messages = 0;
        letter->isBatch = true;
        while (!peer.queue.empty() && letter->messages < m_limits.batchMessages
               && fitsBatch(peer.queue.front(), data.size())) {
            const Message& message = peer.queue.front();
            const auto length = static_cast<BatchedLength>(message.size());
            std::array<char, sizeof(length)> bytes{};
            std::memcpy(bytes.data(), &length, sizeof(length));
            data.append(bytes.data(), bytes.size()).append(message);
            peer.queue.pop_front();
            ++letter->messages;
        }
    } else {
        data = std::move(peer.queue.front());
        peer.queue.pop_front();
    }
    letter->length = data.size();
    return letter;
}

/// Posts the next part of the peer's current letter.
void MpiSender::postPart(std::size_t to)
{
    Peer& peer = m_peers[to];
    const std::shared_ptr<Letter> letter = peer.current;
    const std::size_t size = letter->data.size();
    PartKind kind = PartKind::Fragment;
    const void* data = letter->data.data() + letter->posted;
    std::size_t bytes = std::min(size - letter->posted, m_limits.partBytes);
    if (size <= m_limits.partBytes) {
        kind = letter->isBatch ? PartKind::Batch : PartKind::Whole;
    } else if (!letter->announced) {
        kind = PartKind::Announcement;
        data = &letter->length;
        bytes = sizeof(letter->length);
    }
    if (kind == PartKind::Announcement)
        letter->announced = true;
    else
        letter->posted += bytes;
    letter->allPosted = letter->posted == size;
    if (letter->allPosted)
        peer.current.reset();
    post(to, letter, data, bytes, kind);
}

void MpiSender::post(std::size_t to, const std::shared_ptr<Letter>& letter, const void* data,
                     std::size_t bytes, PartKind kind)
{
    ++letter->inFlight;
    ++m_peers[to].inFlight;
    MPI_Request request = MPI_REQUEST_NULL;
    const int posted = MPI_Isend(data, static_cast<int>(bytes), MPI_BYTE, static_cast<int>(to),
                                 static_cast<int>(kind), m_communicator, &request);
    if (posted != MPI_SUCCESS) {
        land(*letter, to, true);
        return;
    }
    // Small messages have left by now, and testing is the progress that MPI wants between sends.
    int done = 0;
    const int tested = MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (tested != MPI_SUCCESS || done != 0) {
        land(*letter, to, tested != MPI_SUCCESS);
        return;
    }
    m_requests.push_back(request);
    m_flights.push_back({letter, to});
}

/// Takes the end of one send down.
void MpiSender::land(Letter& letter, std::size_t to, bool failed)
{
    Peer& peer = m_peers[to];
    --letter.inFlight;
    --peer.inFlight;
    if (letter.dropped)
        return;
    if (failed) {
        // A hole in the order would break the promise to the receiver. What is pending stays
        // pending, as with a peer whose death nobody reports.
        peer.broken = true;
        return;
    }
    if (letter.allPosted && letter.inFlight == 0 && !peer.broken) {
        peer.pending -= letter.messages;
        m_pending -= letter.messages;
    }
}

bool MpiSender::progress()
{
    bool moved = std::exchange(m_moved, false);
    if (!m_requests.empty()) {
        m_landed.resize(m_requests.size());
        m_statuses.resize(m_requests.size());
        int count = 0;
        const int result = MPI_Testsome(static_cast<int>(m_requests.size()), m_requests.data(),
                                        &count, m_landed.data(), m_statuses.data());
        const auto landed = count == MPI_UNDEFINED ? 0 : static_cast<std::ptrdiff_t>(count);
        moved = landed > 0;
        for (std::ptrdiff_t place = 0; place < landed; ++place) {
            const auto index = static_cast<std::size_t>(m_landed[static_cast<std::size_t>(place)]);
            const bool failed = result == MPI_ERR_IN_STATUS
                && m_statuses[static_cast<std::size_t>(place)].MPI_ERROR != MPI_SUCCESS;
            land(*m_flights[index].letter, m_flights[index].to, failed);
        }
        // From the back, so that the last one, which fills a gap, has not been taken out itself.
        std::sort(m_landed.begin(), m_landed.begin() + landed, std::greater<>());
        for (std::ptrdiff_t place = 0; place < landed; ++place) {
            const auto index = static_cast<std::size_t>(m_landed[static_cast<std::size_t>(place)]);
            m_requests[index] = m_requests.back();
            m_requests.pop_back();
            m_flights[index] = std::move(m_flights.back());
            m_flights.pop_back();
        }
    }
    if (m_pending == 0)
        return moved;
    for (std::size_t to = 0; to < m_peers.size(); ++to) {
        if (m_peers[to].pending > 0)
            moved = pump(to) || moved;
    }
    return moved;
}

void MpiSender::forget(std::size_t to)
{
    Peer& peer = m_peers[to];
    peer.forgotten = true;
    peer.queue.clear();
    peer.current.reset();
    for (Flight& flight : m_flights) {
        if (flight.to == to)
            flight.letter->dropped = true;
    }
    m_pending -= peer.pending;
    peer.pending = 0;
}

void MpiSender::remember(std::size_t peer)
{
    m_peers[peer].forgotten = false;
    m_peers[peer].broken = false;
}

} // namespace tasuki
