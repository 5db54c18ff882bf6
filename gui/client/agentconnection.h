// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

#include "agentsource.h"
#include "linkclient/conversation.h"
#include "linkclient/remoterun.h"
#include "wire/accessfile.h"

#include <functional>
#include <memory>
#include <optional>

namespace tasuki {

class LinkSocket;

/// A connection to an agent: both sides prove themselves, messages come and go, and an agent that falls silent
/// is noticed. Does not come back by itself. Signals and functions of its owner are called on its own thread.
class AgentConnection : public QObject {
    Q_OBJECT

public:
    /// Why it has ended.
    enum class End : std::uint8_t {
        Lost,    ///< it broke, or the agent fell silent or made no sense
        Refused, ///< the agent, or this side, does not want it
        Bye,     ///< the agent ends
    };
    struct Owner {
        /// Takes a message that comes after Welcome; may close the connection.
        std::function<void(link::AgentMessage& message)> take;
        /// Whether it takes any now. Else nothing is read, and silence is not the agent's; see readAgain().
        std::function<bool()> listens = [] { return true; };
    };

    /// @param clock  says how long the agent was silent, while timers count by themselves; must outlive the
    ///               connection
    AgentConnection(AgentTiming timing, const Clock& clock, Owner owner, QObject* parent = nullptr);
    ~AgentConnection() override;

    /// Begins to connect, after closing what was open. welcomed() or ended() follows.
    void open(const link::AccessFile& access);
    /// The same of a run on another host, over ssh.
    void open(const RemoteRun& run);
    /// Nothing more is told.
    void close();
    /// @return an Error for a message that is too large for a frame
    Result<void> send(const link::ClientMessage& message);
    /// The owner listens again.
    void readAgain();
    /// The agent said what it must not say: ends the connection.
    /// @param what  one line for people
    void broken(const QString& what);

    /// Both have proved themselves, and as far as is known the agent hears what is sent.
    [[nodiscard]] bool isHeard() const;
    /// The run of the agent, and whether it is none, but reads a record. Valid from reached() to ended().
    [[nodiscard]] const RunId& run() const { return m_access.run; }
    [[nodiscard]] bool isOfRecord() const { return m_isOfRecord; }
    /// What the agent speaks. Valid from welcomed() to ended().
    [[nodiscard]] const link::ProtocolVersion& agentProtocol() const
    {
        return m_conversation->agentProtocol();
    }
    /// @return bytes that are to be sent still; written() tells when some were
    [[nodiscard]] qint64 waiting() const;

Q_SIGNALS:
    /// A socket is open; the greeting begins.
    void reached();
    void welcomed(const tasuki::link::Welcome& welcome);
    void written();
    /// Once, after what had arrived was taken.
    /// @param reason  one line for people
    void ended(tasuki::AgentConnection::End why, const QString& reason);

private:
    void makeTimers();
    void makeSocket();
    void greet();
    void pump();
    void readOn();
    void flush();
    void take(const link::Welcome& welcome);
    void take(link::AgentMessage& message);
    void take(const Conversation::End& last);
    void beat();
    void end(End why, const QString& reason);

    AgentTiming m_timing;
    const Clock& m_clock;
    Owner m_owner;
    link::AccessFile m_access; ///< from reached() on
    bool m_isOfRecord = false;
    std::unique_ptr<LinkSocket> m_socket;
    /// From reached() on. Shared with what goes on in it when the owner closes the connection.
    std::shared_ptr<Conversation> m_conversation;
    bool m_pumping = false;
    /// Why nothing more arrives; what has arrived is still read.
    struct HangUp {
        End why = End::Lost;
        QString reason;
    };
    std::optional<HangUp> m_hungUp;
    QTimer* m_beatTimer = nullptr;
    QTimer* m_greetingTimer = nullptr;
};

} // namespace tasuki
