// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "windowserver.h"

#include "domain/command.h"
#include "domain/result.h"
#include "wire/linkmessages.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tasuki::link {

/// Where windows may connect over TCP.
struct TcpAddress {
    std::string address = "127.0.0.1"; ///< numeric
    std::uint16_t port = 0;            ///< 0: whichever is free
    bool operator==(const TcpAddress&) const = default;
};

/// Reads the value of --listen: "ADDRESS", "ADDRESS:PORT", "[ADDRESS6]:PORT" or "none".
/// @return no address for "none": windows of this host connect over the Unix socket alone. An Error
///         of kind Input for what is no numeric address, and for addresses that other hosts reach.
Result<std::optional<TcpAddress>> parseListen(std::string_view value);

/// Limits of the link. The defaults are for use, others for tests.
struct LinkLimits {
    std::chrono::milliseconds handshake{5'000};
    std::chrono::milliseconds stalled{
        600'000};                           ///< a window that reads nothing for so long is dropped
    std::chrono::milliseconds coalesce{20}; ///< small batches within this time share a frame
    std::chrono::milliseconds closing{1'000};  ///< for what is to be sent still at the end
    std::size_t recentBytes = 4 * 1024 * 1024; ///< of encoded events that are kept for windows
    std::size_t frameBytes = 128 * 1024;       ///< an Events message is ended when so large
    std::size_t inboxEvents = 65'536;          ///< published and not yet taken over
    std::size_t inboxBytes = 32 * 1024 * 1024; ///< of their commands and outputs
    // Of each kind of socket for itself: who crowds one does not close the other.
    std::size_t unauthenticatedUnix = 32; ///< the oldest one goes for the newest
    std::size_t unauthenticatedTcp = 128; ///< likewise
    std::size_t authenticated = 256;      ///< commands that wait for tasks of theirs count, too
    std::size_t openRequests = 64;        ///< of one window; more wait in its socket
};

struct LinkOptions {
    RunId run;
    Epoch epoch;
    std::filesystem::path runFile; ///< absolute; exists
    std::string title;             ///< name of the task list, or "serve"
    std::string directory;         ///< in which the agent was started
    std::string programVersion;
    bool serve = false;
    std::optional<TcpAddress> tcp = TcpAddress{};
    /// Directories of access file and socket; empty: the user's (see wire/accessfile.h).
    std::filesystem::path accessDirectory;
    std::filesystem::path socketDirectory;
    LinkLimits limits;
};

/// A window, as the agent's log and the events that it causes name it.
struct ClientLabel {
    std::uint64_t number = 0;   ///< of the connection, from 1
    std::string operatorName;   ///< "user@host" by its own word, printable
    std::string programVersion; ///< of the window
    std::string peer;           ///< "unix socket" or "127.0.0.1:40000"
};

/// Sends messages to one window, in order and together. Any thread, at any time; never waits.
/// @param mayBeLeftOut  they are, when the window has not read what was sent before
using PlanOutlet = std::function<void(std::vector<AgentMessage> messages, bool mayBeLeftOut)>;

/// What the link asks of the agent. All are called on the link's thread and must not block; the
/// reply functions may be called from any thread, at any time, once, also after the server is gone.
struct LinkCallbacks {
    std::function<void(ClientLabel, OperatorCommand, std::function<void(CommandAnswer)>)> command;
    /// Output of attempts that run. `known` = false: the link then looks into the run file.
    std::function<void(OutputQuery, std::function<void(OutputAnswer)>)> output;
    /// A task as the record defines it now; nothing when there is none.
    std::function<void(TaskId, std::function<void(std::optional<Task>)>)> task;
    /// One line for the agent's log. Warning: a window that was refused or dropped; Information:
    /// comings and goings.
    std::function<void(Severity, std::string)> log;
    /// What a window says of a plan, and how it is told of it. None: this agent does not plan.
    /// @param window  the number of its connection
    std::function<void(std::uint64_t window, PlanWish, PlanOutlet)> plan = {};
    /// A window that was in has gone.
    std::function<void(std::uint64_t window)> left = {};
};

/// Serves the windows of one agent: a thread of its own, a Unix socket, a TCP port, an access file.
///
/// Windows get every committed event once, in order. What they lack when they come, or have missed
/// because they read slowly, is read from the run file. No window can make the agent wait or grow.
class LinkServer final : public WindowServer {
public:
    /// Listens, and writes the access file.
    /// @param options  the run file is opened for reading; close the server before its writer
    /// @return an Error when a socket, a directory or the access file cannot be made
    static Result<std::unique_ptr<LinkServer>> start(LinkOptions options, LinkCallbacks callbacks);

    /// As close("the agent has ended").
    ~LinkServer() override;

    void published(std::shared_ptr<const std::vector<Event>> committed) override;
    void status(Status status) override;
    /// Removes access file and socket, too. Returns when the thread has ended.
    void close(std::string reason) override;
    void drop() override;

    /// Path of the access file.
    [[nodiscard]] const std::filesystem::path& access() const;

    /// Where it listens, for messages to people.
    [[nodiscard]] const std::string& socket() const;
    [[nodiscard]] const std::optional<TcpAddress>& tcp() const;

private:
    void end(const std::function<void()>& begin);
    class Impl;
    explicit LinkServer(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace tasuki::link
