// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QThread>

#include "domain/clock.h"
#include "linkclient/agenttiming.h"
#include "linkclient/remoterun.h"
#include "sessionsource.h"

#include <filesystem>
#include <optional>
#include <variant>

namespace tasuki {

class AgentWorker;

/// Where an agent is looked for: its access file on this host, or a run on another one.
using AgentPlace = std::variant<std::filesystem::path, RemoteRun>;

/// The live events of a run from its agent, over its Unix socket or, when that cannot be reached,
/// over TCP on the loopback. Reconnects by itself, also to another agent: one that goes on with the
/// run in the place of a master that was lost, or one that has resumed it. It is known by the run and
/// another token in its access file. On another host a relay does the looking, over ssh; where no agent works on the run
/// it answers from the record, which is shown as a run file is (ConnectionState::Offline).
class AgentSource final : public SessionSource {
    Q_OBJECT

public:
    /// @param place  an access file's directory is where successors are looked for
    explicit AgentSource(AgentPlace place, QObject* parent = nullptr, AgentTiming timing = {});
    ~AgentSource() override;

    [[nodiscard]] SourceKind kind() const override { return SourceKind::Agent; }
    [[nodiscard]] bool isElsewhere() const override;
    [[nodiscard]] QString name() const override;
    void start() override;
    void release(std::size_t batches) override;
    void restart() override;
    void retryNow() override;
    void sendCommand(OperatorCommand command, CommandDone done) override;
    void requestOutput(OutputQuery query, OutputDone done) override;
    void requestTask(TaskId task, TaskDone done) override;

private:
    AgentPlace m_place;
    std::optional<AgentInfo> m_agent;
    PendingReplies m_replies;
    SystemClock m_clock;
    QThread m_thread;
    AgentWorker* m_worker; ///< lives on m_thread, deleted when it ends
};

} // namespace tasuki
