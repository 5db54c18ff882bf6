// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eventcollector.h"

#include "files/uniquefd.h"
#include "wire/accessfile.h"
#include "wire/framing.h"
#include "wire/linkmessages.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tasuki::testing {

/// A window's end of the link, blocking, with a time limit on everything.
class LinkClient {
public:
    enum class Over { Unix, Tcp };

    /// @param receiveBuffer  of the socket, in bytes; 0: the system's
    LinkClient(const link::AccessFile& access, Over over = Over::Unix, int receiveBuffer = 0);

    [[nodiscard]] bool connected() const { return static_cast<bool>(m_socket); }
    /// @return whether all was sent
    bool sendBytes(std::string_view bytes);
    bool send(const link::ClientMessage& message);

    /// @return the next message; nothing when the connection ended or 20 s are over (`timedOut`).
    ///         Events go through the collector too.
    std::optional<link::AgentMessage> receive();
    [[nodiscard]] bool timedOut() const { return m_timedOut; }

    /// Handshake with the token of the access file.
    /// @return what was wrong; empty: it is in, and welcome() is set
    std::string join(const std::string& run = {});
    [[nodiscard]] const std::optional<link::Welcome>& welcome() const { return m_welcome; }

    /// Receives until a condition holds. @return whether it does
    bool receiveUntil(const std::function<bool()>& condition);
    /// Receives until the collector has the event and is live.
    bool receiveUpTo(EventId id);
    /// Receives a message of one kind; others before it are dropped (the collector sees them).
    template <class Message>
    std::optional<Message> await()
    {
        while (auto message = receive())
            if (auto* wanted = std::get_if<Message>(&*message))
                return *wanted;
        return std::nullopt;
    }
    /// @return whether the server ends the connection, whatever it says before
    bool isDropped();

    EventCollector collector;

private:
    link::AccessFile m_access;
    UniqueFd m_socket;
    link::FrameDecoder m_decoder{link::frameLimit};
    std::optional<link::Welcome> m_welcome;
    bool m_timedOut = false;
};

} // namespace tasuki::testing
