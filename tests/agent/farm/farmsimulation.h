// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "farm/groupscheduler.h"
#include "farm/master.h"
#include "farm/worker.h"
#include "groupview.h"
#include "randomoperator.h"
#include "recordchecker.h"
#include "simulatedcopies.h"
#include "support/manualclock.h"
#include "support/memoryjournal.h"
#include "support/simulatedexecutor.h"
#include "transport/simulated/simulatednetwork.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace tasuki::farm::testing {

/// A fault that is built in on purpose, to see that the checks find it.
enum class Sabotage : std::uint8_t {
    None,
    StaleResults, ///< who takes a rank over tells results of its earlier holder as its own
    LostMessages, ///< the transport loses what it must deliver
    NoStanding,   ///< workers do not tell a new group scheduler what they hold
};

/// What happens in one life of a simulated farm, besides its work. Times and ranks are drawn from
/// the seed.
struct FarmScenario {
    std::uint32_t seed = 1;
    std::uint32_t ranks = 4;    ///< processors, the first and standbys included
    std::uint32_t standbys = 0; ///< the last ones, which have no rank at the beginning
    bool dedicatedMaster = false;
    /// Subclusters besides the master's, which have group schedulers. Processors are dealt to all in equal
    /// shares; standbys are the last ones of each then.
    std::uint32_t groups = 0;
    bool leadersApart = false;      ///< the first of each of these holds no rank
    std::uint32_t deaths = 0;       ///< processors that die, never the first
    std::uint32_t leaderDeaths = 0; ///< of who leads a worker group then
    std::uint32_t doubleDeaths =
        0; ///< the same, and at once or soon somebody else of the worker group
    std::uint32_t groupDeaths = 0;   ///< of everybody in a worker group, one soon after the other
    std::uint32_t leaderChanges = 0; ///< without a death; some are taken back
    std::uint32_t closings = 0;      ///< ranks of worker groups that get nothing for a while
    bool allDie = false;             ///< every processor but the first
    /// Processors that are stopped and go on, shorter or longer: killed, or given up as one that
    /// cannot be reached.
    std::uint32_t pauses = 0;
    std::uint32_t slowLinks = 0;  ///< processors whose messages take up to a second
    std::uint32_t breakdowns = 0; ///< processors that cannot run tasks any more
    std::uint32_t stalls = 0;     ///< times in which the disk is full
    std::uint32_t interrupts = 0;
    std::uint32_t commands = 0;    ///< of an operator
    bool mayStop = false;          ///< the operator may end the run
    bool staysOpen = false;        ///< the run goes on until the operator ends it
    bool masterDies = false;       ///< the first, with what it has not committed
    std::uint32_t successions = 0; ///< deaths of who is master then; the next in order goes on
    std::uint32_t hosts = 1;       ///< of the processors, by turns; they share no directory
    std::chrono::milliseconds span{600}; ///< all of it begins within this time
    Sabotage sabotage = Sabotage::None;
};

/// @return what opens the first life: tasks with stages, prerequisites and retry budgets
std::vector<EventPayload> randomList(std::uint32_t seed, std::uint32_t tasks);

/// One life of a farm: a master, workers and executors over the simulated network, under a manual
/// clock, and in place of the failure hierarchy a model that knows who lives and gives ranks to
/// standbys. Single-threaded, and the same for the same scenario.
class FarmSimulation {
public:
    /// @param state  what the record says so far; outlives the simulation
    /// @param earlier  what the record says so far, if somebody is to go on with it
    FarmSimulation(const FarmScenario& scenario, RunState& state, Epoch epoch,
                   std::vector<EventPayload> opening, std::vector<Event> earlier = {});
    ~FarmSimulation();
    FarmSimulation(const FarmSimulation&) = delete;
    FarmSimulation& operator=(const FarmSimulation&) = delete;

    /// Runs until every processor that lives has ended, or for a minute of simulated time.
    /// @return what went wrong besides the record; empty: nothing
    std::string run();

    [[nodiscard]] const std::vector<Event>& record() const { return m_journal.record(); }
    /// Precondition: rank 0 lived to the end.
    [[nodiscard]] RunEnd end() const { return m_master->end(); }
    [[nodiscard]] std::uint32_t takeovers() const { return m_takeovers; }
    /// Results of an earlier life that were told as those of the present one.
    [[nodiscard]] std::uint32_t staleResults() const { return m_staleResults; }
    /// Ranks that have group schedulers.
    [[nodiscard]] std::set<Rank> led() const;
    /// Attempts that were started more than once.
    [[nodiscard]] std::uint32_t startedAgain() const { return m_startedAgain; }
    /// Leaderships that have begun to hand out.
    [[nodiscard]] std::uint32_t leaderships() const { return m_leaderships; }
    /// Masters that went on where another one had died.
    [[nodiscard]] std::uint32_t successions() const { return m_term.value(); }
    /// Null: everybody reaches the record.
    [[nodiscard]] const SimulatedCopies* copies() const { return m_copies ? &*m_copies : nullptr; }
    /// Nobody was left who has the record: it can be resumed where it lies.
    [[nodiscard]] bool recordLeft() const { return m_recordLeft; }
    /// What the master's processor has to do.
    struct Load {
        std::uint64_t messages = 0; ///< to other processors and from them
        std::uint64_t bytes = 0;    ///< of these
        std::uint32_t attempts = 0; ///< that it runs itself
    };
    [[nodiscard]] const Load& masterLoad() const { return m_masterLoad; }
    /// Precondition: the scenario has commands.
    [[nodiscard]] const RandomOperator& randomOperator() const { return *m_operator; }
    [[nodiscard]] std::chrono::nanoseconds elapsed() const { return m_clock.now() - SteadyTime{}; }

private:
    struct Processor {
        ProcessorId id;
        std::unique_ptr<Worker> worker;
        SimulatedExecutor* executor = nullptr;
        std::uint32_t slots = 1;
        HeldRank welcomed;    ///< as the worker was welcomed last
        bool givenUp = false; ///< by the others, dead or not
        bool left = false;
        std::uint32_t cluster = 0; ///< 0: the first master's
        GroupView known;           ///< of its own, if that has a group scheduler
        std::optional<GroupScheduler> groupScheduler;
        LeadershipNumber leaderships; ///< that its group schedulers have used
        bool dismissed = false;
        ProcessorId master; ///< as it knows
        Term term;          ///< of that one
    };
    struct Action {
        SteadyTime when;
        std::function<void()> act;
    };

