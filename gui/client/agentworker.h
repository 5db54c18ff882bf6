// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

#include "agentconnection.h"
#include "agentsource.h"
#include "latest.h"
#include "linkclient/agentaddress.h"
#include "linkclient/eventintake.h"
#include "linkclient/reconnection.h"
#include "sessionsource.h"
#include "windowcredit.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>

namespace tasuki {

/// The part of AgentSource that speaks with the agent. Lives on the source's thread; signals are
/// for the source, queued.
class AgentWorker : public QObject {
    Q_OBJECT

public:
    /// @param clock  says how long the agent was silent and how long ago it was lost, while timers count by
    ///               themselves; must outlive the worker
    AgentWorker(AgentPlace place, AgentTiming timing, const Clock& clock);

    // All on the worker's thread.
    void open();
    void close();
    void release(std::size_t batches);
    /// What newsTold() told of has arrived, and what one messageTold() told of.
    void newsTaken();
    void messageTaken();
    void restart();
    void retryNow();
    /// Sends a request under the number that its reply will have; answered by a signal.
    void sendCommand(quint64 number, OperatorCommand command);
    void requestOutput(quint64 number, OutputQuery query);
    void requestTask(quint64 number, TaskId task);

Q_SIGNALS:
    void restarted();
    void catchingUp(quint64 toCome);
    void batchRead(const tasuki::SharedBatch& batch);
    void caughtUp();
    void statusChanged(const tasuki::ConnectionStatus& status);
    void agentChanged(const tasuki::AgentInfo& agent);
    void agentStatusChanged(const tasuki::AgentStatus& status);
    void heard(std::optional<tasuki::WallTime> agentNow);
    /// The agent's status, or a sign of life, was told; the next one after newsTaken().
    void newsTold();
    /// Something else was told that no batch is; after so many without messageTaken() nothing more is
    /// read.
    void messageTold();
    void commandAnswered(quint64 number, const tasuki::CommandAnswer& answer);
    void outputAnswered(quint64 number, const tasuki::OutputAnswer& answer);
    void taskAnswered(quint64 number, const tasuki::Result<tasuki::Task>& answer);
    void requestFailed(quint64 number, const QString& reason);

private:
    /// How the agent is: of what has not been told yet only the newest counts.
    struct News {
        std::optional<AgentStatus> status; ///< none: it lives
        std::optional<WallTime> agentNow;
    };
    /// What somebody wants to be done, or only to know.
    enum class Asked : std::uint8_t { ToDo, ToTell };

    // How a connection begins and ends.
    void connectToAgent();
    void begin(const link::Welcome& welcome);
    void end(ConnectionInput why, const QString& reason);
    void look();
    [[nodiscard]] bool mayComeBack() const;
    [[nodiscard]] QString reasonOfLoss(const QString& reason) const;
    void tell(const QString& reason = {});

    // What comes and goes while it lasts.
    void takeMessage(link::AgentMessage& message);
    void take(const link::SnapshotBegin& message);
    void take(link::Events& message);
    void take(const link::SnapshotEnd& message);
    void take(const link::Gap& message);
    void take(const link::Status& message);
    void take(const link::CommandReply& message);
    void take(const link::OutputReply& message);
    void take(const link::TaskReply& message);
    void take(const link::Pong& message);
    void take(const link::Bye& message);
    void take(const link::Refused& message);
    void takeNews(News news);
    void tellNews(const News& news);
    void messageWasTold();
    /// What people are told of the state: of a record that answers, as of a run file.
    [[nodiscard]] ConnectionState shownState() const;
    /// Whether there is an agent that has let this window in.
    [[nodiscard]] bool hearsMe() const;
    void subscribe();
    void request(quint64 number, Asked what, const link::ClientMessage& message);

    const Clock& m_clock;
    std::optional<AgentAddress> m_address; ///< none: it is on another host
    RemoteRun m_remote;                    ///< of the other host
    bool m_wasThere = false;               ///< something has answered on the other host
    ConnectionMachine m_machine;
    AgentConnection m_connection;
    EventIntake m_events;
    WindowCredit m_credit;
    Latest<News> m_news;
    std::map<quint64, Asked> m_open; ///< requests without a reply
    Reconnection m_again;
    QTimer* m_retryTimer = nullptr;
    QTimer* m_lookTimer = nullptr;
    QString m_reason; ///< what was told last
};

} // namespace tasuki
