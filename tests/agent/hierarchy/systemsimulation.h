// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "hierarchy/membershipagent.h"
#include "support/manualclock.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <queue>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace tasuki::hierarchy::testing {

/// How large a simulated system is and how its network behaves.
struct SimulationShape {
    std::uint32_t subclusters = 2;
    std::uint32_t units = 2; ///< of each subcluster
    std::uint32_t active = 4;
    std::uint32_t standby = 1;
    std::uint32_t io = 1;
    bool dedicated = false; ///< one more processor of each is nothing but master
    std::uint32_t minimum = 1;
    std::uint32_t restarts = 1000;
    bool oneHost = true;     ///< else each unit is a host of its own
    std::uint32_t hosts = 0; ///< unless so many share them, in turn
    std::chrono::nanoseconds minimumDelay = std::chrono::microseconds(50);
    std::chrono::nanoseconds meanExtraDelay = std::chrono::microseconds(300);
    double datagramLoss = 0.0;
    double messageLoss = 0.0;
    /// Of datagrams, so many are held up for any time to the longest: they overtake each other.
    double datagramsHeldUp = 0.0;
    std::chrono::nanoseconds longestHoldUp{};
    bool rejoin = false; ///< who was fenced may come back
    /// The clock of every third host runs faster by this share, that of every third slower.
    double drift = 0.0;
    /// Numbers behind all others that are reserved: in turn of each subcluster; a unit each, and a host of its
    /// own as others have one.
    std::uint32_t guests = 0;
    std::uint32_t guestSeats = 0; ///< so many of them have a rank to come

    [[nodiscard]] std::uint32_t each() const { return active + standby + io + (dedicated ? 1 : 0); }
    [[nodiscard]] std::uint32_t ofStart() const { return subclusters * each(); }
    [[nodiscard]] std::uint32_t processors() const { return ofStart() + guests; }
};

/// What is broken on purpose, so that a test can see that it would notice.
struct Sabotage {
    bool killsDoNothing = false;    ///< the host says that a process is dead that is not
    bool staleResultsCount = false; ///< the incarnation of a result is not looked at
    bool ordersAreLost = false;     ///< the network carries no orders
    bool drainsAreForgotten =
        false;                    ///< tables lose who is drained on their way to other processors
    bool everybodyAgrees = false; ///< each beat says that all follow its receiver alone
    bool recordIsIgnored = false; ///< who leads goes by what it knows, whatever was recorded
    bool nobodyWaits = false;     ///< a word of another system master is forgotten at once
    bool lapsedKeepSeats = false; ///< who lapses goes on in its seat
    /// Changes the rules by which all membership agents go.
    std::function<void(MembershipOptions&)> options = {};
};

/// A whole system of membership agents over a simulated network and clock, and work that its holders of ranks
/// do. Everything random comes from the seed: the same calls give the same run.
///
/// Who is alive, neither paused nor fenced, and by its lease Standing::Valid, acts in the seat that it holds,
/// or as the system master.
///
/// The work is as simple as can be: each cluster master hands tasks to who holds ranks in its
/// view, and counts results that come under the incarnation that is then valid. What is handed out
/// and reported gets through a cut link as soon as it is whole again.
class SystemSimulation {
public:
    /// @param decisions  gets what all membership agents decide, see DecisionWriter; outlives this. Null: nothing
    ///                   is said
    SystemSimulation(const SimulationShape& shape, std::uint64_t seed,
                     const Sabotage& sabotage = {}, std::ostream* decisions = nullptr);
    ~SystemSimulation();
    SystemSimulation(const SystemSimulation&) = delete;
    SystemSimulation& operator=(const SystemSimulation&) = delete;

    /// Lets time pass; checks the invariants after every step.
    void run(std::chrono::nanoseconds duration);
    /// Lets time pass until something holds.
    /// @return whether it did
    bool runUntil(const std::function<bool()>& done, std::chrono::nanoseconds limit);

