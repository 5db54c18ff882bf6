// SPDX-License-Identifier: GPL-3.0-or-later
#include "handshake.h"

#include "domain/visibletext.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <type_traits>
#include <variant>

namespace tasuki::link {

namespace {

constexpr std::size_t reasonLimit = 400;
constexpr std::size_t nameLimit = 100;

/// The place of a message type in its variant.
template <class Message, class Variant>
constexpr std::size_t indexOf = 0;
template <class Message, class... All>
constexpr std::size_t indexOf<Message, std::variant<All...>> = [] {
    std::size_t index = 0;
    static_cast<void>(((std::is_same_v<Message, All> || (++index, false)) || ...));
    return index;
}();

/// What a message does to a side of the handshake in a state.
template <class Self, class State, class Message, class Step>
struct HandshakeRow {
    State state;
    std::size_t message; ///< the place of its type in its variant
    bool (*condition)(const Self&, const Message&);
    Step (*action)(Self&, const Message&);
    State next;
};

/// @return the first row that fits; null: none
const auto* fitting(const auto& rows, const auto& self, auto state, const auto& message)
{
    const auto row = std::ranges::find_if(rows, [&](const auto& one) {
        return one.state == state && one.message == message.index() && one.condition(self, message);
    });
    return row == std::end(rows) ? nullptr : &*row;
}

/// What both sides have said, as bytes that nothing else yields.
class Transcript {
public:
    void add(std::uint64_t number)
    {
        constexpr unsigned bits = 8;
        for (unsigned shift = 0; shift < 64; shift += bits)
            m_bytes += static_cast<char>((number >> shift) & 0xFFU);
    }
    void add(std::string_view bytes)
    {
        add(std::uint64_t{bytes.size()});
        m_bytes += bytes;
    }
    void add(const Secret& secret) { m_bytes.append(secret.begin(), secret.end()); }
    void add(ProtocolVersion version)
    {
        add(std::uint64_t{version.major});
        add(std::uint64_t{version.minor});
    }

    [[nodiscard]] const std::string& bytes() const { return m_bytes; }

private:
    std::string m_bytes;
};

bool sameSecret(const Secret& a, const Secret& b)
{
    return CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string words(ProtocolVersion version)
{
    return std::to_string(version.major) + '.' + std::to_string(version.minor);
}

std::string versionMismatch(const std::string& agent, ProtocolVersion agentProtocol,
                            const std::string& window, ProtocolVersion windowProtocol)
{
    return "the agent (Tasuki " + printable(agent, nameLimit) + ") speaks version "
        + words(agentProtocol) + " of the protocol, the window (Tasuki "
        + printable(window, nameLimit) + ") version " + words(windowProtocol)
        + "; use the same version of Tasuki for both";
}

Error protocolError(std::string message, std::string remedy = {})
{
    return Error{
        .kind = ErrorKind::Protocol, .message = std::move(message), .remedy = std::move(remedy)};
}

} // namespace

Secret randomSecret()
{
    Secret secret{};
    // Without a random source nothing that follows would be safe.
    if (RAND_bytes(secret.data(), static_cast<int>(secret.size())) != 1)
        std::abort();
    return secret;
}

std::string printable(std::string_view text, std::size_t limit)
{
    std::string out = visible(text);
    if (out.size() <= limit)
        return out;
    std::size_t end = limit;
    while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xC0U) == 0x80U)
        --end;
    return out.substr(0, end) + "...";
}

Secret proofOf(Role role, const Secret& token, const ClientHello& client, const ServerHello& server)
{
    Transcript hellos;
    hellos.add(client.protocol);
    hellos.add(client.nonce);
    hellos.add(client.programVersion);
    hellos.add(client.operatorName);
    hellos.add(client.run);
    hellos.add(server.protocol);
    hellos.add(server.nonce);
    hellos.add(server.programVersion);
    Secret hash{};
    unsigned length = 0;
    if (EVP_Digest(hellos.bytes().data(), hellos.bytes().size(), hash.data(), &length, EVP_sha256(),
                   nullptr)
        != 1)
        std::abort();
    std::string proven = role == Role::Agent ? "tasuki agent" : "tasuki client";
    proven += '\0';
    proven.append(hash.begin(), hash.end());
    Secret proof{};
    if (!HMAC(EVP_sha256(), token.data(), static_cast<int>(token.size()),
              reinterpret_cast<const unsigned char*>(proven.data()), proven.size(), proof.data(),
              &length))
        std::abort();
    return proof;
}

