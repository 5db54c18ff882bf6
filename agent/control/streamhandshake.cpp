// SPDX-License-Identifier: GPL-3.0-or-later
#include "streamhandshake.h"

#include "bytes.h"

#include "wire/handshake.h"

#include <utility>

namespace tasuki::control {

namespace {

constexpr std::string_view streamMagic = "TSKC";
constexpr std::uint16_t streamVersion = 2;
constexpr std::size_t helloBytes = 1 + 4 + 2 + 4 * 4 + 32;
constexpr std::size_t reasonBytes = 400;
constexpr std::string_view greetingPurpose{"greeting of the dialer\0", 23};

/// The first byte of a payload.
constexpr char helloKind = 1;
constexpr char answerKind = 2;
constexpr char proofKind = 3;
constexpr char refusedKind = 4;

Error handshakeError(std::string message, std::string remedy = {})
{
    return Error{
        .kind = ErrorKind::Protocol, .message = std::move(message), .remedy = std::move(remedy)};
}

StreamHandshake::Step refusal(Error error)
{
    StreamHandshake::Step step;
    step.next = StreamHandshake::Step::Next::Failed;
    step.send = refusedKind + error.message;
    step.error = std::move(error);
    return step;
}

std::string nameOfProcessor(ProcessorId processor)
{
    return "processor " + std::to_string(processor.value());
}

} // namespace

// The first row whose state, kind and condition hold is taken; what no row is for ends it.
struct StreamHandshake::Table {
    using Self = StreamHandshake;

    static Step answer(Self& self, std::string_view payload)
    {
        const std::string_view hello = payload.substr(0, helloBytes);
        if (auto error = self.takeHello(hello))
            return refusal(std::move(*error));
        if (!Authenticator(self.m_key).matches(payload.substr(helloBytes), greetingPurpose, hello))
            return strangers(self);
        self.m_dialerHello = payload;
        self.m_acceptorHello = self.makeHello(answerKind, self.m_peer.processor);
        return {.send = self.m_acceptorHello + self.proof(Side::Acceptor)};
    }
    static Step prove(Self& self, std::string_view payload)
    {
        if (payload.size() < helloBytes)
            return refusal(handshakeError("sent an answer that is too short"));
        if (auto error = self.takeHello(payload.substr(0, helloBytes)))
            return refusal(std::move(*error));
        self.m_acceptorHello = payload.substr(0, helloBytes);
        if (!self.proves(payload.substr(helloBytes), Side::Acceptor))
            return strangers(self);
        return {.next = Step::Next::Done, .send = proofKind + self.proof(Side::Dialer)};
    }
    static Step check(Self& self, std::string_view payload)
    {
        if (!self.proves(payload.substr(1), Side::Dialer))
            return strangers(self);
        return {.next = Step::Next::Done};
    }
    static Step refused(Self&, std::string_view payload)
    {
        return {
            .next = Step::Next::Failed,
            .error = handshakeError("refuses: " + link::printable(payload.substr(1), reasonBytes))};
    }
    static Step strangers(const Self& self)
    {
        return refusal(handshakeError("who says to be " + nameOfProcessor(self.m_peer.processor)
                                          + " does not know the key of this launch",
                                      "look whether another run uses the port"));
    }

