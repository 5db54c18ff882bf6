// SPDX-License-Identifier: GPL-3.0-or-later
#include "framechannel.h"

#include <cassert>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>

namespace tasuki::control {

namespace {

Error channelError(std::string message)
{
    return Error{.kind = ErrorKind::Protocol, .message = std::move(message)};
}

} // namespace

FrameChannel::FrameChannel(boost::asio::io_context& context, ChannelHost& host,
                           const ChannelLimits& limits, StreamHandshake handshake, bool dialer)
    : m_socket(context),
      m_host(&host),
      m_limits(limits),
      m_handshake(std::move(handshake)),
      m_dialer(dialer),
      m_state(dialer ? State::Connecting : State::Proving),
      m_since(std::chrono::steady_clock::now()),
      m_lastUse(m_since)
{}

Result<void> FrameChannel::connect(const boost::asio::ip::tcp::endpoint& to)
{
    auto fd = streamSocket(to.address());
    if (!fd)
        return fd.error();
    boost::system::error_code error;
    m_socket.assign(to.protocol(), fd->get(), error);
    if (error)
        return systemError("cannot use a socket", error.value());
    static_cast<void>(fd->release());
    m_address = textOf(to);
    m_socket.async_connect(to, [self = shared_from_this()](const auto& failure) {
        if (self->m_state != State::Connecting)
            return;
        if (failure)
            return self->fail(systemError("cannot connect", failure.value()));
        self->enter(State::Proving);
        auto hello = link::frame(self->m_handshake.hello());
        self->put(std::move(hello).value());
        self->read();
    });
    return {};
}

void FrameChannel::start(Accepted accepted, std::string_view greeting, SteadyTime since)
{
    m_since = since;
    m_address = textOf(accepted.from);
    boost::system::error_code error;
    m_socket.assign(accepted.from.protocol(), accepted.fd.get(), error);
    if (error)
        return fail(systemError("cannot use a socket", error.value()));
    watchLink(accepted.fd.get());
    static_cast<void>(accepted.fd.release());
    m_decoder.feed(greeting);
    onInput();
    read();
}

void FrameChannel::makeRoom() { fail(channelError("had not shown who it is when others came")); }

std::string FrameChannel::name() const
{
    if (!m_dialer && !m_sealer)
        return "a connection from " + m_address + ": ";
    return "processor " + std::to_string(peer().processor.value()) + " at " + m_address + ": ";
}

void FrameChannel::enter(State state)
{
    m_state = state;
    m_since = std::chrono::steady_clock::now();
    m_lastUse = m_since;
}

// ---- reading

void FrameChannel::read()
{
    if (m_state == State::Ended || m_state == State::Draining)
        return;
    m_socket.async_read_some(
        boost::asio::buffer(m_piece),
        [self = shared_from_this()](const boost::system::error_code& error, std::size_t length) {
            if (self->m_state == State::Ended || self->m_state == State::Draining)
                return;
            if (error == boost::asio::error::eof)
                return self->onEndOfStream();
            if (error)
                return self->fail(systemError("the connection broke", error.value()));
            // A long message is use and progress before it is complete.
            self->m_lastUse = std::chrono::steady_clock::now();
            if (self->m_state == State::Closing)
                self->m_since = self->m_lastUse;
            self->m_decoder.feed(std::string_view(self->m_piece.data(), length));
            self->onInput();
            self->read();
        });
}

void FrameChannel::onInput()
{
    while (m_state != State::Ended && m_state != State::Draining) {
        const auto payload = m_decoder.next();
        if (!payload)
            return fail(channelError("sent " + payload.error().text()));
        if (!*payload)
            return;
        onFrame(**payload);
    }
}

void FrameChannel::onFrame(std::string_view payload)
{
    switch (m_state) {
    case State::Proving: return onHandshake(payload);
    case State::Waiting:
        if (m_dialer)
            return onContent(payload);
        return fail(channelError("spoke before it was let in"));
    case State::Open:
    case State::Closing: return onContent(payload);
    case State::Connecting:
    case State::Draining:
    case State::Ended: break;
    }
}

void FrameChannel::onHandshake(std::string_view payload)
{
    auto step = m_handshake.receive(payload);
    if (!step.send.empty())
        if (auto bytes = link::frame(step.send))
            put(std::move(*bytes));
    using Next = StreamHandshake::Step::Next;
    if (step.next == Next::Wait)
        return;
    if (step.next == Next::Failed) {
        if (m_next.empty() && m_writing.empty())
            return fail(std::move(*step.error));
        m_lastWords = std::move(step.error);
        return enter(State::Draining);
    }
    m_sealer.emplace(m_handshake.sendingKey());
    m_opener.emplace(m_handshake.receivingKey());
    m_decoder.setLimit(link::frameLimit);
    enter(State::Waiting);
    if (!m_dialer)
        m_host->proven(*this);
}

void FrameChannel::onContent(std::string_view payload)
{
    const auto content = m_opener->open(payload);
    if (!content)
        return fail(content.error());
    if (m_state == State::Waiting) {
        if (!content->empty())
            return fail(channelError("did not begin with a welcome"));
        enter(State::Open);
        return m_host->opened(*this);
    }
    m_host->received(*this, *content);
}

void FrameChannel::onEndOfStream()
{
    const bool inGoodOrder = m_state == State::Open || m_state == State::Closing;
    if (!inGoodOrder)
        return fail(channelError(m_state == State::Waiting ? "closed before it had room"
                                                           : "closed during the handshake"));
    if (m_state == State::Closing || (m_next.empty() && m_writing.empty()))
        return end(std::nullopt);
    enter(State::Draining);
}

// ---- writing

void FrameChannel::admit()
{
    assert(m_state == State::Waiting && !m_dialer);
    put(m_sealer->seal({}));
    enter(State::Open);
    m_host->opened(*this);
}

void FrameChannel::write(const std::vector<std::string>& messages)
{
    assert(open() && !m_busy);
    m_busy = true;
    m_lastUse = std::chrono::steady_clock::now();
    std::string bytes;
    for (const std::string& message : messages)
        bytes += m_sealer->seal(message);
    put(std::move(bytes));
}

void FrameChannel::put(std::string bytes)
{
    if (m_next.empty())
        m_next = std::move(bytes);
    else
        m_next += bytes;
    if (m_writing.empty())
        flush();
}

void FrameChannel::flush()
{
    if (m_written == m_writing.size()) {
        m_writing = std::exchange(m_next, {});
        m_written = 0;
        m_since = std::chrono::steady_clock::now();
    }
    if (m_writing.empty())
        return onFlushed();
    m_socket.async_write_some(
        boost::asio::buffer(m_writing) + m_written,
        [self = shared_from_this()](const boost::system::error_code& error, std::size_t length) {
            if (self->m_state == State::Ended)
                return;
            if (error)
                return self->fail(systemError("the connection broke", error.value()));
            self->m_written += length;
            self->m_since = std::chrono::steady_clock::now();
            self->flush();
        });
}

void FrameChannel::onFlushed()
{
    if (m_state == State::Draining)
        return m_lastWords ? fail(std::move(*m_lastWords)) : end(std::nullopt);
    if (!std::exchange(m_busy, false))
        return;
    m_lastUse = std::chrono::steady_clock::now();
    m_host->written(*this);
}

// ---- the end

void FrameChannel::close()
{
    assert(open() && !m_busy);
    enter(State::Closing);
    boost::system::error_code ignored;
    m_socket.shutdown(boost::asio::socket_base::shutdown_send, ignored);
}

void FrameChannel::checkLimits(SteadyTime now)
{
    const auto passed = [&](std::chrono::milliseconds limit) { return now - m_since > limit; };
    switch (m_state) {
    case State::Connecting:
    case State::Proving:
        if (passed(m_dialer ? m_limits.opening : m_limits.proving))
            fail(channelError("did not complete the handshake in time"));
        return;
    case State::Waiting:
        if (passed(m_limits.waiting))
            fail(channelError("had no room for another connection in time"));
        return;
    case State::Open:
    case State::Draining:
        if (!m_writing.empty() && passed(m_limits.stalled))
            fail(channelError("takes nothing of what is sent to it"));
        return;
    case State::Closing:
        // Everything was said; that the other end does not close is its own affair.
        if (passed(m_limits.closing))
            end(std::nullopt);
        return;
    case State::Ended: return;
    }
}

void FrameChannel::fail(Error error)
{
    error.message = name() + error.message;
    end(error);
}

void FrameChannel::end(const std::optional<Error>& error)
{
    if (m_state == State::Ended)
        return;
    // The host forgets the channel, whose functions are still going on.
    const auto self = shared_from_this();
    ChannelHost* host = m_host;
    abandon();
    if (host != nullptr)
        host->ended(*this, error);
}

void FrameChannel::abandon()
{
    m_state = State::Ended;
    m_host = nullptr;
    boost::system::error_code ignored;
    m_socket.close(ignored);
}

} // namespace tasuki::control