// The agent's side. The first row whose state, message and condition hold is taken; what no row is
// for ends the connection.
struct ServerHandshake::Table {
    using Self = ServerHandshake;

    static bool otherMajor(const Self& self, const ClientMessage& message)
    {
        return std::get<ClientHello>(message).protocol.major != self.m_parameters.protocol.major;
    }
    static bool otherRun(const Self& self, const ClientMessage& message)
    {
        const std::string& wanted = std::get<ClientHello>(message).run;
        return !wanted.empty() && wanted != self.m_parameters.run.hex;
    }
    static bool wrongProof(const Self& self, const ClientMessage& message)
    {
        const Secret expected = proofOf(Role::Client, self.m_parameters.token, self.m_client,
                                        self.m_hello);
        return !sameSecret(std::get<ClientProof>(message).proof, expected);
    }
    static bool always(const Self&, const ClientMessage&) { return true; }

    static Step refuseVersion(Self& self, const ClientMessage& message)
    {
        const auto& hello = std::get<ClientHello>(message);
        return refuse(versionMismatch(self.m_parameters.programVersion, self.m_parameters.protocol,
                                      hello.programVersion, hello.protocol));
    }
    static Step refuseRun(Self& self, const ClientMessage& message)
    {
        return refuse("run " + printable(std::get<ClientHello>(message).run, nameLimit)
                      + " is wanted, but this agent has run " + self.m_parameters.run.hex);
    }
    static Step answerHello(Self& self, const ClientMessage& message)
    {
        self.m_client = std::get<ClientHello>(message);
        self.m_hello = {.protocol = self.m_parameters.protocol,
                        .nonce = self.m_parameters.nonce,
                        .programVersion = self.m_parameters.programVersion,
                        .proof = {}};
        self.m_hello.proof = proofOf(Role::Agent, self.m_parameters.token, self.m_client,
                                     self.m_hello);
        return {.next = Step::Next::Wait, .send = self.m_hello, .error = {}};
    }
    static Step refuseProof(Self&, const ClientMessage&)
    {
        return refuse("the window does not know the token of this agent");
    }
    static Step accept(Self&, const ClientMessage&)
    {
        return {.next = Step::Next::Done, .send = {}, .error = {}};
    }

    static Step refuse(const std::string& reason)
    {
        return {.next = Step::Next::Failed,
                .send = Refused{reason},
                .error = protocolError("refused: " + reason)};
    }

    using Row = HandshakeRow<Self, State, ClientMessage, Step>;
    template <class Message>
    static constexpr std::size_t is = indexOf<Message, ClientMessage>;
    // clang-format off
    static constexpr Row rows[] = {
        // state           message          condition   action         next
        {State::AwaitHello, is<ClientHello>, otherMajor, refuseVersion, State::Failed},
        {State::AwaitHello, is<ClientHello>, otherRun,   refuseRun,     State::Failed},
        {State::AwaitHello, is<ClientHello>, always,     answerHello,   State::AwaitProof},
        {State::AwaitProof, is<ClientProof>, wrongProof, refuseProof,   State::Failed},
        {State::AwaitProof, is<ClientProof>, always,     accept,        State::Done},
    };
    // clang-format on
};

ServerHandshake::Step ServerHandshake::receive(const ClientMessage& message)
{
    if (const Table::Row* row = fitting(Table::rows, *this, m_state, message)) {
        m_state = row->next;
        return row->action(*this, message);
    }
    m_state = State::Failed;
    return {.next = Step::Next::Failed,
            .send = {},
            .error = protocolError("sent a message that has no place in the handshake")};
}

// The window's side, in the same manner.
struct ClientHandshake::Table {
    using Self = ClientHandshake;