    void kill(ProcessorId processor);
    /// And nothing arrives any more of what it has sent.
    void killUnheard(ProcessorId processor);
    void pause(ProcessorId processor);
    void resume(ProcessorId processor);
    /// All processors of a host, at one instant.
    /// @param seenStopped  those that wake up first see that the others are stopped
    void pauseHost(std::uint32_t host, bool seenStopped);
    /// They wake up within some time. Each finds either its timers due first or what has come meanwhile.
    void resumeHost(std::uint32_t host, std::chrono::nanoseconds within);
    void ready(ProcessorId processor);
    void readyAll(); ///< of the start
    /// A process comes with a reserved number, and asks to be let in. Called once for each.
    void join(ProcessorId guest);
    /// Nothing passes between two processors, either way, or everything again.
    /// @param one  is at fault: it may be lost for that, the other one may not
    void setCut(ProcessorId one, ProcessorId other, bool cut);
    /// Nothing passes from the hosts of one side to those of another.
    /// @param sides   by host
    /// @param oneWay  the first side is heard by the others still
    void part(const std::vector<std::uint32_t>& sides, bool oneWay = false);
    /// The clock of a host runs at another rate from now on; 0: it stands still. Beyond what is assumed of
    /// clocks two may act in the same place, which is no violation then; but what they do counts once.
    void setClock(std::uint32_t host, double rate);
    /// Who acted in a place that another one had by a later table, and how long that was seen.
    [[nodiscard]] std::map<ProcessorId, std::chrono::nanoseconds> overlaps() const;
    /// Of whom a system master told that it did.
    [[nodiscard]] const std::set<ProcessorId>& overlapsTold() const { return m_overlapsTold; }
    /// Whoever is lost from now on, it is no violation.
    void excuseAll();
    /// Everything passes again.
    void heal() { m_cuts.clear(); }
    [[nodiscard]] std::uint32_t hostOf(ProcessorId processor) const;
    /// @return whether all that live may act and are members by what the one who acts knows of them, and
    ///         nobody else is
    [[nodiscard]] bool everybodyIsBack() const;
    /// @return a line that says where a processor is, what it may do, and its place
    [[nodiscard]] std::string describe(ProcessorId processor) const;
    [[nodiscard]] std::uint32_t hosts() const;
    /// Who acts as the system master.
    [[nodiscard]] std::vector<ProcessorId> acting() const;
    void setLosses(double datagrams, double messages);
    /// @param share  of the datagrams, see SimulationShape
    void setHeldUp(double share) { m_shape.datagramsHeldUp = share; }
    /// From now on what has happened to processors is no reason to lose them any more.
    void settle();
    /// An operator wants something of processor 0. What is accepted must come true.
    Result<void> order(const Order& order);
    Result<void> changeSettings(const Settings& settings);
    /// Tells of every message that somebody living sends.
    using Listener = std::function<void(ProcessorId from, ProcessorId to, const ControlMessage&)>;
    void listen(Listener listener) { m_listener = std::move(listener); }
    /// Gives each subcluster so many tasks.
    void addTasks(std::uint32_t each);