    struct Row {
        State state;
        char kind;
        Step (*action)(Self&, std::string_view);
        State next;
    };
    // clang-format off
    static constexpr Row rows[] = {
        // state            kind         action   next, unless it fails
        {State::AwaitHello,  helloKind,   answer,  State::AwaitProof},
        {State::AwaitProof,  proofKind,   check,   State::Over},
        {State::AwaitProof,  refusedKind, refused, State::Over},
        {State::AwaitAnswer, answerKind,  prove,   State::Over},
        {State::AwaitAnswer, refusedKind, refused, State::Over},
    };
    // clang-format on
};

StreamHandshake::StreamHandshake(Side side, const RunKey& key, ControlIdentity self)
    : m_side(side),
      m_state(side == Side::Dialer ? State::AwaitAnswer : State::AwaitHello),
      m_key(deriveKey(key, "tasuki control connections")),
      m_self(self)
{}

StreamHandshake StreamHandshake::dialer(const RunKey& key, ControlIdentity self, ProcessorId peer)
{
    StreamHandshake handshake(Side::Dialer, key, self);
    handshake.m_known = [peer](ProcessorId who) { return who == peer; };
    handshake.m_peer.processor = peer;
    handshake.m_dialerHello = handshake.makeHello(helloKind, peer);
    const Tag tag = handshake.greetingTag(handshake.m_dialerHello);
    handshake.m_dialerHello.append(tag.begin(), tag.end());
    return handshake;
}

StreamHandshake StreamHandshake::acceptor(const RunKey& key, ControlIdentity self,
                                          std::function<bool(ProcessorId)> known)
{
    StreamHandshake handshake(Side::Acceptor, key, self);
    handshake.m_known = std::move(known);
    return handshake;
}

StreamHandshake::Step StreamHandshake::receive(std::string_view payload)
{
    for (const Table::Row& row : Table::rows) {
        if (row.state != m_state || payload.empty() || row.kind != payload.front())
            continue;
        Step step = row.action(*this, payload);
        m_state = step.next == Step::Next::Failed ? State::Over : row.next;
        return step;
    }
    m_state = State::Over;
    return refusal(handshakeError("sent what has no place at the beginning of a connection"));
}

std::string StreamHandshake::makeHello(char kind, ProcessorId to) const
{
    std::string bytes(1, kind);
    bytes += streamMagic;
    putNumber(bytes, streamVersion);
    putNumber(bytes, m_self.epoch.value());
    putNumber(bytes, m_self.self.value());
    putNumber(bytes, to.value());
    putNumber(bytes, m_self.life.value());
    for (const std::byte each : randomRunKey())
        bytes += static_cast<char>(each);
    return bytes;
}

std::optional<Error> StreamHandshake::takeHello(std::string_view hello)
{
    ByteReader reader(hello.substr(1));
    if (hello.size() != helloBytes || reader.take(streamMagic.size()) != streamMagic)
        return handshakeError("is not Tasuki's control plane");
    if (const auto version = reader.number<std::uint16_t>(); version != streamVersion)
        return handshakeError("speaks version " + std::to_string(version)
                                  + " of the control protocol, not "
                                  + std::to_string(streamVersion),
                              "use the same version of Tasuki on all hosts");
    const Epoch epoch(reader.number<std::uint32_t>());
    const ProcessorId from(reader.number<std::uint32_t>());
    const ProcessorId to(reader.number<std::uint32_t>());
    if (epoch != m_self.epoch)
        return handshakeError("is of epoch " + std::to_string(epoch.value()) + ", not "
                              + std::to_string(m_self.epoch.value()));
    if (to != m_self.self)
        return handshakeError("wants " + nameOfProcessor(to) + ", this is "
                              + nameOfProcessor(m_self.self));
    if (!m_known(from))
        return handshakeError(m_side == Side::Dialer ? "is " + nameOfProcessor(from)
                                                     : nameOfProcessor(from) + " is not known");
    m_peer = {.processor = from, .life = Life(reader.number<std::uint32_t>())};
    return std::nullopt;
}

Tag StreamHandshake::greetingTag(std::string_view hello) const
{
    return Authenticator(m_key).tag(greetingPurpose, hello);
}

/// Both hellos have a fixed length, so the purpose and they make one text that nothing else makes.
std::string StreamHandshake::transcript(std::string_view purpose, Side side) const
{
    std::string text(purpose);
    text += side == Side::Dialer ? " of the dialer" : " of the acceptor";
    text += '\0';
    return text + m_dialerHello + m_acceptorHello;
}

RunKey StreamHandshake::directionKey(Side side) const
{
    return deriveKey(m_key, transcript("frames", side));
}

std::string StreamHandshake::proof(Side side) const
{
    const Tag tag = Authenticator(m_key).tag(transcript("proof", side));
    return {tag.begin(), tag.end()};
}

bool StreamHandshake::proves(std::string_view proof, Side side) const
{
    return Authenticator(m_key).matches(proof, transcript("proof", side));
}

} // namespace tasuki::control
