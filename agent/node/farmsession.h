// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "farmoptions.h"
#include "farmpart.h"
#include "grouppost.h"
#include "healthlog.h"
#include "masterpost.h"
#include "problemlog.h"
#include "recordaccess.h"
#include "runplan.h"
#include "sessionend.h"

#include "control/processwatch.h"
#include "domain/bootclock.h"
#include "domain/clock.h"
#include "farm/holdqueue.h"
#include "farm/worker.h"
#include "membership/briefing.h"
#include "membership/membershipthread.h"
#include "membership/systemplan.h"
#include "reactor/pollable.h"
#include "reactor/reactor.h"
#include "reactor/timer.h"
#include "startup/launchenvironment.h"
#include "startup/launcherwatch.h"
#include "startup/ranksignals.h"
#include "transport/transport.h"
#include "worldhost/worldhost.h"

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace tasuki {

/// Puts a farm together on one processor and runs it: reactor, transport, membership agent, worker, the group scheduler
/// of a subcluster, and the master's post on the processor that leads. Composition only: what becomes of
/// its part is decided by FarmPart, the rest in farm and in hierarchy.
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
        std::string preloaded = {};            ///< LD_PRELOAD of tasks without settings
        std::vector<std::uint32_t> cores = {}; ///< of a world's rank here; empty: all
    };

    /// @param transport, clock  outlive the session
    FarmSession(Setup setup, Transport& transport, const Clock& clock);
    ~FarmSession() = default;
    FarmSession(const FarmSession&) = delete;
    FarmSession& operator=(const FarmSession&) = delete;

    /// Opens this processor's sockets off MPI. Called once, before run().
    /// @return where it can be reached, or an Error when there are no sockets or no thread
    Result<control::ControlAddress> openMembership();
    /// Runs until this processor's part is over. On processor 0 the record is complete and closed
    /// after destruction.
    /// @param addresses  of all processors, by number
    SessionEnd run(const std::vector<control::ControlAddress>& addresses);
    /// After run(): the membership agent, which says from then on that this processor leaves. It must live as
    /// long as the processor may be held up in leaving: others would think it lost.
    std::unique_ptr<MembershipThread> releaseMembership() { return std::move(m_membership); }

private:
    [[nodiscard]] const hierarchy::MembershipView& view() const { return m_groupPost->view(); }
    MembershipThread::Callbacks membershipCallbacks();
    void viewChanged(const hierarchy::MembershipView& view);
    void holdingChanged(const std::optional<hierarchy::Holding>& holding);
    [[nodiscard]] bool isRank(SeatId seat) const;
    void lookAtLetGo();

    [[nodiscard]] FarmPart::Scene scene() const;
    void happened(FarmPart::Event event);
    /// @param signal  of which a step is to tell the master
    void perform(const FarmPart::Steps& steps, int signal = 0);
    void perform(const FarmPart::Step& step, int signal);
    void hold(bool held);
    void recordOpened(Result<RunPlan> plan);
    void takeMasterPost(SystemLaidOut layout);
    void say(std::string_view what) const;

    void dropped(const char* what, ProcessorId from, const Error& error) const;
    void receive(ProcessorId from, const Message& bytes);
    void receiveOfRecord(ProcessorId from, const farm::RecordWord& message);
    void receiveOfWorld(ProcessorId from, const farm::WorldMail& message);
    std::unique_ptr<Executor> makeExecutor(Rank rank, const farm::Welcome& welcome);
    void takeSignal(int number);
    bool pollOnce();

    Setup m_setup;
    Transport& m_transport;
    const Clock& m_clock;
    BootClock m_bootClock; ///< of what must notice that the machine was suspended
    Reactor m_reactor;
    Timer m_stopTimer;
    RankSignals m_signals;
    std::unique_ptr<ProcessWatch> m_masterWatch;
    LauncherWatch m_launcher;
    ProblemLog m_problems;
    HealthLog m_healthLog;
    std::unique_ptr<MembershipThread> m_membership;
    std::optional<hierarchy::Holding> m_letGo; ///< what must stop before it is given on
    FarmPart m_part;
    farm::HoldQueue m_forMaster{true}; ///< what a master's post is told, once there is one
    RecordAccess m_record;
    std::optional<SteadyTime> m_overSince;

    worldhost::WorldHost m_worlds;
    PrintedBook m_printed;                    ///< of the master, for who goes on with the run
    std::unique_ptr<MasterPost> m_masterPost; ///< null: this processor does not lead
    std::unique_ptr<farm::Worker> m_worker;
    std::unique_ptr<GroupPost> m_groupPost;
};

} // namespace tasuki
