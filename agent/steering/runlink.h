// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connection.h"

#include "domain/clock.h"
#include "linkclient/agentaddress.h"
#include "linkclient/agenttiming.h"
#include "linkclient/connection.h"
#include "linkclient/eventintake.h"
#include "linkclient/pendingreplies.h"
#include "linkclient/reconnection.h"

#include <boost/asio/steady_timer.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <random>
#include <string>

namespace tasuki::steering {

/// Keeps to a living run: joins its agent, comes back after a loss, also to the agent's successor, and gives events,
/// each once. Its states are those of ConnectionMachine. All on the thread that runs the io_context.
class RunLink {
public:
    struct Hooks {
        /// Events in their order, none left out.
        std::function<void(const EventBatch&)> events = [](const EventBatch&) {};
        /// What was received is void: the next batch begins with the first event.
        std::function<void()> restarted = [] {};
        /// All that had happened was given.
        std::function<void()> caughtUp = [] {};
        std::function<void(const link::Status&)> status = [](const link::Status&) {};
        /// The state has changed; `reason` is one line for people, of Waiting, Refused and Ended.
        std::function<void(ConnectionState, const std::string& reason)> changed =
            [](ConnectionState, const std::string&) {};
    };
    /// Whether it gives events at all.
    enum class Wish : std::uint8_t { AnswersAlone, Events };

    /// @param context, clock  outlive this object
    /// @param accessFile      of the agent; its directory is where successors are looked for
    RunLink(boost::asio::io_context& context, const Clock& clock, AgentTiming timing,
            std::filesystem::path accessFile, Hooks hooks);
    RunLink(const RunLink&) = delete;
    RunLink& operator=(const RunLink&) = delete;
    ~RunLink();

    /// Begins to connect. To be called once.
    void start(Wish wish);
    /// Wants the events after one from now on. Only where none were wanted before.
    void follow(EventId after);

    /// Sends a request when the agent hears; else it fails at once. Answered once, not from inside this call.
    void command(OperatorCommand command, CommandDone done);
    void output(OutputQuery query, OutputDone done);

    /// Whether the agent hears what is sent.
    [[nodiscard]] bool isIn() const;
    /// Bytes that are to be sent still.
    [[nodiscard]] std::size_t waiting() const { return m_connection ? m_connection->waiting() : 0; }

private:
    void connect();
    void welcomed();
    void take(link::AgentMessage& message);
    void take(const link::SnapshotBegin& message);
    void take(link::Events& message);
    void take(const link::SnapshotEnd& message);
    void take(const link::Gap& message);
    void lost(ConnectionInput why, const std::string& reason);
    void broken(const std::string& what);
    void tryLater();
    void lookLater();
    void retry();
    void subscribe();
    template <class Request, class Done>
    void request(Request request, Done done);

    boost::asio::io_context& m_context;
    const Clock& m_clock;
    AgentTiming m_timing;
    Hooks m_hooks;
    AgentAddress m_address;
    ConnectionMachine m_machine;
    Reconnection m_again;
    EventIntake m_intake;
    PendingReplies m_replies;
    std::unique_ptr<Connection> m_connection;
    boost::asio::steady_timer m_tryTimer;
    boost::asio::steady_timer m_lookTimer;
    std::minstd_rand m_chance{std::random_device{}()};
    Wish m_wish = Wish::AnswersAlone;
};

} // namespace tasuki::steering
