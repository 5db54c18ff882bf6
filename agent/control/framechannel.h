// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "frameseal.h"
#include "sockets.h"
#include "streamhandshake.h"

#include "domain/clock.h"
#include "domain/result.h"
#include "wire/framing.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace tasuki::control {

class FrameChannel;

/// Who is told of a channel. From completions, but for opened() from inside admit() and ended() from
/// inside checkLimits().
class ChannelHost {
public:
    ChannelHost() = default;
    ChannelHost(const ChannelHost&) = delete;
    ChannelHost& operator=(const ChannelHost&) = delete;

    /// An accepted channel has shown who it is and waits for admit().
    virtual void proven(FrameChannel& channel) = 0;
    /// Messages may be written.
    virtual void opened(FrameChannel& channel) = 0;
    /// Valid during the call.
    virtual void received(FrameChannel& channel, std::string_view message) = 0;
    /// The system has all that was written; more may be.
    virtual void written(FrameChannel& channel) = 0;
    /// Nothing more comes of it.
    /// @param error  names the peer; none: it was closed in good order
    virtual void ended(FrameChannel& channel, const std::optional<Error>& error) = 0;

protected:
    ~ChannelHost() = default;
};

/// How long a channel may take for what.
struct ChannelLimits {
    std::chrono::milliseconds opening{}; ///< connection and proofs, of a dialer
    std::chrono::milliseconds proving{}; ///< proofs, of an acceptor
    std::chrono::milliseconds waiting{}; ///< for room at the other end
    std::chrono::milliseconds stalled{}; ///< without progress while bytes are to be written
    std::chrono::milliseconds closing{}; ///< without progress, for the other end to close too
};

/// A connection between two processors: proofs, then messages both ways. Control thread only.
///
///   state      | event                                   | next
///   -----------+-----------------------------------------+---------
///   Connecting | connected                               | Proving
///   Proving    | both have shown the key                 | Waiting
///   Waiting    | dialer: welcomed; acceptor: admit()     | Open
///   Open       | close(): this side says nothing more    | Closing
///   Open       | the other side says nothing more        | Draining
///   Closing    | the other side says nothing more        | Ended
///   Draining   | all is written                          | Ended
///   any        | error, limit                            | Ended
///
/// Whichever side closes, the other one finishes what it is writing and is read to its end: nothing
/// is lost of a connection that is closed.
class FrameChannel : public std::enable_shared_from_this<FrameChannel> {
public:
    enum class State : std::uint8_t {
        Connecting,
        Proving,
        Waiting,
        Open,
        Closing,
        Draining,
        Ended,
    };

    /// @param host  outlives the channel or calls abandon()
    FrameChannel(boost::asio::io_context& context, ChannelHost& host, const ChannelLimits& limits,
                 StreamHandshake handshake, bool dialer);

    /// Begins as dialer.
    /// @return an Error when there is no socket; then nothing comes of the channel
    Result<void> connect(const boost::asio::ip::tcp::endpoint& to);
    /// Begins as acceptor. May end from inside.
    /// @param greeting  what was read of it
    /// @param since  when it was accepted
    void start(Accepted accepted, std::string_view greeting, SteadyTime since);
    /// Ends it at once, for others: it has not shown who it is.
    void makeRoom();

    /// Lets a proven one in.
    void admit();
    /// Precondition: open() and not busy(). Each message at most messageBytes.
    void write(const std::vector<std::string>& messages);
    /// Closes in good order. Precondition: open() and not busy().
    void close();
    /// Ends it at once when a limit has passed.
    void checkLimits(SteadyTime now);
    /// Ends it at once, and tells nobody.
    void abandon();

    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] bool open() const { return m_state == State::Open; }
    [[nodiscard]] bool dialer() const { return m_dialer; }
    /// What write() was given is not all with the system.
    [[nodiscard]] bool busy() const { return m_busy; }
    /// When anything last came or went; at first, when it was opened.
    [[nodiscard]] SteadyTime lastUse() const { return m_lastUse; }
    /// Who is there; of acceptors to be believed from Waiting on.
    [[nodiscard]] const ControlSender& peer() const { return m_handshake.peer(); }

private:
    void read();
    void onInput();
    void onFrame(std::string_view payload);
    void onHandshake(std::string_view payload);
    void onContent(std::string_view payload);
    void onEndOfStream();
    void put(std::string bytes);
    void flush();
    void onFlushed();
    void enter(State state);
    void fail(Error error);
    void end(const std::optional<Error>& error);
    [[nodiscard]] std::string name() const;

    boost::asio::ip::tcp::socket m_socket;
    ChannelHost* m_host;
    ChannelLimits m_limits;
    StreamHandshake m_handshake;
    bool m_dialer;
    State m_state;
    SteadyTime m_since; ///< in this state, or of the latest progress
    SteadyTime m_lastUse;
    std::string m_address; ///< of the other end, for people

    static constexpr std::size_t pieceBytes = 16 * 1024;
    std::array<char, pieceBytes> m_piece{};
    link::FrameDecoder m_decoder;
    std::optional<FrameSealer> m_sealer;
    std::optional<FrameOpener> m_opener;
    std::string m_next;    ///< to be written
    std::string m_writing; ///< is being written
    std::size_t m_written = 0;
    bool m_busy = false;
    std::optional<Error> m_lastWords; ///< why it ends when all is written
};

} // namespace tasuki::control
