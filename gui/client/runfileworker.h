// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

#include "connectionstatus.h"
#include "runfile/runfilereader.h"
#include "sessionsource.h"

#include <atomic>
#include <filesystem>
#include <optional>

namespace tasuki {

/// The part of RunFileSource that reads. Lives on the source's thread; signals are for the source,
/// queued.
class RunFileWorker : public QObject {
    Q_OBJECT

public:
    RunFileWorker(std::filesystem::path path, std::chrono::milliseconds pollInterval);

    // From any thread.
    /// Lets a replay that runs come to its end soon; nothing is read afterwards.
    void stop() { m_stopped = true; }
    void release(std::size_t batches) { m_outstanding -= batches; }

    // On the worker's thread.
    void open();
    void restart();
    /// Reads on when a replay waits for a release.
    void resume();
    void requestOutput(quint64 number, OutputQuery query);

Q_SIGNALS:
    void restarted();
    void catchingUp(quint64 toCome);
    void batchRead(const tasuki::SharedBatch& batch);
    void caughtUp();
    void statusChanged(const tasuki::ConnectionStatus& status);
    void outputRead(quint64 number, const tasuki::Result<tasuki::OutputAnswer>& answer);

private:
    void poll();
    void read();
    Result<void> take(Event event);
    void flush();
    /// Of a record that another host writes.
    void tellAge();
    void refuse(const Error& error);
    void tell(QString reason = {});

    std::filesystem::path m_path;
    std::chrono::milliseconds m_interval;
    std::optional<RunFileReader> m_reader;
    ConnectionMachine m_machine;
    QTimer* m_timer = nullptr;
    EventId m_last;
    QString m_age; ///< as told
    std::shared_ptr<EventBatch> m_batch;
    std::size_t m_bytes = 0;
    std::atomic<std::size_t> m_outstanding = 0;
    std::atomic<bool> m_stopped = false;
    bool m_paused = false;
    bool m_caughtUp = false;
};

} // namespace tasuki
