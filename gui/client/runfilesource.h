// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QThread>

#include "sessionsource.h"

#include <filesystem>

namespace tasuki {

class RunFileWorker;

/// Reads a run file, and what an agent adds to it while it is open. A file that cannot be read
/// leads to Refused with the reason. Refuses commands; gives the output of ended attempts.
class RunFileSource final : public SessionSource {
    Q_OBJECT

public:
    /// @param pollInterval  how often the file is asked for new events
    explicit RunFileSource(std::filesystem::path path, QObject* parent = nullptr,
                           std::chrono::milliseconds pollInterval = std::chrono::milliseconds(500));
    ~RunFileSource() override;

    [[nodiscard]] SourceKind kind() const override { return SourceKind::RunFile; }
    [[nodiscard]] QString name() const override;
    void start() override;
    void release(std::size_t batches) override;
    void restart() override;
    void retryNow() override {}
    void sendCommand(OperatorCommand command, CommandDone done) override;
    void requestOutput(OutputQuery query, OutputDone done) override;
    void requestTask(TaskId task, TaskDone done) override;

private:
    /// Answers later, as everything is answered.
    void fail(std::uint64_t number, const QString& why);

    std::filesystem::path m_path;
    PendingReplies m_replies;
    QThread m_thread;
    RunFileWorker* m_worker; ///< lives on m_thread, deleted when it ends
};

} // namespace tasuki
