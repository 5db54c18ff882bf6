// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agenttiming.h"
#include "lifesigns.h"

#include "domain/clock.h"
#include "domain/result.h"
#include "wire/accessfile.h"
#include "wire/framing.h"
#include "wire/handshake.h"
#include "wire/linkmessages.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace tasuki {

/// What is said on one connection to an agent, without its socket: both sides prove themselves, messages come and go, and an
/// agent that falls silent is noticed. Its owner carries the bytes, asks for beat() each AgentTiming::ping, and puts the end
/// into words.
class Conversation {
public:
    /// Why it has ended.
    enum class Cause : std::uint8_t {
        NoSense, ///< the agent said what it must not say; `detail`: what
        Greeted, ///< the same: it greeted a second time
        Silent,  ///< nothing was heard of it
        Refused, ///< the agent, or this side, does not want it; `detail`: why
        Bye,     ///< the agent ends; `detail`: why
    };
    struct End {
        Cause cause = Cause::Silent;
        std::string detail; ///< one line for people
    };
    using Said = std::variant<link::Welcome, link::AgentMessage, End>;

    /// Begins with the greeting: see takeOutgoing().
    /// @param access        of the agent; one that has another run is refused
    /// @param operatorName  "user@host"
    Conversation(const link::AccessFile& access, std::string operatorName,
                 const AgentTiming& timing);

    /// What is to be sent now; empty: nothing.
    [[nodiscard]] std::string takeOutgoing();
    /// Bytes have come from the agent.
    void feed(std::string_view bytes, SteadyTime now);
    /// What it has said next: Welcome first, then messages, and at last its end, after which nothing may be called but
    /// takeOutgoing().
    /// @return none: more bytes are needed
    std::optional<Said> next(SteadyTime now);
    /// @return an Error for a message that is too large for a frame
    Result<void> send(const link::ClientMessage& message);
    /// A sign of life is due. Nothing before Welcome.
    /// @param listens  the owner takes what the agent says
    std::optional<End> beat(SteadyTime now, bool listens);
    /// The owner listens again: what it did not hear meanwhile was not silence.
    void heardAgain(SteadyTime now) { m_signs.heard(now); }

    /// Both have proved themselves.
    [[nodiscard]] bool isIn() const { return m_isIn; }
    /// What the agent speaks. Precondition: isIn().
    [[nodiscard]] const link::ProtocolVersion& agentProtocol() const
    {
        return m_handshake.agentProtocol();
    }

private:
    std::optional<Said> greet(const link::AgentMessage& message, SteadyTime now);

    link::ClientHandshake m_handshake;
    link::FrameDecoder m_decoder;
    LifeSigns m_signs;
    std::string m_outgoing;
    bool m_isIn = false;
};

} // namespace tasuki
