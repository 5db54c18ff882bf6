// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"
#include "domain/result.h"
#include "merge/chunk.h"
#include "merge/mapmerger.h"
#include "messages.h"
#include "transport/transport.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

namespace tasuki::merge {

/// How much of a map is under way at once.
struct Pace {
    std::uint64_t chunkBytes = std::uint64_t{1} << 20U;
    std::size_t chunksUnderWay = 4; ///< to one receiver
};

/// What one rank did in one round.
struct RoundReport {
    std::uint32_t round = 0;
    std::uint64_t sentBytes = 0;
    std::uint64_t receivedBytes = 0;
    std::uint64_t entries = 0; ///< of the map after the round
    std::chrono::nanoseconds duration{};
};

/// One round of one rank: a map goes out in parts as soon as the receiver is ready, and another
/// comes in and is merged.
class Round {
public:
    struct Peers {
        ProcessorId to;
        ProcessorId from;
    };

    /// @param outgoing  what the receiver is sent
    /// @param base      what the sender's map is merged into
    Round(std::uint32_t number, Peers peers, std::shared_ptr<const MergeMap> outgoing,
          std::shared_ptr<const MergeMap> base, const Pace& pace, SteadyTime now);

    [[nodiscard]] std::uint32_t number() const { return m_report.round; }
    [[nodiscard]] const Peers& peers() const { return m_peers; }
    /// The receiver takes parts.
    void receiverReady() { m_receiverReady = true; }
    /// Sends what may be under way. @return whether something was sent
    bool send(Transport& transport, const ViewId& view);
    /// @param part  of the sender
    /// @return an Error of kind Damaged when it is no next part of a map
    Result<void> take(Part part);
    /// Everything is sent and everything has come.
    [[nodiscard]] bool done() const { return m_allSent && m_allTaken; }
    /// Precondition: done(). Ends the round.
    [[nodiscard]] std::shared_ptr<const MergeMap> finish() { return m_merger.finish(); }
    /// So far; the entries are not known before finish().
    [[nodiscard]] RoundReport report(SteadyTime now) const;
    /// Of the outgoing map, 0 to 1.
    [[nodiscard]] double sentShare() const;

private:
    RoundReport m_report;
    Peers m_peers;
    std::shared_ptr<const MergeMap> m_outgoing;
    ChunkWriter m_writer;
    MapMerger m_merger;
    Pace m_pace;
    SteadyTime m_began;
    bool m_receiverReady = false;
    bool m_allSent = false;
    bool m_allTaken = false;
};

} // namespace tasuki::merge
