// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"
#include "domain/result.h"
#include "linkclient/agenttiming.h"
#include "linkclient/connection.h"
#include "wire/accessfile.h"
#include "wire/linkmessages.h"

#include <functional>
#include <memory>
#include <string>

namespace boost::asio {
class io_context;
}

namespace tasuki::steering {

/// One connection of a command to an agent: a socket (Unix, else TCP), greeting, messages, signs of life. It does not
/// come back by itself. All on the thread that runs the io_context; nothing is called from inside a call.
class Connection {
public:
    struct Owner {
        std::function<void(const link::Welcome&)> welcomed;
        /// A message that comes after Welcome. May destroy the connection.
        std::function<void(link::AgentMessage)> take;
        /// Once, last of all: Lost, Refuse or Bye, and why, as one line for people. May destroy the connection.
        std::function<void(ConnectionInput why, const std::string& reason)> ended;
    };

    /// Begins to connect.
    /// @param context, clock  outlive the connection
    Connection(boost::asio::io_context& context, const Clock& clock, const AgentTiming& timing,
               link::AccessFile access, Owner owner);
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    /// Nothing more is told.
    ~Connection();

    /// Precondition: welcomed.
    /// @return an Error for a message that is too large for a frame
    Result<void> send(const link::ClientMessage& message);
    /// Bytes that are to be sent still.
    [[nodiscard]] std::size_t waiting() const;

private:
    class Stream;
    std::shared_ptr<Stream> m_stream; ///< shared with what is under way
};

} // namespace tasuki::steering
