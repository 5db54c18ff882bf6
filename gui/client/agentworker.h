// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

#include "agentsource.h"
#include "connection.h"
#include "latest.h"
#include "linksocket.h"
#include "sessionsource.h"
#include "wire/accessfile.h"
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
    AgentWorker(std::filesystem::path accessFile, AgentTiming timing);

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
    struct Handle;
    /// How the agent is: of what has not been told yet only the newest counts.
    struct News {
        std::optional<AgentStatus> status; ///< none: it lives
        std::optional<WallTime> agentNow;
    };
    /// What somebody wants to be done, or only to know.
    enum class Asked : std::uint8_t { ToDo, ToTell };

    // How a connection begins and ends.
    [[nodiscard]] std::optional<link::AccessFile> chooseAgent();
    [[nodiscard]] bool hasSuccessor() const;
    void connectToAgent();
    void greet();
    void end(ConnectionInput why, const QString& reason);
    void look();
    [[nodiscard]] QString reasonOfLoss(const QString& reason) const;
    void tell(const QString& reason = {});

    // What comes and goes while it lasts.
    void pump();
    void readOn();
    /// @return whether the connection lasts
    bool takeMessage(std::string_view payload);
    bool takeGreeting(const link::AgentMessage& message);
    bool takeBatch(link::Events&& events);
    void takeNews(News news);
    void tellNews(const News& news);
    bool messageWasTold();
    /// Whether enough waits for the window to take it.
    [[nodiscard]] bool isFull() const;
    void goOn(bool wasFull);
    bool broken(const QString& what);
    /// Whether there is an agent that has let this window in.
    [[nodiscard]] bool hearsMe() const;
    void subscribe();
    void send(const link::ClientMessage& message);
    void request(quint64 number, Asked what, const link::ClientMessage& message);
    void beat();

    std::filesystem::path m_accessPath;
    AgentTiming m_timing;
    std::string m_hostKey;
    std::optional<link::AccessFile> m_access; ///< of the last try
    RunId m_run;                              ///< empty: not known yet
    ConnectionMachine m_machine;
    std::unique_ptr<LinkSocket> m_socket;
    std::unique_ptr<link::ClientHandshake> m_handshake; ///< while greeting
    link::FrameDecoder m_decoder;
    EventId m_last;           ///< of what was delivered
    bool m_fromStart = false; ///< the next subscription is for everything
    std::uint32_t m_failures = 0;
    std::size_t m_outstanding = 0; ///< batches that are not released
    std::size_t m_untaken = 0;     ///< of what messageTold() told
    Latest<News> m_news;
    bool m_pumping = false;
    std::optional<QString> m_hungUp; ///< why nothing more arrives; what has arrived is still read
    std::map<quint64, Asked> m_open; ///< requests without a reply
    std::uint64_t m_pings = 0;
    SteadyTime m_lastHeard{};
    SteadyTime m_lastBeat{};
    QTimer* m_beatTimer = nullptr;
    QTimer* m_greetingTimer = nullptr;
    QTimer* m_retryTimer = nullptr;
    QTimer* m_lookTimer = nullptr;
    std::chrono::milliseconds m_lookPause{}; ///< before the next look
    std::optional<SteadyTime> m_nextTry;
    SteadyTime m_lostAt{}; ///< when the connection ended that led somewhere
    QString m_reason;      ///< what was told last
};

} // namespace tasuki
