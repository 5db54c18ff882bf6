// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mpilimits.h"
#include "mpiwire.h"
#include "transport/transport.h"

#include <deque>
#include <memory>
#include <vector>

namespace tasuki {

/// Outgoing half of the MPI transport: a queue per peer in this process and, in front of it, the
/// few sends that MPI holds.
///
/// A send to a dead peer never completes and cannot be cancelled, and MPI may read its buffer as
/// long as the process lives. So forgetting a peer keeps what MPI holds, at most
/// MpiLimits::sendsPerPeer parts, for ever or until the peer, which was only slow, takes it.
class MpiSender {
public:
    MpiSender(MPI_Comm communicator, std::size_t peers, const MpiLimits& limits);
    MpiSender(const MpiSender&) = delete;
    MpiSender& operator=(const MpiSender&) = delete;
    /// Gives what MPI still holds up to MPI: neither completed nor freed.
    ~MpiSender();

    void send(std::size_t to, Message message);
    /// @return whether something completed or was handed to MPI since this was last asked
    bool progress();
    [[nodiscard]] std::size_t pending(std::size_t to) const { return m_peers[to].pending; }
    [[nodiscard]] std::size_t pending() const { return m_pending; }
    void forget(std::size_t peer);
    void remember(std::size_t peer);

private:
    /// What MPI gets at once or has got a part of: a message, or a batch of short ones.
    struct Letter {
        Message data;
        std::size_t messages = 1;
        AnnouncedLength length = 0;
        std::size_t posted = 0;   ///< bytes that MPI has got
        std::size_t inFlight = 0; ///< sends that have not completed
        bool isBatch = false;
        bool announced = false;
        bool allPosted = false;
        bool dropped = false;
    };
    /// A send that MPI has not completed; its request stands at the same place in m_requests.
    struct Flight {
        std::shared_ptr<Letter> letter;
        std::size_t to = 0;
    };
    struct Peer {
        std::deque<Message> queue;
        std::shared_ptr<Letter> current; ///< not all of it is posted; before the queue
        std::size_t inFlight = 0;        ///< those of dropped letters included
        std::size_t pending = 0;         ///< messages that have not left
        bool forgotten = false;
        bool broken = false; ///< MPI failed to send: nothing more leaves
    };

    bool pump(std::size_t to);
    std::shared_ptr<Letter> nextLetter(Peer& peer) const;
    bool fitsBatch(const Message& message, std::size_t batchSize) const;
    void postPart(std::size_t to);
    void post(std::size_t to, const std::shared_ptr<Letter>& letter, const void* data,
              std::size_t bytes, PartKind kind);
    void land(Letter& letter, std::size_t to, bool failed);

    MPI_Comm m_communicator;
    MpiLimits m_limits;
    std::vector<Peer> m_peers;
    std::vector<MPI_Request> m_requests;
    std::vector<Flight> m_flights;
    std::vector<int> m_landed;          ///< scratch of progress()
    std::vector<MPI_Status> m_statuses; ///< scratch of progress()
    std::size_t m_pending = 0;
    bool m_moved = false; ///< by send(), which may complete at once
};

} // namespace tasuki
