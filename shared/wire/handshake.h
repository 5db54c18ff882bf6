// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "linkmessages.h"

#include "domain/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tasuki::link {

/// @return 32 bytes from the system's random source, for tokens and nonces
Secret randomSecret();

/// @return text of a peer, fit for a line on a terminal: control characters visible, cut to a limit
std::string printable(std::string_view text, std::size_t limit);

/// How the beginning of a connection goes on after a message.
///
/// Whatever the result: `send` goes out first. Then the handshake waits for the peer, is done, or
/// has failed and the connection is to be closed.
template <class Message>
struct HandshakeStep {
    enum class Next : std::uint8_t { Wait, Done, Failed };
    Next next = Next::Wait;
    std::optional<Message> send;
    std::optional<Error> error; ///< set when failed: one line for log or person
};

/// The agent's side: ClientHello in, ServerHello out, ClientProof in. When it is done the agent
/// sends Welcome. No sockets, no clock: the caller sets a time limit.
class ServerHandshake {
public:
    using Step = HandshakeStep<AgentMessage>;
    struct Parameters {
        Secret token{};
        Secret nonce{}; ///< fresh for every connection: randomSecret()
        RunId run;
        std::string programVersion;
        ProtocolVersion protocol;
    };

    explicit ServerHandshake(Parameters parameters) : m_parameters(std::move(parameters)) {}

    Step receive(const ClientMessage& message);

    /// Who is there; complete and to be believed when done.
    [[nodiscard]] const ClientHello& client() const { return m_client; }

private:
    enum class State : std::uint8_t { AwaitHello, AwaitProof, Done, Failed };
    struct Table;

    Parameters m_parameters;
    State m_state = State::AwaitHello;
    ClientHello m_client;
    ServerHello m_hello;
};

/// The window's side: start() is sent first; ServerHello in, ClientProof out; Welcome or Refused in.
class ClientHandshake {
public:
    using Step = HandshakeStep<ClientMessage>;
    struct Parameters {
        Secret token{};
        Secret nonce{};  ///< fresh for every connection: randomSecret()
        std::string run; ///< id of the run that is wanted; empty: whichever
        std::string programVersion;
        std::string operatorName; ///< "user@host"
        ProtocolVersion protocol;
    };

    explicit ClientHandshake(Parameters parameters);

    /// The message to send first.
    [[nodiscard]] ClientMessage start() const { return m_hello; }

    Step receive(const AgentMessage& message);

    /// Valid when done.
    [[nodiscard]] const Welcome& welcome() const { return m_welcome; }
    /// What the agent speaks. Likewise.
    [[nodiscard]] const ProtocolVersion& agentProtocol() const { return m_agentProtocol; }

private:
    enum class State : std::uint8_t { AwaitHello, AwaitWelcome, Done, Failed };
    struct Table;

    Secret m_token;
    ClientHello m_hello;
    State m_state = State::AwaitHello;
    Welcome m_welcome;
    ProtocolVersion m_agentProtocol;
};

/// Who makes a proof; part of what is proven, so that neither can hand the other's back.
enum class Role : std::uint8_t { Agent, Client };

/// HMAC-SHA256 with the token over the role and the SHA-256 of both hellos (without the proof).
Secret proofOf(Role role, const Secret& token, const ClientHello& client,
               const ServerHello& server);

} // namespace tasuki::link
