// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "farewell.h"
#include "groupdesk.h"
#include "masterphase.h"
#include "masterstate.h"
#include "messages.h"
#include "operations.h"
#include "rankdesk.h"
#include "worlds.h"

#include "domain/clock.h"
#include "domain/runstate.h"
#include "recorder/journal.h"
#include "transport/transport.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tasuki::farm {

/// Callbacks of the master to what surrounds it; none may call back into it.
struct MasterObserver {
    /// An event is in the record and has been applied.
    std::function<void(const Event&)> published = [](const Event&) {};
    /// The same for all events of a commit, after the last of them.
    std::function<void(std::vector<Event>)> committed = [](std::vector<Event>) {};
    /// The record cannot be written (with the reason), or can again (none).
    std::function<void(const std::optional<Error>&)> stalled = [](const std::optional<Error>&) {};
    /// Whether what has ended is told to people, output included: the run is not closed before.
    std::function<bool()> told = [] { return true; };
    /// Carries out what operators want of the system of processors. Null: there is none.
    SystemOrder order = {};
};

/// The side of a farm that decides: one on processor 0. Who holds which rank it is told; phases are
/// in the table in docs/farm.md, "Master". Pure logic over Transport, Journal and Clock; all calls on the
/// reactor's thread.
class Master {
public:
    using Phase = MasterPhase;

    /// @param state  what the record says so far (resume), or empty
    /// All references outlive the master. Sets the journal's callbacks.
    Master(MasterOptions options, RunState& state, Transport& transport, Journal& journal,
           const Clock& clock, MasterObserver observer);

    /// Records how this life of the run begins. Tasks are handed out once all of it is committed and
    /// begin() was called. Called once, before the first message is received.
    /// @param opening  begins with RunOpened
    void open(std::vector<EventPayload> opening);

    /// Goes on where the record of a dead master of this epoch ends. Worker groups tell what they
    /// hold; nothing is handed out before all have. In place of open(), after this master was told
    /// all that is true of ranks and worker groups: each rank is in a worker group.
    /// @param opening  what is recorded first; may be empty
    /// @param started  attempts that run by the record
    void takeOver(std::vector<EventPayload> opening, StartedAttempts started);

    /// The system has started: all processors are ready.
    void begin() { m_begun = true; }
    void receive(ProcessorId from, Envelope envelope);

    /// A processor holds a rank from now on; who held it before is dead, or will not act for it any
    /// more.
    void rankHeld(Rank rank, ProcessorId holder, Incarnation incarnation)
    {
        m_worlds.touch();
        m_ranks.held(rank, holder, incarnation);
    }
    /// Ranks have a group scheduler, who takes their work as one worker group. Before any of them is held.
    void groupFormed(GroupId group, std::vector<Rank> ranks)
    {
        m_groups.formed(group, std::move(ranks));
    }
    /// Another processor leads a worker group, or none: then nobody of it is left.
    void groupLed(GroupId group, std::optional<ProcessorId> leader)
    {
        m_worlds.touch();
        m_groups.led(group, leader);
    }
    /// Nobody acts for that holding of the rank any more.
    void rankLost(Rank rank, Incarnation incarnation, LossCause cause)
    {
        m_worlds.touch();
        m_ranks.lost(rank, incarnation, cause);
    }
    /// Whether ranks that nobody holds may still get a holder: then the run waits for that.
    void awaitHolders(bool awaited) { m_holdersAwaited = awaited; }
    /// A rank gets work, or none: what it has not started is called back.
    void setOpen(Rank rank, bool open)
    {
        m_worlds.touch();
        m_ranks.setOpen(rank, open);
    }
    /// A processor is dead, or not to be counted on: nothing is sent to it.
    void processorLost(ProcessorId processor);
    /// A processor that was lost is there again, as another one.
    void processorBack(ProcessorId processor);
    /// A processor has said goodbye: it runs nothing any more.
    void processorLeft(ProcessorId processor);
    /// Records what has become of the system, as long as anything is recorded.
    void record(std::vector<EventPayload> events);
    /// First call: nothing new starts, running tasks finish. Second: they are killed. Later: a record
    /// that cannot be completed because the disk is full is left as it is.
    /// @param restartFor  the run is to be started again, for this subcluster is down
    void interrupt(std::optional<SubclusterId> restartFor = {});

    /// What another life of a world's rank does again: see Worlds.
    void replays(Rank rank, AttemptNumber number, std::chrono::microseconds took)
    {
        if (!m_master.course.closing())
            m_worlds.replays(rank, number, took);
    }
    /// Carries out what an operator wants: see Operations.
    /// @param who    as the record shall name the operator
    /// @param reply  called once, later
    void operate(std::string who, OperatorCommand command, Operations::Reply reply);
    /// Asks the processor that runs an attempt what it has written. "Not known" when none does.
    void peek(const OutputQuery& query, std::function<void(OutputAnswer)> answer);

    /// Hands out and calls back.
    /// @return whether anything was sent
    bool poll();

    [[nodiscard]] Phase phase() const { return m_master.course.phase; }
    [[nodiscard]] bool over() const { return phase() == Phase::Over; }
    /// Whether all worker groups have told what they hold: until then a master that took over hands nothing
    /// out.
    [[nodiscard]] bool gathered() const { return m_groups.gathered(); }
    /// Precondition: Closing or later.
    [[nodiscard]] RunEnd end() const { return m_master.course.end; }
    /// Whether this life ends because its allocation does.
    [[nodiscard]] bool endedByAllocation() const { return m_endedByAllocation; }
    /// Whether a processor has been lost.
    [[nodiscard]] bool losses() const { return m_farewell.losses(); }
    [[nodiscard]] const Roster& roster() const { return m_master.roster; }
    [[nodiscard]] std::size_t outstanding() const { return m_master.scheduler.outstanding(); }
    [[nodiscard]] std::size_t slotCount() const { return m_master.scheduler.slotCount(); }

private:
    [[nodiscard]] Phrase refusal(const OperatorCommand& command) const;
    void committed(std::vector<Event> events);
    void recordAgain();
    void beginRunning();
    void goOnEnding();
    void handOut();
    void lookForWorkers();
    void lookAtAllocationEnd();
    void movePhaseOn();
    void haltAll();
    void recordEnding(bool kill, std::optional<SubclusterId> restartFor);
    void close(RunEnd end);
    void dismiss();
    /// Nothing is under way that the run waits for before it ends.
    [[nodiscard]] bool settled() const;

    Transport& m_transport;
    Journal& m_journal;
    const Clock& m_clock;
    MasterObserver m_observer;
    MasterState m_master;
    Operations m_operations;
    RankDesk m_ranks;
    GroupDesk m_groups;
    Worlds m_worlds;
    Farewell m_farewell;
    SteadyTime m_opened{};
    std::uint32_t m_lastPeek = 0;
    std::uint32_t m_interruptsLater = 0; ///< until what is held is known
    std::optional<SubclusterId> m_restartLater;
    bool m_begun = false;
    bool m_holdersAwaited = false;
    bool m_endedByAllocation = false;
};

} // namespace tasuki::farm