    void makeProcessor(std::uint32_t number);
    void planFaults();
    void plan(std::chrono::nanoseconds delay, std::function<void()> act);
    void dealRanks();
    void kill(ProcessorId id);
    void killMaster();

    // After the master's death another one, farmsimulationsuccession.cpp
    void endTerm();
    void succeed();
    void makeHomeGroup();
    void checkPublished();
    void tellTerm(ProcessorId id, Term term, ProcessorId master);
    void makeMaster(RunState& state);

    // Subclusters with group schedulers, farmsimulationgroups.cpp
    void dealGroups();
    void planGroupFaults();
    void publish(GroupView& world);
    void tellMaster(std::uint32_t cluster, const GroupView& view);
    void tellProcessor(ProcessorId id, const GroupView& view);
    void makeGroupScheduler(Processor& processor);
    void groupGivesUp(Processor& lost, LossCause cause);
    void chooseLeader(std::uint32_t cluster);
    void changeLeader(std::uint32_t cluster);
    void killLeader(std::uint32_t cluster);
    void closeRank(std::uint32_t cluster);
    void pollGroupScheduler(Processor& processor, bool& busy);
    std::uint32_t anyGroup() { return 1 + below(m_scenario.groups); }
    [[nodiscard]] std::uint32_t clusterOf(std::uint32_t number) const;
    [[nodiscard]] bool isStandby(std::uint32_t number) const;

    void abandon(Processor& processor);
    void pauseFor(ProcessorId id, std::chrono::milliseconds time);
    void giveUp(ProcessorId id, LossCause cause);
    void giveRankOn(Rank rank);
    void give(ProcessorId id, HeldRank held);
    void noticeLeaving();
    void receive(Processor& processor, ProcessorId from, Message message);
    void sabotage(Processor& processor, const Envelope& envelope);
    SimulatedExecutor::Plan planAttempt(Processor& processor, const Launch& launch);
    bool step();
    void advance(bool busy);
    void watchStall();
    [[nodiscard]] bool masterWorks() const;
    [[nodiscard]] bool allOver();
    void complain(const std::string& what);
    std::uint32_t below(std::uint32_t limit);
    std::chrono::microseconds within(std::chrono::microseconds span);
    ProcessorId anyWorker();
    Processor& processor(ProcessorId id) { return m_processors[id.value()]; }

    FarmScenario m_scenario;
    std::mt19937 m_random;
    ManualClock m_clock;
    SimulatedNetwork m_network;
    MemoryJournal m_journal;
    std::optional<SimulatedCopies> m_copies;
    std::vector<Event> m_published; ///< what anybody was told
    bool m_recordLeft = false;
    std::vector<EventPayload> m_opening;
    std::vector<Event> m_earlier;                         ///< lives, as the record has them
    std::vector<std::unique_ptr<RunState>> m_laterStates; ///< of masters that took over
    ProcessorId m_masterAt{0};
    Term m_term;
    bool m_interregnum = false;
    std::optional<Master> m_master;
    std::optional<RandomOperator> m_operator;
    std::vector<Processor> m_processors;
    std::vector<Action> m_actions;
    struct Seat {
        std::optional<ProcessorId> holder;
        Incarnation incarnation;
    };
    std::map<Rank, Seat> m_seats;
    struct OldResult {
        Incarnation incarnation;
        AttemptResult result;
    };
    std::map<Rank, OldResult> m_oldResults;           ///< what a sabotaged worker tells
    std::map<std::uint32_t, GroupView> m_worlds;      ///< as subclusters with group schedulers are
    std::map<std::uint32_t, GroupView> m_masterKnows; ///< of them
    std::map<AttemptKey, std::uint32_t> m_starts;
    std::uint32_t m_startedAgain = 0;
    std::uint32_t m_leaderships = 0;
    Load m_masterLoad;
    std::optional<std::size_t> m_outstandingAtStall;
    std::uint64_t m_serial = 0;
    std::uint32_t m_takeovers = 0;
    std::uint32_t m_staleResults = 0;
    std::string m_complaint;
};

} // namespace tasuki::farm::testing