    [[nodiscard]] std::uint32_t size() const { return m_shape.processors(); }
    [[nodiscard]] const MembershipAgent& membership(ProcessorId processor) const;
    [[nodiscard]] bool alive(ProcessorId processor) const;
    /// Who was seen last to act as the system master; processor 0 until anybody was.
    [[nodiscard]] ProcessorId systemMaster() const { return m_master; }
    [[nodiscard]] bool paused(ProcessorId processor) const;
    [[nodiscard]] const SimulationShape& shape() const { return m_shape; }
    [[nodiscard]] bool allDone() const;
    /// What the record says of a seat. Whoever acts as system master keeps it, once it has opened it.
    [[nodiscard]] RecordedSeat recorded(SeatId seat) const;
    /// Whether who acts keeps it, and knows all that stands in it.
    [[nodiscard]] bool recordIsKept() const;
    /// Whether all that may act have the same tables.
    [[nodiscard]] bool inStep() const;
    /// What of the accepted orders some survivor does not know as carried out; empty: nothing.
    [[nodiscard]] std::string ordersMissing() const;
    /// What was broken so far; empty: nothing.
    [[nodiscard]] const std::vector<std::string>& violations() const { return m_violations; }
    [[nodiscard]] std::size_t dead() const;
    /// How many tasks a processor has done.
    [[nodiscard]] std::uint32_t tasksOf(ProcessorId processor) const;
    /// How many processors the system master's tables count as lost.
    [[nodiscard]] std::size_t lostRows() const;
    /// The most messages a beat that passed between a master and its children, per child: over ten
    /// beats, and in a single one.
    [[nodiscard]] double busiestMaster() const { return m_busiest; }
    [[nodiscard]] double busiestBeat() const { return m_busiestBeat; }
    [[nodiscard]] std::uint64_t messages() const { return m_messages; }
    /// What the system master said was missing at the start.
    [[nodiscard]] const std::vector<ProcessorId>& missing() const { return m_missing; }
    [[nodiscard]] std::size_t fencedByLease() const { return m_selfFenced; }
    [[nodiscard]] std::size_t lapses() const { return m_lapses; }
    [[nodiscard]] std::size_t suspensions() const { return m_suspensions; }
    /// Who has lapsed or was fenced.
    [[nodiscard]] const std::set<ProcessorId>& lostTheirPlace() const { return m_lost; }
    /// Its life, see ControlPort::beginLife().
    [[nodiscard]] Life lifeOf(ProcessorId processor) const;
    /// @return whether it may act
    [[nodiscard]] bool works(ProcessorId processor) const;
    /// Who of those that have ended was not killed by kill().
    [[nodiscard]] std::size_t endedByThemselves() const { return m_ended.size(); }
    /// How often somebody was let in again.
    [[nodiscard]] std::size_t returns() const { return m_returns; }
    [[nodiscard]] SteadyTime now() const { return m_clock.now(); }

private:
    class Node;
    /// What can come to a processor while it is paused.
    enum class Arrival : std::uint8_t { Datagram, Message, Other };
    struct Happening {
        SteadyTime at;
        std::uint64_t order;
        std::function<void()> what;
        bool operator>(const Happening& other) const
        {
            return at != other.at ? at > other.at : order > other.order;
        }
    };
    struct Work {
        std::uint32_t task = 0;
        SeatId seat;
        Incarnation incarnation;
        SubclusterId subcluster;
        ProcessorId worker;
        [[nodiscard]] Holding holding() const { return {seat, incarnation}; }
    };
    /// What operators want, the latest of each kind.
    struct Wanted {
        std::map<ProcessorId, bool> drained;
        std::map<ProcessorId, ProcessorKind> kinds;
        std::map<SubclusterId, ProcessorId> promoted;
        std::map<SubclusterId, ClusterRules> rules;
        std::set<ProcessorId> stopped;
        std::optional<Settings> settings;
    };
    /// What a master had to do in a beat.
    struct Load {
        std::uint64_t messages = 0;
        std::size_t children = 0; ///< the most that it had meanwhile
    };
    struct Ledger {
        std::uint32_t tasks = 0;
        std::set<std::uint32_t> waiting;
        std::map<std::uint32_t, Holding> assigned;
        std::vector<std::uint32_t> counted; ///< how often, by task
    };

