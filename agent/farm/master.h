// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "allocationend.h"
#include "interruption.h"
#include "messages.h"
#include "operations.h"
#include "roster.h"
#include "scheduler.h"
#include "takenreports.h"
#include "taskscope.h"

#include "domain/clock.h"
#include "domain/runstate.h"
#include "recorder/journal.h"
#include "transport/transport.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tasuki::farm {

struct MasterOptions {
    RunId run;
    std::string directory;  ///< working directory of tasks that name none
    bool staysOpen = false; ///< goes on when all tasks are done: operators may add some
    /// Does these alone and what comes after them, and ends when that is done; empty: all tasks.
    std::vector<TaskRange> only = {};
    TaskListDefaults taskDefaults; ///< of tasks that operators add
    SchedulingPolicy scheduling;
    /// So many masters of this epoch have died before.
    std::uint32_t reign = 0;
    /// When the allocation ends in which the run lives; none: that is not known.
    std::optional<SteadyTime> endsAt = {};
    /// How long the epoch has lasted.
    std::chrono::microseconds elapsed{};
};

/// Attempts that run, with the rank that reported their start.
using StartedAttempts = std::unordered_map<AttemptKey, Rank>;

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
    enum class Phase : std::uint8_t {
        Opening,
        Running,
        Draining,
        Killing,
        Closing,
        Dismissing,
        Over
    };

    /// @param state  what the record says so far (resume), or empty
    /// All references outlive the master. Sets the journal's callbacks.
    Master(MasterOptions options, RunState& state, Transport& transport, Journal& journal,
           const Clock& clock, MasterObserver observer);

    /// Records how this life of the run begins. Tasks are handed out once all of it is committed and
    /// begin() was called. Called once, before the first message is received.
    /// @param opening  begins with RunOpened
    void open(std::vector<EventPayload> opening);

    /// Goes on where the record of another master of this epoch ends, which is dead. Crews tell
    /// what they hold; nothing is handed out before all have. In place of open(), when all has been
    /// told that is true of ranks and crews: each rank is in a crew.
    /// @param opening  what is recorded first; may be empty
    /// @param started  attempts that run by the record
    void takeOver(std::vector<EventPayload> opening, StartedAttempts started);

    /// The system has started: all processors are ready.
    void begin() { m_begun = true; }
    void receive(ProcessorId from, Envelope envelope);

    /// A processor holds a rank from now on; who held it before is dead, or will not act for it any
    /// more.
    void rankHeld(Rank rank, ProcessorId holder, Incarnation incarnation);
    /// Ranks have a foreman, who takes their work as one crew. Before any of them is held.
    void crewFormed(CrewId crew, std::vector<Rank> ranks);
    /// Another processor leads a crew, or none: then nobody of it is left.
    void crewLed(CrewId crew, std::optional<ProcessorId> leader);
    /// Nobody acts for that holding of the rank any more.
    void rankLost(Rank rank, Incarnation incarnation, LossCause cause);
    /// Whether ranks that nobody holds may still get a holder: then the run waits for that.
    void awaitHolders(bool awaited) { m_holdersAwaited = awaited; }
    /// A rank gets work, or none: what it has not started is called back.
    void setOpen(Rank rank, bool open);
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

    /// Carries out what an operator wants: see Operations.
    /// @param who    as the record shall name the operator
    /// @param reply  called once, later
    void operate(std::string who, OperatorCommand command, Operations::Reply reply);
    /// Asks the processor that runs an attempt what it has written. "Not known" when none does.
    void peek(const OutputQuery& query, std::function<void(OutputAnswer)> answer);

    /// Hands out and calls back.
    /// @return whether anything was sent
    bool poll();

    [[nodiscard]] Phase phase() const { return m_phase; }
    [[nodiscard]] bool over() const { return m_phase == Phase::Over; }
    /// Whether all crews have told what they hold: until then a master that took over hands nothing
    /// out.
    [[nodiscard]] bool gathered() const;
    /// Precondition: Closing or later.
    [[nodiscard]] RunEnd end() const { return m_end; }
    /// Whether this life ends because its allocation does.
    [[nodiscard]] bool endedByAllocation() const { return m_endedByAllocation; }
    /// Whether a processor has been lost.
    [[nodiscard]] bool losses() const { return m_losses; }
    [[nodiscard]] const Roster& roster() const { return m_roster; }
    [[nodiscard]] std::size_t outstanding() const { return m_scheduler.outstanding(); }
    [[nodiscard]] std::size_t slotCount() const { return m_scheduler.slotCount(); }

