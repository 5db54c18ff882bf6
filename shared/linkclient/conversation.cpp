// SPDX-License-Identifier: GPL-3.0-or-later
#include "conversation.h"

#include "wire/linkcodec.h"

#include <utility>

namespace tasuki {

Conversation::Conversation(const link::AccessFile& access, std::string operatorName,
                           const AgentTiming& timing)
    : m_handshake({.token = access.token,
                   .nonce = link::randomSecret(),
                   .run = access.run.hex,
                   .programVersion = TASUKI_VERSION,
                   .operatorName = std::move(operatorName),
                   .protocol = link::protocolVersion}),
      m_signs(timing.ping, timing.silence)
{
    static_cast<void>(send(m_handshake.start()));
}

std::string Conversation::takeOutgoing() { return std::exchange(m_outgoing, {}); }

void Conversation::feed(std::string_view bytes, SteadyTime now)
{
    m_signs.heard(now);
    m_decoder.feed(bytes);
}

std::optional<Conversation::Said> Conversation::next(SteadyTime now)
{
    for (;;) {
        const auto payload = m_decoder.next();
        if (!payload)
            return End{Cause::NoSense, payload.error().text()};
        if (!*payload)
            return std::nullopt;
        auto message = link::decodeAgentMessage(**payload);
        if (!message)
            return End{Cause::NoSense, message.error().text()};
        if (!m_isIn) {
            if (auto said = greet(*message, now))
                return said;
            continue;
        }
        if (std::holds_alternative<link::ServerHello>(*message)
            || std::holds_alternative<link::Welcome>(*message))
            return End{Cause::Greeted, {}};
        return std::move(*message);
    }
}

std::optional<Conversation::Said> Conversation::greet(const link::AgentMessage& message,
                                                      SteadyTime now)
{
    using Next = link::ClientHandshake::Step::Next;
    const auto step = m_handshake.receive(message);
    if (step.send) {
        static_cast<void>(send(*step.send));
        m_decoder.setLimit(link::frameLimit); // the agent has proved itself
    }
    if (step.next == Next::Wait)
        return std::nullopt;
    if (step.next == Next::Failed)
        return End{std::holds_alternative<link::Bye>(message) ? Cause::Bye : Cause::Refused,
                   step.error ? step.error->text() : std::string()};
    m_isIn = true;
    m_signs.begin(now);
    return m_handshake.welcome();
}

Result<void> Conversation::send(const link::ClientMessage& message)
{
    const auto framed = link::frame(link::encode(message));
    if (!framed)
        return framed.error();
    m_outgoing += *framed;
    return {};
}

std::optional<Conversation::End> Conversation::beat(SteadyTime now, bool listens)
{
    if (!m_isIn)
        return std::nullopt;
    if (!m_signs.beat(now, listens))
        return End{Cause::Silent, {}};
    // Who does not read needs no answer; and a write to an agent that has just gone would cost what it has said at last,
    // which waits in the socket.
    if (listens)
        static_cast<void>(send(link::Ping{.number = m_signs.nextPing()}));
    return std::nullopt;
}

} // namespace tasuki
