// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "message.h"
#include "segment.h"
#include "stream.h"

#include "domain/clock.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace tasuki::world {

/// The copy here of a stream that is written on another host: its readers see whole messages only.
class StreamCopy {
public:
    /// @param log   of the writer, here
    /// @param notes  it has no messages, and each byte counts
    StreamCopy(Log log, StreamHead& head, bool notes);

    enum class Added : std::uint8_t {
        Yes,
        Gap,     ///< something is missing before it: ask for what stands at end()
        Differs, ///< something else was there
        Full,
    };
    /// Adds what is not there yet; what is there is compared.
    Added add(std::uint64_t position, std::string_view bytes);
    /// What stands before a position, and is not here, is not to be had any more. @return false: there is no room
    bool skipTo(std::uint64_t position);
    /// So much is there, the begin of an unfinished message too.
    [[nodiscard]] std::uint64_t end() const { return m_writer.end(); }

private:
    [[nodiscard]] bool isSame(std::uint64_t position, std::string_view bytes);
    bool append(std::string_view bytes);

    const StreamHead* m_stream;
    StreamReader m_reader; ///< of what is compared
    StreamWriter m_writer;
    bool m_notes;
    MessageHead m_head;          ///< of the message that is being added, as far as it has come
    std::size_t m_headBytes = 0; ///< of that
    std::uint64_t m_payload = 0; ///< bytes that the message still lacks
};

/// The agent's end of the streams of a rank to and from ranks of other hosts, and of its notes,
/// which a processor of another host keeps: its determinants, and what it has printed. Sends what
/// is new here, adds what comes from there. A rank that begins, or begins anew, asks for what it
/// does not have, again and again until it is answered. Logic on one thread.
class StreamBridge {
public:
    struct Ports {
        /// What stands in a stream of this rank from a place on; empty: nothing does yet.
        /// @param to  behind the ranks: notes, by number
        /// @param skips  what stands before it and was not sent is not to be had
        std::function<void(WorldRank to, std::uint64_t position, std::string bytes, bool skips)>
            send;
        /// All of a stream to this rank is here up to there.
        std::function<void(WorldRank from, std::uint64_t position)> taken;
        /// A stream to this rank is wanted from there on.
        std::function<void(WorldRank from, std::uint64_t position)> want;
        /// All of a stream of this rank is sent, and nothing more will stand in it.
        std::function<void(WorldRank to, std::uint64_t position)> end;
        /// A life of another rank sends something else than the one before.
        std::function<void(WorldRank from)> differs;
    };
    struct Limits {
        std::uint64_t window = 4U << 20U;   ///< under way to one rank, about
        std::uint64_t stretch = 256 * 1024; ///< of one call of send
        std::chrono::milliseconds again{200};
    };

    /// @param segment  outlives this object; has logs
    StreamBridge(const Segment& segment, WorldRank me, Ports ports, Limits limits);
    StreamBridge(const Segment& segment, WorldRank me, Ports ports)
        : StreamBridge(segment, me, std::move(ports), Limits{})
    {}

    /// A rank is on another host from now on, or another processor holds it there.
    /// @param again  its life is not the first: all that it sends once more is compared
    void begin(WorldRank other, bool again);
    /// A rank is on this host from now on.
    void end(WorldRank other);
    /// Somebody of another host keeps the notes, or nobody does any more.
    void keepNotes(bool keeps);

    /// The program has written something for a rank or, behind the ranks, has something for its agent.
    void touch(WorldRank to);
    /// Sends what can be sent.
    void move();
    /// Asks again for what has not come. @return whether anything was asked
    bool poll(SteadyTime now);

    /// The rank, or who keeps notes, has what stands before there, and wants the rest.
    void wanted(WorldRank to, std::uint64_t position);
    /// The rank, or who keeps notes, has got all up to there.
    /// @param released  what of it the rank does not need any more; empty: nothing
    void taken(WorldRank to, std::uint64_t position, const Gap& released = {});
    /// @param skips  what stands before it and has not come is not to be had
    void deliver(WorldRank from, std::uint64_t position, std::string_view bytes, bool skips);
    /// Nothing more will stand in a stream, which ends there.
    void ended(WorldRank from, std::uint64_t position);

private:
    struct Outgoing {
        StreamReader reader;
        std::uint64_t taken = 0;
        bool wanted = false; ///< it is known from where on
        bool pending = true; ///< there may be something
        bool told = false;   ///< that it has ended
    };
    struct Incoming {
        StreamCopy copy;
        bool answered = false;
        std::uint64_t from = 0;     ///< so it is asked for
        std::uint64_t released = 0; ///< up to there, as was told
        SteadyTime nextAsk{};
    };

    [[nodiscard]] StreamReader readerOf(WorldRank to) const;
    void ship(WorldRank to, Outgoing& outgoing);
    bool shipNext(WorldRank to, Outgoing& outgoing, std::uint64_t& room);
    void showTaken(WorldRank to, const Outgoing& outgoing);
    void tellReleased();
    void answerOutput();
    [[nodiscard]] bool isNotes(WorldRank to) const { return to >= m_segment.layout().ranks; }

    const Segment& m_segment;
    WorldRank m_me;
    Ports m_ports;
    Limits m_limits;
    std::map<WorldRank, Outgoing> m_outgoing; ///< behind the ranks: notes
    std::map<WorldRank, Incoming> m_incoming;
};

} // namespace tasuki::world