private:
    void on(Rank from, Report&& message);
    void on(Rank from, const Returned& message);
    void on(Rank from, const Withdrawn& message);
    void on(Rank from, Peeked&& message);
    void on(Rank from, const Broken& message);
    void on(Rank, const auto&) {} ///< those that need no presence; a master's own kinds: not for it

    // ---- crews, mastercrews.cpp
    void receiveOfCrew(ProcessorId from, Envelope envelope);
    void takeCrewHello(CrewId id, const Leadership& from);
    void answerEarly(CrewId id);
    void callMuster(CrewId id, Crew& crew, const Leadership& foreman);
    void crewIsLost(CrewId id);
    void crewOn(CrewId id, CrewReport&& message);
    void crewOn(CrewId id, const Mustered& message);
    void crewOn(CrewId id, const Returned& message);
    void crewOn(CrewId id, const Withdrawn& message);
    void crewOn(CrewId id, Peeked&& message);
    void crewOn(CrewId, const auto&) {} ///< not for a master of crews
    void takeJoined(JoinedRank&& joined);
    void takeClaims(CrewId id, const std::vector<AttemptKey>& claimed);
    void recordJoined(Rank rank, const Hello& hello);
    void updateSlots(CrewId id);
    [[nodiscard]] Rank startedOn(CrewId id, AttemptKey key) const;
    void takeReport(CrewId crew, Rank rank, Report&& report);
    void sendToForeman(CrewId id, const Leadership& foreman, FarmMessage message);

    // ---- after another master, mastersuccession.cpp
    void seedRoster();
    void adoptRecorded();
    bool adopt(CrewId crew, AttemptKey key, bool started);
    void interruptLater(std::optional<SubclusterId> restartFor);
    void goOnEnding();

    void keepForLater(ProcessorId from, const Envelope& envelope);
    EventId append(EventPayload payload);
    void noteWhenRecorded(TakenReport report);
    void noteRecorded();
    void welcome(Rank rank, const Hello& hello);
    void lose(Rank rank, LossCause cause);
    void recordEnd(CrewId crew, Rank rank, AttemptKey key, SlotIndex slot, AttemptResult result);
    void recordSkipped();
    void recordAgain();
    [[nodiscard]] std::string refusal(const OperatorCommand& command) const;
    void answerPeeksOf(CrewId crew);
    void committed(std::vector<Event> events);
    void beginRunning();
    void handOut();
    [[nodiscard]] FitTest fitTest() const;
    [[nodiscard]] Interruption interruption() const;
    void lookAtAllocationEnd();
    void lookForWorkers();
    void movePhaseOn();
    void recordEnding(bool kill, std::optional<SubclusterId> restartFor);
    void close(RunEnd end);
    void dismiss();
    void sayGoodbye();
    void send(Rank to, FarmMessage message);
    void send(CrewId to, FarmMessage message);

    MasterOptions m_options;
    RunState& m_state;
    Transport& m_transport;
    Journal& m_journal;
    const Clock& m_clock;
    MasterObserver m_observer;

    Scheduler m_scheduler;
    std::optional<AllocationEnd> m_allocationEnd;
    bool m_endedByAllocation = false;
    Operations m_operations;
    struct PeekWait {
        CrewId crew;
        AttemptKey key;
        std::function<void(OutputAnswer)> answer;
    };
    std::map<std::uint32_t, PeekWait> m_peeks;
    std::uint32_t m_lastPeek = 0;
    Roster m_roster;
    struct EarlyHello {
        ProcessorId from;
        Incarnation incarnation;
        Hello hello;
    };
    std::map<Rank, EarlyHello> m_early; ///< the newest of holdings that are not known yet
    /// Attempts of crews whose start was reported, by whom.
    StartedAttempts m_startedOn;
    TakenReports m_taken;
    EventId m_lastAppended;
    EventId m_lastRecorded;
    /// Ranks that were held by the record and about whom nothing has been told yet.
    std::set<Rank> m_unconfirmed;
    bool m_takesOver = false;
    std::uint32_t m_interruptsLater = 0; ///< until what is held is known
    std::optional<SubclusterId> m_restartLater;
    std::set<ProcessorId> m_living; ///< have neither left nor been lost
    Phase m_phase = Phase::Opening;
    RunEnd m_end = RunEnd::Complete;
    EventId m_lastOfOpening;
    std::chrono::microseconds m_finishedRunTime{}; ///< of attempts that had the final word
    bool m_openingCommitted = false;
    bool m_begun = false;
    bool m_losses = false;
    bool m_holdersAwaited = false;
    std::optional<std::string> m_stalled; ///< why the record cannot be written
    SteadyTime m_opened{};
    SteadyTime m_dismissed{};
    SteadyTime m_goodbyeSaid{};
    bool m_sent = false;
};

/// @return the word for a phase on screens, e.g. "running"
std::string_view phaseName(Master::Phase phase);

} // namespace tasuki::farm
