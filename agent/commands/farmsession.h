// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "farmoptions.h"
#include "launchenvironment.h"
#include "launcherwatch.h"
#include "ranksignals.h"
#include "runplan.h"
#include "windowlink.h"

#include "control/processwatch.h"
#include "domain/clock.h"
#include "farm/master.h"
#include "farm/worker.h"
#include "host/hostidentity.h"
#include "reactor/pollable.h"
#include "reactor/reactor.h"
#include "reactor/timer.h"
#include "recorder/recorder.h"
#include "report/runreporter.h"
#include "transport/transport.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace tasuki {

/// How a processor's part in a run ended.
struct SessionEnd {
    int exitCode = 0;
    bool losses = false;    ///< a processor may not be there any more: do not wait for it
    bool abandoned = false; ///< the run was given up because master or launcher are gone
};

/// Puts a farm together on one processor and runs it: reactor, transport, worker, and on rank 0 the
/// recorder, the master and the reporter. Composition only: what is decided, is decided in farm.
class FarmSession {
public:
    /// Makes the executor of this processor's worker.
    using ExecutorFactory =
        std::function<std::unique_ptr<Executor>(Reactor&, Rank, const farm::Welcome&, Epoch)>;

    struct Setup {
        FarmOptions options;
        LaunchEnvironment launch;
        std::uint32_t slots = 1;     ///< of this processor; 0: it runs no tasks
        bool recovery = true;        ///< the launcher survives the loss of a rank
        std::optional<pid_t> master; ///< rank 0's process, if another one on this host
        std::optional<RunPlan> plan; ///< on rank 0 alone
        ExecutorFactory makeExecutor;
    };

    /// @param transport, clock  outlive the session
    FarmSession(Setup setup, Transport& transport, const Clock& clock);
    ~FarmSession();
    FarmSession(const FarmSession&) = delete;
    FarmSession& operator=(const FarmSession&) = delete;

    /// Runs until this processor's part is over. On rank 0 the record is complete and closed after
    /// destruction.
    SessionEnd run();

private:
    void makeMaster();
    void openLink();
    void tellWindows();
    void makeWorker();
    void receive(Rank from, const Message& bytes);
    void takeSignal(int number);
    void watchMaster(pid_t pid);
    void watchWorker(Rank rank, Incarnation incarnation, std::int64_t pid);
    void abandon(const char* reason);
    bool pollOnce();
    bool over() const;
    void sayBeginning();
    void finishAsMaster(SessionEnd& end);
    void writeLog();
    void killSilent();

    Setup m_setup;
    Transport& m_transport;
    const Clock& m_clock;
    HostIdentity m_host;
    Reactor m_reactor;
    PollCall m_poll;
    Timer m_progressTimer;
    Timer m_stopTimer;
    RankSignals m_signals;
    std::map<std::string, std::unique_ptr<ProcessWatch>> m_watches;
    LauncherWatch m_launcher;
    bool m_abandoned = false;
    std::optional<SteadyTime> m_overSince;

    // Rank 0.
    std::unique_ptr<RunReporter> m_reporter;
    std::unique_ptr<Recorder> m_recorder;
    std::unique_ptr<farm::Master> m_master;
    std::unique_ptr<WindowLink> m_link; ///< null: no windows are served
    std::string m_stall;                ///< why the record cannot be written
    std::chrono::microseconds m_elapsed{};

    std::unique_ptr<farm::Worker> m_worker;
};

} // namespace tasuki
