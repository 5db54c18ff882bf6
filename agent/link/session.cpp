// SPDX-License-Identifier: GPL-3.0-or-later
#include "session.h"

#include "wire/linkcodec.h"

#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

namespace tasuki::link {

namespace {

/// About what is written at once: enough for a fast window, little enough for a stopped one.
constexpr std::size_t batchBytes = 256 * 1024;
/// Answers that wait; a window that does not take them is not asked for more requests.
constexpr std::size_t mostAnswerBytes = 4 * 1024 * 1024;
constexpr std::size_t nameLimit = 100;

std::optional<PlanWish> planWishOf(ClientMessage& message)
{
    if (auto* request = std::get_if<PlanRequest>(&message))
        return std::move(*request);
    if (auto* piece = std::get_if<PlanPiece>(&message))
        return std::move(*piece);
    if (auto* cancel = std::get_if<PlanCancel>(&message))
        return *cancel;
    return std::nullopt;
}

} // namespace

Session::Session(SessionHost& host, boost::asio::io_context& context, UniqueFd socket, int family,
                 ClientLabel label, ServerHandshake handshake, Feed feed)
    : m_host(host),
      m_socket(context),
      m_deadline(context),
      m_family(family),
      m_label(std::move(label)),
      m_handshake(std::move(handshake)),
      m_feed(feed),
      m_piece(strangersBytes)
{
    boost::system::error_code error;
    m_socket.assign({family, 0}, socket.get(), error);
    if (!error)
        static_cast<void>(socket.release());
}

void Session::start()
{
    m_deadline.expires_after(m_host.limits().handshake);
    m_deadline.async_wait([self = shared_from_this()](const boost::system::error_code& error) {
        if (!error && !self->m_in)
            self->drop(Severity::Warning, "dropped: did not complete the handshake in time");
    });
    read();
}

std::string Session::name() const
{
    const std::string connection = " " + std::to_string(m_label.number) + " (";
    if (!m_in)
        return "connection" + connection + m_label.peer + "): ";
    return "window" + connection + m_label.operatorName + ", " + m_label.peer + "): ";
}

// ---- reading

bool Session::takesRequests() const
{
    const std::size_t limit = m_host.limits().openRequests;
    return m_openRequests < limit && m_answers.size() < limit && m_answerBytes < mostAnswerBytes;
}

void Session::read()
{
    if (m_reading || m_closed || m_lastWords || !takesRequests())
        return;
    m_reading = true;
    m_socket.async_read_some(
        boost::asio::buffer(m_piece),
        [self = shared_from_this()](const boost::system::error_code& error, std::size_t length) {
            self->m_reading = false;
            if (self->m_closed)
                return;
            if (error)
                return self->drop(self->m_in ? Severity::Information : Severity::Warning,
                                  self->m_in ? "left" : "went away during the handshake");
            self->m_decoder.feed(std::string_view(self->m_piece.data(), length));
            if (self->m_in)
                self->m_piece.resize(pieceBytes);
            self->processInput();
        });
}

void Session::processInput()
{
    // An answer that is given at once comes back here.
    if (m_processing)
        return;
    m_processing = true;
    while (!m_closed && !m_lastWords && takesRequests()) {
        const auto payload = m_decoder.next();
        if (!payload) {
            drop(Severity::Warning, "dropped: sent " + payload.error().text());
            break;
        }
        if (!*payload)
            break;
        auto message = decodeClientMessage(**payload);
        if (!message)
            drop(Severity::Warning, "dropped: " + message.error().text());
        else if (!m_in)
            onHandshake(*message);
        else
            onMessage(std::move(*message));
    }
    m_processing = false;
    read();
}

void Session::onHandshake(const ClientMessage& message)
{
    const auto step = m_handshake.receive(message);
    if (step.send)
        send(*step.send);
    using Next = ServerHandshake::Step::Next;
    if (step.next == Next::Done)
        return enter();
    if (step.next == Next::Wait)
        return pump();
    m_host.refused(name() + step.error->text());
    m_lastWords = true;
    pump();
}

void Session::enter()
{
    if (const auto reason = m_host.fullness(*this)) {
        m_host.log(Severity::Warning, name() + "refused: " + *reason);
        send(Refused{*reason});
        m_lastWords = true;
        return pump();
    }
    m_in = true;
    m_host.entered(*this);
    m_deadline.cancel();
    m_decoder.setLimit(frameLimit);
    m_label.operatorName = printable(m_handshake.client().operatorName, nameLimit);
    m_label.programVersion = printable(m_handshake.client().programVersion, nameLimit);
    m_host.log(Severity::Information, name() + "joined");
    send(m_host.welcome());
    m_statusIsNew = true;
    pump();
}

void Session::onMessage(ClientMessage message)
{
    if (const auto* ping = std::get_if<Ping>(&message)) {
        send(Pong{ping->number});
        return pump();
    }
    if (const auto* subscribe = std::get_if<Subscribe>(&message)) {
        if (auto begun = m_feed.subscribe(*subscribe); !begun)
            return sayBye("the run file cannot be read: " + begun.error().text());
        return pump();
    }
    if (std::holds_alternative<ClientHello>(message)
        || std::holds_alternative<ClientProof>(message))
        return drop(Severity::Warning, "dropped: began a second handshake");
    if (auto wish = planWishOf(message))
        return m_host.planned(*this, std::move(*wish));
    ++m_openRequests;
    m_host.requested(*this, std::move(message));
}

void Session::tell(const std::vector<AgentMessage>& messages, bool mayBeLeftOut)
{
    if (m_closed || m_lastWords || (mayBeLeftOut && !m_answers.empty()))
        return;
    for (const AgentMessage& message : messages)
        send(message);
    pump();
}

void Session::reply(const AgentMessage& message)
{
    if (m_closed)
        return;
    --m_openRequests;
    send(message);
    pump();
    processInput();
}

// ---- writing

void Session::send(const AgentMessage& message)
{
    auto bytes = frame(encode(message));
    if (!bytes)
        return sayBye("an answer is too large: " + bytes.error().text());
    m_answerBytes += bytes->size();
    m_answers.push_back(std::make_shared<const std::string>(std::move(*bytes)));
}

void Session::wake() { pump(); }

void Session::statusChanged()
{
    m_statusIsNew = true;
    pump();
}

void Session::sayBye(const std::string& reason)
{
    if (!m_in)
        return drop(Severity::Information, "dropped: " + reason);
    if (!m_bye)
        m_bye = framed(Bye{reason});
    pump();
}

void Session::gather()
{
    std::size_t bytes = 0;
    for (; !m_answers.empty() && bytes < batchBytes; m_answers.pop_front()) {
        bytes += m_answers.front()->size();
        m_answerBytes -= m_answers.front()->size();
        m_batch.push_back(std::move(m_answers.front()));
    }
    if (m_in && std::exchange(m_statusIsNew, false))
        if (const SharedFrame status = m_host.status())
            m_batch.push_back(status);
    if (!m_in || m_lastWords || bytes >= batchBytes)
        return;
    auto frames = m_feed.next(batchBytes - bytes);
    if (frames) {
        m_batch.insert(m_batch.end(), frames->begin(), frames->end());
        if (!m_batch.empty() || !m_bye)
            return;
    } else {
        m_host.log(Severity::Warning, name() + "dropped: " + frames.error().text());
        m_bye = framed(Bye{"the run file cannot be read: " + frames.error().text()});
    }
    m_batch.push_back(m_bye);
    m_lastWords = true;
}

void Session::pump()
{
    if (m_closed || m_writingSince)
        return;
    gather();
    if (!m_batch.empty())
        return write();
    if (m_lastWords)
        close();
}

void Session::write()
{
    std::vector<boost::asio::const_buffer> buffers;
    buffers.reserve(m_batch.size());
    for (const SharedFrame& frame : m_batch)
        buffers.emplace_back(boost::asio::buffer(*frame));
    m_writingSince = std::chrono::steady_clock::now();
    boost::asio::async_write(
        m_socket, std::move(buffers),
        [self = shared_from_this()](const boost::system::error_code& error, std::size_t) {
            self->m_batch.clear();
            self->m_writingSince.reset();
            if (self->m_closed)
                return;
            if (error)
                return self->drop(Severity::Information, "left");
            self->pump();
            if (!self->m_closed)
                self->processInput();
        });
}

void Session::drop(Severity severity, const std::string& why)
{
    if (m_closed)
        return;
    // After last words the reason has been told already.
    if (!m_lastWords && m_in)
        m_host.log(severity, name() + why);
    else if (!m_lastWords)
        m_host.refused(name() + why);
    close();
}

void Session::close()
{
    if (std::exchange(m_closed, true))
        return;
    boost::system::error_code ignored;
    m_deadline.cancel();
    m_socket.shutdown(boost::asio::socket_base::shutdown_both, ignored);
    m_socket.close(ignored);
    m_host.ended(*this);
}

} // namespace tasuki::link