    static bool otherMajor(const Self& self, const AgentMessage& message)
    {
        return std::get<ServerHello>(message).protocol.major != self.m_hello.protocol.major;
    }
    static bool wrongProof(const Self& self, const AgentMessage& message)
    {
        const auto& hello = std::get<ServerHello>(message);
        return !sameSecret(hello.proof, proofOf(Role::Agent, self.m_token, self.m_hello, hello));
    }
    static bool otherRun(const Self& self, const AgentMessage& message)
    {
        return !self.m_hello.run.empty() && std::get<Welcome>(message).run.hex != self.m_hello.run;
    }
    static bool always(const Self&, const AgentMessage&) { return true; }

    static Step failVersion(Self& self, const AgentMessage& message)
    {
        const auto& hello = std::get<ServerHello>(message);
        return fail(versionMismatch(hello.programVersion, hello.protocol,
                                    self.m_hello.programVersion, self.m_hello.protocol));
    }
    static Step failProof(Self&, const AgentMessage&)
    {
        return fail("what answers there does not know the token of the access file",
                    "another program may have taken the agent's place; look whether the agent "
                    "still runs");
    }
    static Step prove(Self& self, const AgentMessage& message)
    {
        const auto& hello = std::get<ServerHello>(message);
        self.m_agentProtocol = hello.protocol;
        return {.next = Step::Next::Wait,
                .send = ClientProof{proofOf(Role::Client, self.m_token, self.m_hello, hello)},
                .error = {}};
    }
    static Step failRefused(Self&, const AgentMessage& message)
    {
        return fail("refused by the agent: "
                    + printable(std::get<Refused>(message).reason, reasonLimit));
    }
    static Step failBye(Self&, const AgentMessage& message)
    {
        return fail("the agent ends: " + printable(std::get<Bye>(message).reason, reasonLimit));
    }
    static Step failRun(Self& self, const AgentMessage&)
    {
        return fail("the agent does not have run " + self.m_hello.run);
    }
    static Step enter(Self& self, const AgentMessage& message)
    {
        self.m_welcome = std::get<Welcome>(message);
        return {.next = Step::Next::Done, .send = {}, .error = {}};
    }

    static Step fail(std::string reason, std::string remedy = {})
    {
        return {.next = Step::Next::Failed,
                .send = {},
                .error = protocolError(std::move(reason), std::move(remedy))};
    }

    using Row = HandshakeRow<Self, State, AgentMessage, Step>;
    template <class Message>
    static constexpr std::size_t is = indexOf<Message, AgentMessage>;
    // clang-format off
    static constexpr Row rows[] = {
        // state             message          condition   action       next
        {State::AwaitHello,   is<ServerHello>, otherMajor, failVersion, State::Failed},
        {State::AwaitHello,   is<ServerHello>, wrongProof, failProof,   State::Failed},
        {State::AwaitHello,   is<ServerHello>, always,     prove,       State::AwaitWelcome},
        {State::AwaitHello,   is<Refused>,     always,     failRefused, State::Failed},
        {State::AwaitWelcome, is<Refused>,     always,     failRefused, State::Failed},
        {State::AwaitWelcome, is<Bye>,         always,     failBye,     State::Failed},
        {State::AwaitWelcome, is<Welcome>,     otherRun,   failRun,     State::Failed},
        {State::AwaitWelcome, is<Welcome>,     always,     enter,       State::Done},
    };
    // clang-format on
};

ClientHandshake::ClientHandshake(Parameters parameters)
    : m_token(parameters.token),
      m_hello{.protocol = parameters.protocol,
              .nonce = parameters.nonce,
              .programVersion = std::move(parameters.programVersion),
              .operatorName = std::move(parameters.operatorName),
              .run = std::move(parameters.run)}
{}

ClientHandshake::Step ClientHandshake::receive(const AgentMessage& message)
{
    if (const Table::Row* row = fitting(Table::rows, *this, m_state, message)) {
        m_state = row->next;
        return row->action(*this, message);
    }
    m_state = State::Failed;
    return Table::fail("the agent sent a message that has no place in the handshake",
                       "look whether something else listens there");
}

} // namespace tasuki::link
