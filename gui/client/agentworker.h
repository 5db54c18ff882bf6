// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

#include "agentaddress.h"
#include "agentsource.h"
#include "connection.h"
#include "eventintake.h"
#include "latest.h"
#include "lifesigns.h"
#include "linksocket.h"
#include "reconnection.h"
#include "sessionsource.h"
#include "windowcredit.h"
#include "wire/framing.h"
#include "wire/handshake.h"

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
    AgentWorker(std::filesystem::path accessFile, AgentTiming timing, const Clock& clock);

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
    void greet();
    void end(ConnectionInput why, const QString& reason);
    void look();
    [[nodiscard]] QString reasonOfLoss(const QString& reason) const;
    void tell(const QString& reason = {});

    // What comes and goes while it lasts.
    void pump();
    void readOn();
    // All that take a message return whether the connection lasts.
    bool takeMessage(std::string_view payload);
    bool takeGreeting(const link::AgentMessage& message);
    bool take(const link::SnapshotBegin& message);
    bool take(link::Events& message);
    bool take(const link::SnapshotEnd& message);
    bool take(const link::Gap& message);
    bool take(const link::Status& message);
    bool take(const link::CommandReply& message);
    bool take(const link::OutputReply& message);
    bool take(const link::TaskReply& message);
    bool take(const link::Pong& message);
    bool take(const link::Bye& message);
    bool take(const link::Refused& message);
    bool takeEnd(ConnectionInput why, const std::string& reason);
    void takeNews(News news);
    void tellNews(const News& news);
    bool messageWasTold();
    void goOn();
    bool broken(const QString& what);
    /// Whether there is an agent that has let this window in.
    [[nodiscard]] bool hearsMe() const;
    void subscribe();
    void send(const link::ClientMessage& message);
    void request(quint64 number, Asked what, const link::ClientMessage& message);
    void beat();

    AgentTiming m_timing;
    const Clock& m_clock;
    AgentAddress m_address;
    ConnectionMachine m_machine;
    std::unique_ptr<LinkSocket> m_socket;
    std::unique_ptr<link::ClientHandshake> m_handshake; ///< while greeting
    link::FrameDecoder m_decoder;
    EventIntake m_events;
    WindowCredit m_credit;
    Latest<News> m_news;
    bool m_pumping = false;
    std::optional<QString> m_hungUp; ///< why nothing more arrives; what has arrived is still read
    std::map<quint64, Asked> m_open; ///< requests without a reply
    LifeSigns m_signs;
    Reconnection m_again;
    QTimer* m_beatTimer = nullptr;
    QTimer* m_greetingTimer = nullptr;
    QTimer* m_retryTimer = nullptr;
    QTimer* m_lookTimer = nullptr;
    QString m_reason; ///< what was told last
};

} // namespace tasuki
