// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "farmoptions.h"
#include "outputpost.h"
#include "rankprograms.h"
#include "runplan.h"
#include "sessionend.h"
#include "systemcommands.h"
#include "systemrecord.h"
#include "windowlink.h"

#include "domain/clock.h"
#include "farm/holdqueue.h"
#include "farm/master.h"
#include "hierarchy/membershipview.h"
#include "membership/orderdesk.h"
#include "reactor/reactor.h"
#include "reactor/timer.h"
#include "recorder/recorder.h"
#include "replica/recordcopies.h"
#include "report/runreporter.h"
#include "startup/launchenvironment.h"
#include "transport/transport.h"
#include "worldhost/worldwords.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tasuki {

/// The post of the one processor that leads a farm: its record, its master, the link to windows and
/// what people read. Made on the processor that leads, when it begins to; it leads until its session
/// ends, or its lease does. Composition only; on the reactor's thread.
class MasterPost {
public:
    /// Of a record that not everybody can reach.
    struct Copies {
        RecordReach reach;
        RecordPlace record;
    };
    struct Setup {
        FarmOptions options;
        LaunchEnvironment launch;
        RunPlan plan;
        SystemLaidOut layout;           ///< as the record is to tell it
        hierarchy::MembershipView view; ///< what this processor knows now
        /// Of a successor: since when it is known that the former master is lost.
        std::optional<SteadyTime> lostSince = {};
        bool recovery = true; ///< the launcher survives the loss of a processor
        std::optional<Copies> copies = {};
        std::optional<WallTime> endsAt = {}; ///< the allocation; none: not known
        ServeWindows serve = serveWindows;
        PrintedBook printed = {}; ///< by the former master
    };

    /// Opens the run, or goes on with it: says how it begins, serves windows, has the opening
    /// recorded.
    /// All references outlive this.
    MasterPost(Setup setup, Transport& transport, const Clock& clock, Reactor& reactor,
               OrderDesk& orders);
    ~MasterPost();
    MasterPost(const MasterPost&) = delete;
    MasterPost& operator=(const MasterPost&) = delete;

    // What the membership agent tells: as SystemRecord has it.
    void viewChanged(const hierarchy::MembershipView& view);
    /// Whether this processor may act by its lease. While held, the post hands nothing out, records
    /// nothing and tells nothing, and keeps what it is told until it is not held any more.
    void hold(bool held);
    /// In place of finish(), when this processor leads no more but may lead again: leaves
    /// everything as a processor does that dies here, without a word, to the next one that opens
    /// the record. Waits for a commit that is under way. This is to be destroyed then.
    void drop();
    void missing(const std::vector<ProcessorId>& processors) { m_system.missing(processors); }
    void lengthened(std::chrono::nanoseconds by) { m_system.lengthened(by, m_clock.now()); }
    void orderGivenUp(const hierarchy::TableOrder& order, const Phrase& reason);
    void overlapTold(const hierarchy::Overlap& overlap,
                     std::optional<std::chrono::nanoseconds> lostFor);

    /// A message that goes up the tree.
    void receive(ProcessorId from, farm::Envelope envelope);
    /// What a processor says of its copy of the record.
    void receiveOfRecord(ProcessorId from, replica::CopyWord word);
    /// What the program of a world's rank does: windows are told, and what it does again is recorded.
    void programShown(const worldhost::ProgramShown& word);
    /// A stretch of a task's output, as it was asked for.
    void outputFetched(farm::OutputFetched message);
    /// The user or the launcher wants the run to end.
    void signal(int number)
    {
        m_words.take([this, number] { interrupt(number); });
    }
    /// Hands out and calls back, and tells people and windows how the run is.
    /// @return whether anything was sent
    bool poll();
    /// The run is given up, for this reason: nothing is handed out any more.
    void abandon(const std::string& reason);

    /// All is recorded; processors are being dismissed, or have been.
    [[nodiscard]] bool ending() const;
    [[nodiscard]] bool over() const { return m_master.over(); }
    /// Why nothing can be recorded any more; empty: it can. The run is to be given up.
    [[nodiscard]] const std::string& recordLost() const { return m_recordLost; }
    /// Whether the reason of recordLost() is that another processor of this launch goes on with the
    /// run.
    [[nodiscard]] bool succeeded() const { return m_succeeded; }
    /// After the last poll(): closes link and record and says the last words.
    /// @param end  says by now whether the run was abandoned; gets exit code and losses
    void finish(SessionEnd& end);

private:
    RunReporter::Options reporting() const;
    farm::MasterOptions mastering(Term term) const;
    void interrupt(int number);
    void decideOnRequeue(SessionEnd& end);
    farm::MasterObserver observer();
    SystemRecord::Restarter restarter() const;
    SystemCommands::Ports commandPorts(OrderDesk& orders);
    static std::optional<SubclusterId> ownGroup(const Setup& setup, ProcessorId self);
    std::vector<EventPayload> openingOf(const Setup& setup);
    void goOn(const Setup& setup);
    std::unique_ptr<RecordCopies> copiesOf(const Setup& setup, Term term);
    Journal& journal() { return m_copies ? m_copies->journal() : *m_recorder; }
    std::optional<ProcessorId> holderOf(Rank rank) const;
    void sayBeginning();
    void sayGoingOn();
    void openLink();
    void tellWindows();
    void writeLog();
    void lookAtRecord();
    bool closeRecord();

    FarmOptions m_options;
    LaunchEnvironment m_launch;
    RunPlan m_plan;
    bool m_recovery;
    std::optional<WallTime> m_endsAt;
    ServeWindows m_serve;
    std::size_t m_endsOfLife = 0; ///< of tasks, since this processor leads
    Transport& m_transport;
    const Clock& m_clock;
    Reactor& m_reactor;
    Timer m_progressTimer;
    Timer m_goingOnTimer;
    RunReporter m_reporter;
    OutputPost m_output;
    std::unique_ptr<Recorder> m_recorder;   ///< null: finished
    std::unique_ptr<RecordCopies> m_copies; ///< null: everybody can reach the record
    farm::Master m_master;
    SystemRecord m_system;
    /// Lets answers that come after the destruction find out that nobody waits.
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);
    RankPrograms m_programs;
    farm::HoldQueue m_words; ///< to this post
    SystemCommands m_commands;
    std::unique_ptr<WindowLink> m_link; ///< null: no windows are served
    bool m_linkOpened = false;          ///< or tried in vain
    std::string m_stall;                ///< why the record cannot be written
    std::string m_recordTrouble;        ///< what has become of the run file, as told
    std::string m_recordLost;
    bool m_succeeded = false;
    std::chrono::microseconds m_elapsed{}; ///< of the whole run, once it is closed
};

} // namespace tasuki
