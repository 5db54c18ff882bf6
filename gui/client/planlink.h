// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QObject>

#include "agentconnection.h"
#include "latest.h"
#include "wire/linkmessages.h"

#include <filesystem>
#include <string>

namespace tasuki {

/// Lets an agent work out one plan after the other, over a connection for each. Lives on a thread of
/// its own; its functions are called queued, its signals are for another thread.
///
///   state      | event                           | does                              | next
///   -----------+---------------------------------+-----------------------------------+-----------
///   any        | begin()                         | ends what was; connects           | Connecting
///   Connecting | the socket is open              | ClientHello                       | Greeting
///   Greeting   | Welcome                         | PlanRequest                       | Sending
///   Sending    | the socket has room             | the next PlanPiece                | Sending,
///              |                                 |                                   | then Waiting
///   Sending,   | PlanProgress, PlanFound         | tells                             | the same
///   Waiting    |                                 |                                   |
///   Sending,   | cancel()                        | PlanCancel                        | Waiting
///   Waiting    |                                 |                                   |
///   Connecting,| cancel()                        | tells that it ended; closes       | Idle
///   Greeting   |                                 |                                   |
///   Sending,   | PlanEnded                       | tells; closes                     | Idle
///   Waiting    |                                 |                                   |
///   any        | the connection ends or is       | tells why; closes                 | Idle
///              | silent, the agent does not want |                                   |
///              | or say what makes sense, the    |                                   |
///              | trace cannot be read            |                                   |
///
/// Closing the connection is what ends a plan that nobody wants any more.
class PlanLink : public QObject {
    Q_OBJECT

public:
    /// What the agent is to work out.
    struct Job {
        link::PlanRequest request; ///< its sizes are found out
        std::string environment;   ///< content of the file
        std::filesystem::path trace;
    };

    explicit PlanLink(AgentTiming timing);

    // All on the link's own thread.
    void begin(const std::filesystem::path& accessFile, const Job& job);
    /// The search is to end; what it found until then, and its end, are still told.
    void cancel();
    /// Nothing more is told.
    void close();
    /// What progressed() or found() told has arrived: before, they tell nothing more.
    void progressTaken();
    void foundTaken();

Q_SIGNALS:
    void sending(quint64 number, quint64 bytes, quint64 total);
    void progressed(const tasuki::link::PlanProgress& progress);
    /// Whole: not in parts.
    void found(const tasuki::link::PlanFound& found);
    /// The last that is told of a plan, unless failed() is.
    void ended(const tasuki::link::PlanEnded& ended);
    /// @param reason  one line for people
    void failed(quint64 number, const QString& reason);

private:
    enum class State : std::uint8_t { Idle, Connecting, Greeting, Sending, Waiting };

    void take(const link::AgentMessage& message);
    void takePart(const link::PlanFound& part);
    void announce();
    void sendPieces();
    void send(const link::ClientMessage& message);
    void fail(const QString& reason);
    void tellRest();

    SystemClock m_clock;
    AgentConnection m_connection;
    State m_state = State::Idle;
    Job m_job;
    QFile m_trace;
    quint64 m_sent = 0; ///< bytes of both files
    link::PlanFound m_parts;
    Latest<link::PlanProgress> m_progress;
    Latest<link::PlanFound> m_found;
};

} // namespace tasuki
