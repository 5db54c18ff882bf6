// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mpilimits.h"
#include "mpiwire.h"
#include "transport/transport.h"

#include <deque>
#include <memory>
#include <vector>

namespace tasuki {

/// Incoming half of the MPI transport. What has been matched is received without waiting, so that
/// a peer that stops in the middle of a large message holds up only its own messages.
class MpiReceiver {
public:
    MpiReceiver(MPI_Comm communicator, std::size_t peers, const MpiLimits& limits);
    MpiReceiver(const MpiReceiver&) = delete;
    MpiReceiver& operator=(const MpiReceiver&) = delete;
    /// Gives the buffers of unfinished receives up to MPI: never freed.
    ~MpiReceiver();

    /// Receives as much as the limits allow and hands over what is complete, in order per peer.
    /// @param handler  may be empty; may call forget() and remember()
    /// @return whether something arrived
    bool receive(const Transport::Handler& handler);
    void forget(std::size_t peer);
    void remember(std::size_t peer);

private:
    /// A message that arrives in fragments, all of them into one buffer.
    struct Assembly {
        Message data;
        std::size_t claimed = 0; ///< bytes that have a fragment
    };
    struct Part {
        PartKind kind = PartKind::Whole;
        std::size_t bytes = 0;
        MPI_Message matched = MPI_MESSAGE_NULL;
        MPI_Request request = MPI_REQUEST_NULL;
        bool done = false;
        bool dropped = false;
        bool failed = false;
        Message data; ///< of a whole message, or of what is dropped
        AnnouncedLength announced = 0;
        std::shared_ptr<Assembly> assembly; ///< where a fragment goes
        bool last = false;                  ///< the fragment that completes the assembly
    };
    /// The parts of one peer that are matched and not handed over, in their order.
    struct Stream {
        std::deque<std::unique_ptr<Part>> parts;
        std::size_t started = 0;            ///< how many of the parts MPI is receiving
        Part* announcement = nullptr;       ///< started, its value not used yet
        std::shared_ptr<Assembly> assembly; ///< takes the next fragment
        bool forgotten = false;
        std::size_t timesForgotten = 0;
        bool broken = false; ///< MPI failed to receive a part: what follows would leave a hole
        bool busy = false;   ///< stands in m_busy
    };

    std::size_t take(MPI_Message matched, const MPI_Status& status,
                     const Transport::Handler& handler);
    bool advance(std::size_t from, const Transport::Handler& handler);
    void startParts(Stream& stream);
    void start(Part& part, Stream& stream);
    void receiveInto(Part& part, void* buffer);
    void adopt(Stream& stream);
    bool completed(Part& part);
    void finish(std::size_t from, Part& part, const Transport::Handler& handler);
    void unpack(std::size_t from, const Message& batch, const Transport::Handler& handler);

    MPI_Comm m_communicator;
    MpiLimits m_limits;
    std::vector<Stream> m_streams;
    std::vector<std::size_t> m_busy; ///< peers whose stream may not be empty
    std::size_t m_handed = 0;        ///< messages handed over, since ever
    std::unique_ptr<Part> m_spare;   ///< saves an allocation for each small message
};

} // namespace tasuki
