// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mergeoptions.h"
#include "mergerecord.h"
#include "mergereporter.h"

#include "control/processwatch.h"
#include "exchange/exchange.h"
#include "host/hostidentity.h"
#include "mergefiles/mapfilewriter.h"
#include "reactor/pollable.h"
#include "reactor/reactor.h"
#include "reactor/timer.h"
#include "startup/launchenvironment.h"
#include "startup/launcherwatch.h"
#include "startup/ranksignals.h"
#include "transport/transport.h"

#include <map>
#include <memory>
#include <optional>
#include <thread>

namespace tasuki {

/// How a rank's part in a merge ended.
struct MergeEnd {
    int exitCode = 0;
    bool speaks = false;    ///< it is for this rank to report the exit code
    bool losses = false;    ///< a rank may not be there any more: do not wait for it
    bool abandoned = false; ///< the launcher is gone
};

/// Puts a merge together on one rank and runs it: reactor, transport, exchange, and on the rank that
/// speaks for all the reporter, the record and the writing of the result. Composition only.
class MergeSession {
public:
    struct Setup {
        MergeOptions options;
        LaunchEnvironment launch;
        std::string host;                  ///< for people
        std::optional<pid_t> master;       ///< rank 0's process, if another one on this host
        bool exactScores = true;           ///< of what this rank has read
        std::optional<RunFileWriter> file; ///< of --run, on rank 0 alone
    };

    /// @param map  what this rank has read
    /// @param transport, clock  outlive the session
    MergeSession(Setup setup, merge::MergeMap map, Transport& transport, const Clock& clock);
    ~MergeSession();
    MergeSession(const MergeSession&) = delete;
    MergeSession& operator=(const MergeSession&) = delete;

    MergeEnd run();

private:
    merge::ExchangeObserver observer();
    merge::ExchangeOptions exchangeOptions();
    void present(ProcessorId rank, const merge::Place& place);
    void began(const merge::View& view, const std::string& reason);
    void roundEnded(const merge::RoundReport& report);
    void lost(ProcessorId rank, bool gone);
    void keepResult();
    void takeWritten();
    void joinWriter();
    void openRecord();
    void interrupt();
    void abandon(const char* reason);
    bool pollOnce();
    void takeLeave();
    void say(Severity severity, const std::string& text);
    [[nodiscard]] bool speaks() const;
    [[nodiscard]] int exitCode();
    [[nodiscard]] std::string missingText() const;

    Setup m_setup;
    Transport& m_transport;
    const Clock& m_clock;
    HostIdentity m_host;
    Reactor m_reactor;
    PollCall m_poll;
    Timer m_tick;
    Timer m_stopTimer;
    RankSignals m_signals;
    LauncherWatch m_launcher;
    std::map<ProcessorId, std::unique_ptr<ProcessWatch>> m_watches;
    std::map<ProcessorId, merge::Place> m_places; ///< of ranks on this host
    MergeReporter m_reporter;
    std::unique_ptr<MergeRecord> m_record; ///< on rank 0; null: windows are not served
    merge::View m_view;
    merge::Exchange m_exchange;
    SteadyTime m_begun;
    std::optional<SteadyTime> m_overSince;
    std::optional<int> m_exitCode;
    bool m_abandoned = false;
    bool m_interrupted = false;
    merge::WriteProgress m_written;
    std::optional<Result<void>> m_writeResult; ///< the writer's until it is joined
    std::thread m_writer;                      ///< writes the result, of which it has a copy
};

} // namespace tasuki
