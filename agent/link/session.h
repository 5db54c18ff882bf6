// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "feed.h"
#include "files/uniquefd.h"
#include "linkserver.h"

#include "domain/clock.h"
#include "wire/framing.h"
#include "wire/handshake.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

namespace tasuki::link {

class Session;

/// What a session needs of the server. All on the link's thread.
class SessionHost {
public:
    SessionHost() = default;
    SessionHost(const SessionHost&) = delete;
    SessionHost& operator=(const SessionHost&) = delete;

    [[nodiscard]] virtual const LinkLimits& limits() const = 0;
    /// Whether one more window may come in; else the reason.
    [[nodiscard]] virtual std::optional<std::string> fullness(const Session& session) const = 0;
    /// The session is a window's from now on.
    virtual void entered(Session& session) = 0;
    /// As log(), of a connection whose other end has not shown who it is: such lines may be summed up.
    virtual void refused(std::string line) = 0;
    [[nodiscard]] virtual Welcome welcome() const = 0;
    /// The latest status; null: none yet.
    [[nodiscard]] virtual SharedFrame status() const = 0;
    /// A request that is answered by session.reply().
    virtual void requested(Session& session, ClientMessage request) = 0;
    /// What is told of the plan comes by session.tell().
    virtual void planned(Session& session, PlanWish wish) = 0;
    virtual void log(Severity severity, std::string line) = 0;
    /// The session is over; nothing more comes of it.
    virtual void ended(Session& session) = 0;

protected:
    ~SessionHost() = default;
};

/// One connection. Reads, writes, answers pings; never holds more for a window that does not read
/// than one batch that is being written, its answers (whose number is limited) and one status.
class Session : public std::enable_shared_from_this<Session> {
public:
    /// @param host  outlives the session
    Session(SessionHost& host, boost::asio::io_context& context, UniqueFd socket, int family,
            ClientLabel label, ServerHandshake handshake, Feed feed);

    /// Begins to read. Asynchronous operations keep the session alive.
    void start();

    /// There may be something new to send: events or a status.
    void wake();
    void statusChanged();
    /// Answers a request.
    void reply(const AgentMessage& message);
    /// Sends what was not asked for by a request.
    /// @param mayBeLeftOut  nothing of it is sent when answers wait already
    void tell(const std::vector<AgentMessage>& messages, bool mayBeLeftOut);
    /// Sends what is to be sent and then Bye; a window that is not in yet is dropped.
    void sayBye(const std::string& reason);
    /// Ends the connection at once. Once more: does nothing.
    /// @param why  for the log
    void drop(Severity severity, const std::string& why);

    [[nodiscard]] bool authenticated() const { return m_in; }
    /// Of its socket.
    [[nodiscard]] int family() const { return m_family; }
    [[nodiscard]] bool subscribed() const { return m_feed.subscribed(); }
    [[nodiscard]] const ClientLabel& label() const { return m_label; }
    /// Since when bytes wait for a window that does not read; nothing when none do.
    [[nodiscard]] std::optional<SteadyTime> writingSince() const { return m_writingSince; }

private:
    void read();
    void processInput();
    void onHandshake(const ClientMessage& message);
    void onMessage(ClientMessage message);
    void enter();
    [[nodiscard]] bool takesRequests() const;
    void gather();
    void pump();
    void write();
    void send(const AgentMessage& message);
    void close();
    [[nodiscard]] std::string name() const;

    SessionHost& m_host;
    boost::asio::generic::stream_protocol::socket m_socket;
    boost::asio::steady_timer m_deadline;
    int m_family;
    ClientLabel m_label;
    ServerHandshake m_handshake;
    Feed m_feed;

    static constexpr std::size_t pieceBytes = 64 * 1024;
    static constexpr std::size_t strangersBytes = 4 * 1024;
    std::vector<char> m_piece; ///< small before the other end has shown who it is
    FrameDecoder m_decoder;
    std::size_t m_openRequests = 0;
    bool m_reading = false;
    bool m_processing = false;

    std::deque<SharedFrame> m_answers;
    std::size_t m_answerBytes = 0;
    std::vector<SharedFrame> m_batch; ///< is being written
    std::optional<SteadyTime> m_writingSince;
    SharedFrame m_bye; ///< sent after everything else
    bool m_statusIsNew = false;
    bool m_in = false;        ///< authenticated
    bool m_lastWords = false; ///< ends when all is written
    bool m_closed = false;
};

} // namespace tasuki::link
