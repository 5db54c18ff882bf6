// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QThread>

#include "domain/clock.h"
#include "linkclient/agenttiming.h"
#include "sessionsource.h"

#include <filesystem>

namespace tasuki {

class AgentWorker;

/// The live events of a run from its agent, over its Unix socket or, when that cannot be reached,
/// over TCP on the loopback. Reconnects by itself, also to another agent: one that goes on with the
/// run in the place of a master that was lost, or one that has resumed it. It is known by the run and
/// another token in its access file.
class AgentSource final : public SessionSource {
    Q_OBJECT

public:
    /// @param accessFile  of the agent; its directory is where successors are looked for
    explicit AgentSource(std::filesystem::path accessFile, QObject* parent = nullptr,
                         AgentTiming timing = {});
    ~AgentSource() override;

    [[nodiscard]] SourceKind kind() const override { return SourceKind::Agent; }
    [[nodiscard]] QString name() const override;
    void start() override;
    void release(std::size_t batches) override;
    void restart() override;
    void retryNow() override;
    void sendCommand(OperatorCommand command, CommandDone done) override;
    void requestOutput(OutputQuery query, OutputDone done) override;
    void requestTask(TaskId task, TaskDone done) override;

private:
    std::filesystem::path m_accessFile;
    std::optional<AgentInfo> m_agent;
    PendingReplies m_replies;
    SystemClock m_clock;
    QThread m_thread;
    AgentWorker* m_worker; ///< lives on m_thread, deleted when it ends
};

} // namespace tasuki
