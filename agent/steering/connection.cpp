// SPDX-License-Identifier: GPL-3.0-or-later
#include "connection.h"

#include "linkclient/conversation.h"
#include "linkclient/operatorname.h"

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <utility>

#include <sys/un.h>

namespace tasuki::steering {

namespace asio = boost::asio;
using asio::generic::stream_protocol;
using boost::system::error_code;

namespace {

struct Told {
    ConnectionInput why;
    std::string reason;
};

Told wordsOf(const Conversation::End& end)
{
    using Cause = Conversation::Cause;
    const std::string noSense = "the agent said what makes no sense: ";
    switch (end.cause) {
    case Cause::NoSense: return {ConnectionInput::Lost, noSense + end.detail};
    case Cause::Greeted: return {ConnectionInput::Lost, noSense + "it greets a second time"};
    case Cause::Silent: return {ConnectionInput::Lost, "nothing was heard of the agent"};
    case Cause::Refused: return {ConnectionInput::Refuse, end.detail};
    case Cause::Bye: return {ConnectionInput::Bye, end.detail};
    }
    return {ConnectionInput::Lost, end.detail};
}

} // namespace

/// What a connection is made of; lives as long as its socket has something under way.
class Connection::Stream : public std::enable_shared_from_this<Stream> {
public:
    Stream(asio::io_context& context, const Clock& clock, const AgentTiming& timing,
           link::AccessFile access, Owner owner)
        : m_clock(clock),
          m_timing(timing),
          m_access(std::move(access)),
          m_owner(std::move(owner)),
          m_socket(context),
          m_timer(context),
          m_conversation(m_access, operatorName(), timing)
    {}

    void begin()
    {
        if (m_closed)
            return;
        m_timer.expires_after(m_timing.handshake);
        m_timer.async_wait([self = shared_from_this()](error_code error) {
            if (!error)
                self->end(ConnectionInput::Lost, "the agent does not answer");
        });
        constexpr std::size_t longestPath = sizeof(sockaddr_un::sun_path) - 1;
        if (m_access.socket.empty() || m_access.socket.size() > longestPath)
            connectTcp("the access file names no socket that can be reached");
        else
            connect(asio::local::stream_protocol::endpoint(m_access.socket),
                    [this](const error_code& error) { connectTcp(error.message()); });
    }

    void close()
    {
        m_closed = true; // its owner is not called any more, but may be who calls
        m_timer.cancel();
        error_code ignored;
        m_socket.close(ignored);
    }

    Result<void> send(const link::ClientMessage& message)
    {
        auto sent = m_conversation.send(message);
        write();
        return sent;
    }

    [[nodiscard]] std::size_t waiting() const { return m_next.size() + m_sending.size(); }

private:
    void connectTcp(const std::string& localProblem)
    {
        if (m_access.tcpAddress.empty())
            return end(ConnectionInput::Lost, localProblem);
        error_code error;
        const auto address = asio::ip::make_address(m_access.tcpAddress, error);
        if (error)
            return end(ConnectionInput::Lost, error.message());
        error_code ignored;
        m_socket.close(ignored);
        connect(asio::ip::tcp::endpoint(address, m_access.tcpPort),
                [this](const error_code& failed) { end(ConnectionInput::Lost, failed.message()); });
    }

    template <class Failed>
    void connect(const stream_protocol::endpoint& endpoint, Failed failed)
    {
        m_socket.async_connect(endpoint, [self = shared_from_this(), failed](error_code error) {
            if (self->m_closed)
                return;
            if (error)
                return failed(error);
            self->write();
            self->read();
        });
    }

    void read()
    {
        m_socket.async_read_some(asio::buffer(m_buffer),
                                 [self = shared_from_this()](error_code error, std::size_t bytes) {
                                     self->arrived(error, bytes);
                                 });
    }

    void arrived(const error_code& error, std::size_t bytes)
    {
        if (m_closed)
            return;
        if (error)
            return end(ConnectionInput::Lost,
                       error == asio::error::eof ? "the agent closed the connection"
                                                 : error.message());
        m_conversation.feed({m_buffer.data(), bytes}, m_clock.now());
        while (!m_closed) {
            auto said = m_conversation.next(m_clock.now());
            write();
            if (!said)
                return read();
            std::visit([this](auto& one) { take(one); }, *said);
        }
    }

    void take(const link::Welcome& welcome)
    {
        beatLater();
        m_owner.welcomed(welcome);
    }

    void take(link::AgentMessage& message)
    {
        if (const auto* bye = std::get_if<link::Bye>(&message))
            return end(ConnectionInput::Bye, bye->reason);
        if (const auto* refused = std::get_if<link::Refused>(&message))
            return end(ConnectionInput::Refuse, refused->reason);
        m_owner.take(std::move(message));
    }

    void take(const Conversation::End& last)
    {
        Told told = wordsOf(last);
        end(told.why, told.reason);
    }

    void beatLater()
    {
        m_timer.expires_after(m_timing.ping);
        m_timer.async_wait([self = shared_from_this()](error_code error) {
            if (!error && !self->m_closed)
                self->beat();
        });
    }

    void beat()
    {
        if (const auto last = m_conversation.beat(m_clock.now(), true))
            return take(*last);
        write();
        beatLater();
    }

    void write()
    {
        m_next += m_conversation.takeOutgoing();
        if (!m_sending.empty() || m_next.empty() || m_closed)
            return;
        m_sending.swap(m_next);
        asio::async_write(m_socket, asio::buffer(m_sending),
                          [self = shared_from_this()](error_code error, std::size_t) {
                              // Of a connection that broke, reading tells, after what had arrived.
                              self->m_sending.clear();
                              if (!error)
                                  self->write();
                          });
    }

    void end(ConnectionInput why, const std::string& reason)
    {
        if (m_closed)
            return;
        close();
        m_owner.ended(why, reason);
    }

    const Clock& m_clock;
    AgentTiming m_timing;
    link::AccessFile m_access;
    Owner m_owner;
    stream_protocol::socket m_socket;
    asio::steady_timer m_timer; ///< of the greeting, then of signs of life
    Conversation m_conversation;
    std::array<char, 64 * 1024> m_buffer{};
    std::string m_sending; ///< empty: nothing is under way
    std::string m_next;
    bool m_closed = false;
};

Connection::Connection(asio::io_context& context, const Clock& clock, const AgentTiming& timing,
                       link::AccessFile access, Owner owner)
    : m_stream(
        std::make_shared<Stream>(context, clock, timing, std::move(access), std::move(owner)))
{
    // Not from inside this constructor: its end is told to who has no connection yet.
    asio::post(context, [stream = m_stream] { stream->begin(); });
}

Connection::~Connection() { m_stream->close(); }

Result<void> Connection::send(const link::ClientMessage& message)
{
    return m_stream->send(message);
}

std::size_t Connection::waiting() const { return m_stream->waiting(); }

} // namespace tasuki::steering
