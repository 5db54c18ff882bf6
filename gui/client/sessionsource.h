// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include "connectionstatus.h"
#include "domain/command.h"
#include "domain/rankprogram.h"
#include "linkclient/eventbatch.h"
#include "linkclient/pendingreplies.h"

#include <memory>
#include <optional>
#include <vector>

namespace tasuki {

/// Where the events of a session come from.
enum class SourceKind : std::uint8_t { RunFile, Agent };

/// Who the agent is.
struct AgentInfo {
    RunId run;
    Epoch epoch;
    QString runFile;   ///< path on the agent's host
    QString directory; ///< in which it was started
    QString host;
    std::int64_t pid = 0;
    bool serve = false; ///< stays up when all is done and takes tasks from windows
    bool operator==(const AgentInfo&) const = default;
};

/// How the agent is now.
struct AgentStatus {
    QString phase;                          ///< a word of the agent's, e.g. "running"
    QString stalled;                        ///< why the run file cannot be written; empty: it can
    std::uint64_t slots = 0;                ///< of all present processors
    std::uint64_t outstanding = 0;          ///< attempts that are with processors
    std::uint64_t uncommitted = 0;          ///< events that are not in the run file yet
    bool recovery = true;                   ///< the launch survives the death of a processor
    std::vector<RankProgram> programs = {}; ///< of worlds, that run now
    bool operator==(const AgentStatus&) const = default;
};

/// Brings the events of one run. Lives on the GUI thread and never blocks it: sockets and files are
/// served on a thread of its own. All signals come on the GUI thread, in the order of what
/// happened. The destructor ends the thread and fails what was asked for.
///
/// Requests are answered on the GUI thread, maybe while the source is destroyed: what a callback needs must outlive
/// it or be guarded.
///
/// Credits bound memory: a source keeps at most `batchWindow` batches announced and not released;
/// until the next release it reads nothing more.
class SessionSource : public QObject {
    Q_OBJECT

public:
    static constexpr std::size_t batchWindow = 8;
    static constexpr std::size_t batchEvents = 4096;     ///< most events of a batch
    static constexpr std::size_t batchBytes = 1U << 20U; ///< about: most text of a batch

    using QObject::QObject;
    ~SessionSource() override;

    [[nodiscard]] virtual SourceKind kind() const = 0;
    /// Paths that it tells of are those of another host.
    [[nodiscard]] virtual bool isElsewhere() const { return false; }
    /// What people call it: a path, or run and host.
    [[nodiscard]] virtual QString name() const = 0;
    /// Begins to deliver. To be called once.
    virtual void start() = 0;
    /// So many batches are dealt with.
    virtual void release(std::size_t batches) = 0;
    /// Delivers everything again from the first event, after restarted().
    virtual void restart() = 0;
    /// Tries to connect at once instead of waiting; nothing when connected.
    virtual void retryNow() = 0;
    virtual void sendCommand(OperatorCommand command, CommandDone done) = 0;
    virtual void requestOutput(OutputQuery query, OutputDone done) = 0;
    /// A task with its whole command.
    virtual void requestTask(TaskId task, TaskDone done) = 0;

Q_SIGNALS:
    /// What was delivered is void; the next batch begins with the first event.
    void restarted();
    /// Batches follow that tell what had happened before; then caughtUp().
    /// @param toCome  how many events they have; 0: not known
    void catchingUp(quint64 toCome);
    void batchArrived(const tasuki::SharedBatch& batch);
    void caughtUp();
    void statusChanged(const tasuki::ConnectionStatus& status);
    void agentChanged(const tasuki::AgentInfo& agent);
    void agentStatusChanged(const tasuki::AgentStatus& status);
    /// The other side gave a sign of life, a few times a second.
    /// @param agentNow  the time by its clock; none: it did not say
    void heard(std::optional<tasuki::WallTime> agentNow);
};

} // namespace tasuki
