// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "crewpost.h"
#include "farmoptions.h"
#include "healthlog.h"
#include "heir.h"
#include "masterpost.h"
#include "problemlog.h"
#include "recordopener.h"
#include "runplan.h"
#include "sessionend.h"

#include "control/processwatch.h"
#include "domain/bootclock.h"
#include "domain/clock.h"
#include "farm/worker.h"
#include "host/hostidentity.h"
#include "keeping/briefing.h"
#include "keeping/keeperthread.h"
#include "keeping/systemplan.h"
#include "reactor/pollable.h"
#include "reactor/reactor.h"
#include "reactor/timer.h"
#include "replica/recordcopies.h"
#include "startup/launchenvironment.h"
#include "startup/launcherwatch.h"
#include "startup/ranksignals.h"
#include "transport/transport.h"

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace tasuki {

/// Puts a farm together on one processor and runs it: reactor, transport, keeper, worker, the foreman
/// of a subcluster, and the master's post on the processor that leads. Composition only: what is
/// decided, is decided in farm and in hierarchy.
class FarmSession {
public:
    /// Makes the executor of this processor's worker.
    using ExecutorFactory =
        std::function<std::unique_ptr<Executor>(Reactor&, Rank, const farm::Welcome&)>;

    struct Setup {
        FarmOptions options;
        LaunchEnvironment launch;
        SystemPlan system;
        Briefing briefing;
        RecordReach reach = {};      ///< nobody is known to lack the record: no copy is kept
        std::uint32_t slots = 1;     ///< of this processor, while it holds a rank
        bool recovery = true;        ///< the launcher survives the loss of a processor
        std::optional<pid_t> master; ///< processor 0's process, if another one on this host
        std::optional<RunPlan> plan; ///< on processor 0 alone
        ExecutorFactory makeExecutor;
    };

    /// @param transport, clock  outlive the session
    FarmSession(Setup setup, Transport& transport, const Clock& clock);
    ~FarmSession();
    FarmSession(const FarmSession&) = delete;
    FarmSession& operator=(const FarmSession&) = delete;

    /// Opens this processor's sockets off MPI. Called once, before run().
    /// @return where it can be reached, or an Error when there are no sockets or no thread
    Result<control::ControlAddress> openKeeper();
    /// Runs until this processor's part is over. On processor 0 the record is complete and closed
    /// after destruction.
    /// @param addresses  of all processors, by number
    SessionEnd run(const std::vector<control::ControlAddress>& addresses);
    /// After run(): the keeper, which says from then on that this processor leaves. It must live as
    /// long as the processor may be held up in leaving: others would think it lost.
    std::unique_ptr<KeeperThread> releaseKeeper() { return std::move(m_keeper); }

private:
    [[nodiscard]] bool hasOtherHosts() const;
    void openHealthLog();
    void takeMasterPost();
    void makeWorker();
    KeeperThread::Callbacks keeperCallbacks();
    void pictureChanged(const hierarchy::Picture& picture);
    void masterGone();
    void lookAtSuccession();
    void openRecord();
    void recordOpened(Result<RunPlan> plan);
    void lead();
    void holdingChanged(const std::optional<hierarchy::Holding>& holding);
    [[nodiscard]] bool isRank(SeatId seat) const;
    void lookAtLetGo();
    void standingChanged(hierarchy::Standing standing);
    void lookAtLease();
    void stopLeading();
    void letGoOfRecord();
    void lookAtRecord();
    void tellStanding(hierarchy::Standing standing);
    void fenced();
    void standBack();
    void rejoined();
    void overlapTold(const hierarchy::Overlap& overlap,
                     std::optional<std::chrono::nanoseconds> lostFor);
    void lookAtReturn();
    void say(const char* what) const;
    void receive(ProcessorId from, const Message& bytes);
    void receiveOfRecord(ProcessorId from, const farm::RecordWord& message);
    void takeSignal(int number);
    void watchMaster(pid_t pid);
    void abandon(const std::string& reason);
    bool pollOnce();
    bool over() const;

    Setup m_setup;
    Transport& m_transport;
    const Clock& m_clock;
    BootClock m_bootClock;        ///< of what must notice that the machine was suspended
    hierarchy::Picture m_first;   ///< what all processors begin with
    hierarchy::Picture m_picture; ///< what this one knows
    std::vector<control::ControlAddress> m_addresses;
    HostIdentity m_host;
    Reactor m_reactor;
    PollCall m_poll;
    Timer m_stopTimer;
    RankSignals m_signals;
    std::unique_ptr<ProcessWatch> m_masterWatch;
    LauncherWatch m_launcher;
    ProblemLog m_problems;
    std::optional<HealthLog> m_healthLog;
    std::unique_ptr<KeeperThread> m_keeper;
    std::optional<hierarchy::Holding> m_letGo; ///< what must stop before it is given on
    hierarchy::Standing m_standing = hierarchy::Standing::Valid;
    bool m_acts = true;       ///< it may, as far as it knows
    SteadyTime m_lapsedAt{};  ///< latest
    bool m_alone = false;     ///< fenced as no majority was heard for too long
    bool m_succeeded = false; ///< another processor goes on with the record, before the keeper knew
    bool m_ledBefore = false; ///< led the farm until its lease was over, and nobody has since
    bool m_standingSaid = false; ///< to people: that no majority is heard
    bool m_returns = false;      ///< fenced, and what it did is being ended
    bool m_cameBack = false;     ///< was let in again
    /// Of whom its keeper was told, before it leads: and how long those had been given up then.
    std::vector<std::pair<hierarchy::Overlap, std::optional<std::chrono::nanoseconds>>> m_overlaps;
    std::optional<SteadyTime> m_greetsSince; ///< since then, with a rank, and is not welcomed yet
    bool m_abandoned = false;
    bool m_givenUp = false;
    bool m_losses = false; ///< a processor has been lost
    Heir m_heir;
    std::unique_ptr<RecordOpener> m_recordOpener; ///< once this processor is to succeed
    std::unique_ptr<CopyPost> m_copyPost;         ///< null: everybody can reach the record
    RecordPlace m_record;                         ///< of who leads here
    std::vector<int> m_signalsSeen;               ///< what a master would have taken
    std::optional<SteadyTime> m_overSince;

    std::unique_ptr<MasterPost> m_masterPost; ///< null: this processor does not lead
    std::unique_ptr<farm::Worker> m_worker;
    std::unique_ptr<CrewPost> m_crewPost;
};

} // namespace tasuki
