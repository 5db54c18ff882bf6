// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "authenticator.h"
#include "controladdress.h"

#include "domain/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tasuki::control {

/// How a connection between two processors begins: both show that they know the key of the launch,
/// and with it that their numbers, epoch and lives are true. No sockets, no clock.
///
///   dialer    -> Hello   magic, version, epoch, from, to, life, nonce, and a tag over them
///   acceptor  -> Answer  the same of its own, and its proof
///   dialer    -> Proof
///   acceptor  -> an empty frame under the key of the connection, once it has room
///   either    -> Refused a reason, instead
///
/// The tag keeps those out who know nothing: only who knows the key, or has heard a hello and says it
/// again, gets an answer. What is believed rests on the proofs alone.
///
/// It differs from the handshake of windows in what is bound: a proof is over its side's role, both
/// hellos whole, and so both numbers and both nonces. None fits another pair, side or connection.
class StreamHandshake {
public:
    struct Step {
        enum class Next : std::uint8_t { Wait, Done, Failed };
        Next next = Next::Wait;
        std::string send = {}; ///< payload of a frame to send, whatever comes next; may be empty
        std::optional<Error> error = {}; ///< set when failed
    };

    /// @param peer  who is to answer
    static StreamHandshake dialer(const RunKey& key, ControlIdentity self, ProcessorId peer);
    /// @param known  whether there is such a processor
    static StreamHandshake acceptor(const RunKey& key, ControlIdentity self,
                                    std::function<bool(ProcessorId)> known);

    /// What a dialer sends first.
    [[nodiscard]] const std::string& hello() const { return m_dialerHello; }
    /// Takes the payload of a frame.
    Step receive(std::string_view payload);

    /// What follows is to be believed when done.
    [[nodiscard]] const ControlSender& peer() const { return m_peer; }
    /// Keys of this connection alone, for what this side sends and what it receives.
    [[nodiscard]] RunKey sendingKey() const { return directionKey(m_side); }
    [[nodiscard]] RunKey receivingKey() const { return directionKey(otherSide()); }

private:
    enum class Side : std::uint8_t { Dialer, Acceptor };
    enum class State : std::uint8_t { AwaitHello, AwaitAnswer, AwaitProof, Over };
    struct Table;

    StreamHandshake(Side side, const RunKey& key, ControlIdentity self);
    [[nodiscard]] Side otherSide() const
    {
        return m_side == Side::Dialer ? Side::Acceptor : Side::Dialer;
    }
    [[nodiscard]] std::string makeHello(char kind, ProcessorId to) const;
    [[nodiscard]] std::optional<Error> takeHello(std::string_view hello);
    [[nodiscard]] Tag greetingTag(std::string_view hello) const;
    [[nodiscard]] std::string transcript(std::string_view purpose, Side side) const;
    [[nodiscard]] RunKey directionKey(Side side) const;
    [[nodiscard]] std::string proof(Side side) const;
    [[nodiscard]] bool proves(std::string_view proof, Side side) const;

    Side m_side;
    State m_state;
    RunKey m_key;
    ControlIdentity m_self;
    std::function<bool(ProcessorId)> m_known;
    std::string m_dialerHello;
    std::string m_acceptorHello;
    ControlSender m_peer;
};

} // namespace tasuki::control