    void at(SteadyTime when, std::function<void()> what);
    void step(SteadyTime limit);
    void deliver(ProcessorId from, ProcessorId to, ControlMessage message);
    void arrive(ProcessorId from, Life life, ProcessorId to, const ControlMessage& message);
    [[nodiscard]] ControlMessage tampered(ProcessorId to, const ControlMessage& message) const;
    void stopActing(ProcessorId processor, const Holding& holding);
    void poll(Node& node);
    void end(ProcessorId processor);
    void endOrReturn(ProcessorId processor);
    void startNode(Node& started);
    void died(ProcessorId processor);
    void punished(ProcessorId processor, const char* how);
    void noteStanding(Node& node, Standing standing);
    void noteFenced(Node& node);
    void wake(ProcessorId processor, bool timersFirst);
    void handOut(SubclusterId subcluster);
    void carry(ProcessorId from, ProcessorId to, std::function<void()> what,
               std::function<void()> lost);
    void takeBack(const Work& work);
    void begin(const Work& work);
    void finish(const Work& work, std::uint32_t round);
    void report(const Work& work, std::uint32_t round);
    [[nodiscard]] bool writes(const Node& node, SubclusterId subcluster) const;
    void takeResult(ProcessorId master, const Work& work, std::uint32_t round);
    void check(ProcessorId processor);
    void checkMaster(const Node& one);
    void noteOverlap(ProcessorId former, const std::string& what);
    void overlapTold(const Overlap& overlap);
    void openRecord(ProcessorId leader);
    void keepRecord(const Node& leader);
    void hit(ProcessorId processor);
    [[nodiscard]] bool mastersFellSilent() const;
    [[nodiscard]] bool minorityIsAwake() const;
    [[nodiscard]] std::uint32_t hostOf(UnitId unit) const;
    /// @return so many seconds pass on its host in one
    [[nodiscard]] double rateOf(UnitId unit) const;
    void checkSeating(Node& writer);
    void noteDrained();
    void givenUp(const TableOrder& order, const std::string& reason);
    [[nodiscard]] std::string missingIn(const MembershipView& view) const;
    void count(ProcessorId from, ProcessorId to);
    void closeBeat();
    [[nodiscard]] bool sameHost(ProcessorId one, ProcessorId other) const;
    [[nodiscard]] bool loses(double share);
    [[nodiscard]] std::chrono::nanoseconds delay();
    [[nodiscard]] Node& node(ProcessorId processor) { return *m_nodes[processor.value()]; }
    [[nodiscard]] const Node& node(ProcessorId processor) const
    {
        return *m_nodes[processor.value()];
    }

    SimulationShape m_shape;
    Sabotage m_sabotage;
    std::ostream* m_decisions;
    ManualClock m_clock;
    std::mt19937_64 m_random;
    std::vector<std::unique_ptr<Node>> m_nodes;
    std::priority_queue<Happening, std::vector<Happening>, std::greater<>> m_happenings;
    std::uint64_t m_order = 0;
    std::set<std::pair<ProcessorId, ProcessorId>> m_cuts; ///< from whom to whom
    std::vector<Ledger> m_ledgers;
    std::map<ProcessorId, std::uint32_t> m_tasksOf;
    Listener m_listener;
    std::map<SeatId, ProcessorId> m_acting; ///< who was seen to act last
    ProcessorId m_master{0};                ///< the same, of the system master
    std::map<SeatId, RecordedSeat> m_record;
    std::optional<ProcessorId> m_recorder;                 ///< who has it open
    std::optional<std::pair<ProcessorId, Life>> m_opening; ///< who wanted that last; its life
    std::uint64_t m_recordedDigest = 0;                    ///< of the view that it tells of
    std::vector<SteadyTime> m_mastersHit;                  ///< when
    std::optional<SteadyTime> m_minorityUntil;             ///< was awake
    std::vector<std::string> m_violations;
    std::set<ProcessorId> m_faulty; ///< were killed, paused or cut, or are to end
    Wanted m_wanted;
    std::set<ProcessorId> m_drained; ///< for all to see, and nobody wants it otherwise
    std::map<ProcessorId, Load> m_masterCounts;
    SteadyTime m_beatBegun{};
    std::map<ProcessorId, std::deque<double>> m_loads; ///< of masters, in the latest beats
    double m_busiest = 0;
    double m_busiestBeat = 0;
    std::uint64_t m_messages = 0;
    std::vector<ProcessorId> m_missing;
    std::size_t m_selfFenced = 0;
    std::size_t m_returns = 0;
    std::size_t m_lapses = 0;
    std::size_t m_suspensions = 0;
    std::set<ProcessorId> m_lost;
    std::set<ProcessorId> m_ended;                                       ///< other than by kill()
    bool m_clocksAreWrong = false;                                       ///< beyond what is assumed
    std::map<ProcessorId, std::pair<SteadyTime, SteadyTime>> m_overlaps; ///< first seen, and last
    std::set<ProcessorId> m_overlapsTold;
};

} // namespace tasuki::hierarchy::testing
