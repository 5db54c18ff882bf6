// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "clusterkeeper.h"
#include "decisions.h"
#include "electorate.h"
#include "failuredetector.h"
#include "messages.h"
#include "observationbook.h"
#include "orderbook.h"
#include "overlapbook.h"
#include "ports.h"
#include "rhythm.h"
#include "standing.h"
#include "supportbook.h"
#include "tableflow.h"
#include "tree.h"
#include "wayback.h"

#include "domain/clock.h"
#include "domain/result.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tasuki::hierarchy {

struct KeeperOptions {
    std::chrono::milliseconds startDeadline{60'000};
    std::chrono::milliseconds stuckAfter{10'000};
    std::uint32_t leaseBeats = 25;     ///< without a reply: the processor gives itself up
    std::uint32_t leaseWaitBeats = 30; ///< after which it must have done so
    /// Word of a majority that is newer than this counts as of now.
    std::uint32_t trustBeats = 10;
    /// Who has acknowledged no other system master for so long follows one alone. More than the sum of
    /// leaseBeats and trustBeats, by what clocks may differ: then the lease of another one was over
    /// before its word is trusted.
    std::uint32_t soleBeats = 38;
    /// So long after it was late itself a processor waits for word that it has its place still.
    std::uint32_t suspendedBeats = 15;
    /// Who has had a majority within so long has the time to gather one again.
    std::uint32_t recentBeats = 20;
    /// So long a system master may be without a majority though it is heard again.
    std::uint32_t powerlessBeats = 15;
    /// And for so long it is passed over then, unless it has one.
    std::uint32_t passedOverBeats = 100;
    /// A system master that is silent is replaced: on the host of its heir it is killed, elsewhere a
    /// majority goes on without it. Else it is waited for as long as leases last.
    bool replacesSilentMaster = true;
    /// So long who has given itself up asks to be let in again.
    std::chrono::milliseconds rejoinWithin{60'000};
    /// So long who has lapsed waits for a majority.
    std::chrono::milliseconds lapsedWithin{120'000};
};

/// What a keeper tells the processor that it serves. None may call back into it.
struct KeeperObserver {
    /// Some table has changed.
    std::function<void(const Picture&)> changed = [](const Picture&) {};
    /// This processor holds another seat, or none.
    std::function<void(std::optional<Holding>)> holding = [](std::optional<Holding>) {};
    /// It holds no seat any more, as an operator wants: Keeper::hasStopped() is to be called when
    /// nothing is done in this one, so that another processor can get it.
    std::function<void(Holding)> letGo = [](Holding) {};
    /// What this processor may do by its lease has changed. While it is not Valid it starts, reports and
    /// leads nothing. Who was Suspended goes on as it was. Who has Lapsed begins anew when it is Valid again,
    /// if it leads as its own successor; holding(none) and letGo() follow if it held a seat.
    std::function<void(Standing)> standing = [](Standing) {};
    /// The others go on without this processor: it must kill its tasks and do nothing any more. When
    /// nothing of it is left it may end, or call Keeper::comeBack().
    std::function<void()> fenced = [] {};
    /// It is one of them again, in a new life: a standby, with the picture that follows.
    std::function<void()> rejoined = [] {};
    /// It is not let in again: it is to end.
    std::function<void()> shutOut = [] {};
    /// It went on in its place after the others had given it up; Keeper::tellOverlap() is to be called when
    /// it is known how many of its results do not count.
    std::function<void(const Overlap&)> overlapped = [](const Overlap&) {};
    /// Somebody did so; said by the system master, once.
    /// @param lostFor  how long it is known that it was given up; none: it is not
    std::function<void(const Overlap&, std::optional<std::chrono::nanoseconds> lostFor)>
        overlapTold = [](const Overlap&, std::optional<std::chrono::nanoseconds>) {};
    /// Nothing is heard of the system master any more, by whatever way; or something is again.
    std::function<void(bool)> masterSilent = [](bool) {};
    /// The start is overdue; these are not ready. Said by the system master, once.
    std::function<void(std::vector<ProcessorId>)> missing = [](std::vector<ProcessorId>) {};
    /// Thresholds are longer by so much, as this processor was late itself.
    std::function<void(std::chrono::nanoseconds)> lengthened = [](std::chrono::nanoseconds) {};
    /// What was accepted by Keeper::order() cannot be carried out any more, for this reason.
    std::function<void(const TableOrder&, const std::string&)> givenUp = [](const TableOrder&,
                                                                            const std::string&) {};
    /// Hears what is decided by the protocol, for tests; outlives the keeper. Null: nobody does.
    DecisionListener* decisions = nullptr;
};

/// One processor's part in the failure hierarchy, whatever its role: beats, listens, passes tables
/// on, and, when it is a master, decides. All calls on one thread.
class Keeper {
public:
    /// @param picture  that of the beginning, the same for all
    /// @param control, host, clock  outlive the keeper
    Keeper(ProcessorId self, Picture picture, KeeperOptions options, ControlPort& control,
           HostPort& host, const Clock& clock, KeeperObserver observer);
    Keeper(const Keeper&) = delete;
    Keeper& operator=(const Keeper&) = delete;
    ~Keeper() = default;

    /// Takes the first place in the tree and begins to beat. Called once, before everything else.
    void start();
    /// Takes a message that came from a processor of this run.
    /// @param life  of the sender, in which it said this
    void receive(ProcessorId from, const ControlMessage& message, std::uint32_t life = 1);
    /// A process of this host has ended.
    void gone(ProcessorId processor);
    /// What the next beats say.
    void setReadiness(Readiness readiness) { m_readiness = readiness; }
    void setTurns(std::uint64_t turns) { m_turns = turns; }
    /// Nothing is done any more in a seat that was to be let go of.
    void hasStopped(const Holding& holding);
    /// The record says that another processor leads: the others go on without this one, which was the system
    /// master. KeeperObserver::fenced follows.
    void giveUpPlace();
    /// Nothing is left of what a processor did that was fenced: it asks to be let in, in a new life,
    /// until KeeperObserver::rejoined or shutOut is called.
    void comeBack();
    /// The system master is told that this processor went on for too long, see KeeperObserver::overlapped.
    /// @param refused  so many of its results do not count
    void tellOverlap(std::uint32_t refused);
    /// The system master takes what an operator wants; who writes the table carries it out. That it
    /// is done the picture shows: the row of a processor is as wanted, or KeeperObserver::givenUp
    /// is called.
    /// @return an Error of kind Input: it makes no sense as things are, or this is not the system
    ///         master
    Result<void> order(const Order& order);
    /// As order(), for what holds in the whole system; at once.
    Result<void> changeSettings(const Settings& settings);
    /// What a successor finds in the record of the run: no holding of which it knows is given out once
    /// more. Whoever writes the tables is told until they show it, see isBehind().
    void recall(std::vector<RecordedSeat> seats);
    /// Does what is due. To be called at the time that it returns, or before; what it is called
    /// later counts as own lateness.
    SteadyTime poll();

    [[nodiscard]] const Picture& picture() const { return m_picture; }
    [[nodiscard]] const Position& position() const { return m_position; }
    [[nodiscard]] std::optional<Holding> holding() const { return m_holding; }
    [[nodiscard]] bool fenced() const { return m_fenced; } ///< and not let in since
    [[nodiscard]] Standing standing() const { return m_standing; }
    [[nodiscard]] WayBack::State wayBack() const { return m_wayBack.state(); }
    /// Whether this is the system master, and the tables say of all before it that they are no more.
    [[nodiscard]] bool actsAsSystemMaster() const
    {
        return !m_fenced && m_standing == Standing::Valid && m_position.systemMaster
            && systemMaster(m_picture) == m_self;
    }
    /// Whether orders that were accepted here are neither carried out nor given up.
    [[nodiscard]] bool ordersOpen() const { return !m_orders.empty(); }

private:
    void on(ProcessorId from, const Beat& beat);
    void on(ProcessorId from, const BeatReply& reply);
    void on(ProcessorId from, const Ask&);
    void on(ProcessorId from, const Banish&);
    void on(ProcessorId from, const Tables& tables);
    void on(ProcessorId from, const TablesWanted& wanted);
    void on(ProcessorId from, const Observations& observations);
    void on(ProcessorId from, const Fence& fence);
    void on(ProcessorId from, const Taken& taken);
    void on(ProcessorId from, const Vacated& vacated);
    void on(ProcessorId from, const Orders& orders);
    void on(ProcessorId from, const Rejoin& plea);
    void on(ProcessorId from, const Overlap& overlap);
    void on(ProcessorId from, const Admission&);
    void on(ProcessorId from, const Recorded& recorded);

    /// What is known of who is followed, or was: when a majority last followed it, so that it may act by
    /// that; and whether or not it may.
    struct ReignSeen {
        ProcessorId reign;
        SteadyTime granted{};
        SteadyTime followed{};
    };

    /// What this processor does by its lease.
    struct Doing {
        std::optional<Holding> holding;
        bool leads = false;
    };

    /// What becomes of somebody who wants to be let in.
    enum class Entry : std::uint8_t {
        Open,
        OtherLife, ///< the tables have that one as lost
        Never,
        AskOthers, ///< it is not decided here
    };
    [[nodiscard]] Entry entryOf(const Rejoin& plea, SteadyTime now) const;
    void beginLife(std::uint32_t life);
    void askToBeLetIn(SteadyTime now);
    void shutOut();
    void receiveOutside(ProcessorId from, const ControlMessage& message);
    void followOutside(const BeatReply& reply);
    void enter(ProcessorId from, const Admission& admission);
    void forgetAll(SteadyTime now);
    bool adopt(const ClusterTablePtr& table);
    void forget(ProcessorId processor);
    void stopActing(SteadyTime now);
    void heedVerdict(const ClusterTable& table);
    void noteLosses(const ClusterTable& before, const ClusterTable& after);
    void hearOfOwnLoss(ProcessorId from, std::optional<std::chrono::nanoseconds> lostFor);
    void sayOverlap();
    [[nodiscard]] std::optional<std::chrono::microseconds> lostFor(ProcessorId processor,
                                                                   std::uint32_t life) const;
    [[nodiscard]] bool noteLateness(SteadyTime now);
    void wake(SteadyTime now);
    void judgeLater(SteadyTime now);
    [[nodiscard]] SteadyTime nextLook(SteadyTime now) const;
    void lookAround(SteadyTime now);
    void observe(Observed observed, SteadyTime now);
    void compareHealth(SteadyTime now);
    void askTheUnheard(SteadyTime now);
    void beginWatching(ProcessorId processor, SteadyTime heard);
    void observeEndedBefore();
    void report(const std::vector<Observed>& open, SteadyTime now);
    [[nodiscard]] ClusterKeeper* writerOf(SubclusterId subcluster);
    [[nodiscard]] bool lacksMaster(SubclusterId subcluster) const;
    void beginWriting(SubclusterId subcluster);
    void muster();
    void publish();
    void passToThoseConcerned(const ClusterTablePtr& table, std::vector<ProcessorId> concerned,
                              bool urgent);
    [[nodiscard]] Result<void> takesOrders() const;
    void writeSystem(SystemTable system);
    void sayOrders(SteadyTime now);
    void sayRecalled();
    void carryOut(ProcessorId issuer, const NumberedOrder& order, SteadyTime now);
    void compareBooks();
    void watchStart(SteadyTime now);
    void reposition(SteadyTime now);
    void adoptChildrenOfTheLate();
    [[nodiscard]] std::optional<ProcessorId> topOfAll() const;
    [[nodiscard]] std::optional<ProcessorId> whoDecides(ProcessorId about,
                                                        std::optional<ProcessorId> master) const;
    [[nodiscard]] bool isHeir() const;
    void watchTop();
    void takeForAway(ProcessorId top, SteadyTime now);
    void takeElsewhereForAway(ProcessorId top, SteadyTime now);
    void takeUnitForAway(ProcessorId top, SteadyTime now);
    void putBack(ProcessorId processor, SteadyTime now);
    void hearFromAbove(ProcessorId from, bool beats);
    void judgeTop(SteadyTime now);
    void condemnAway(std::chrono::nanoseconds since, SteadyTime now);
    [[nodiscard]] bool topIsSilent(SteadyTime now) const;
    void tellSilence(SteadyTime now);
    void askTop(SteadyTime now);
    void askThoseBefore();
    void hearAgain(ProcessorId doubtful, std::chrono::nanoseconds reignAge, SteadyTime now);
    void takeLease(ProcessorId from, const BeatReply& reply, SteadyTime asked);
    void takeTopLease(SteadyTime since);
    [[nodiscard]] bool wasDeaf(SteadyTime now, std::chrono::nanoseconds within) const;
    void inheritGrant(SteadyTime now);
    void noteReign(const ReignSeen& seen);
    [[nodiscard]] ReignSeen reignSeen() const;
    [[nodiscard]] bool reignIsRecent(SteadyTime now) const;
    void takeStamp(ProcessorId from, const BeatReply& reply, std::chrono::nanoseconds reignAge,
                   SteadyTime now);
    void lookWhoIsElsewhere();
    void countElectorate(SteadyTime now);
    [[nodiscard]] bool needsMajority() const;
    /// Whether what is decided here counts: without a majority others may have gone on.
    [[nodiscard]] bool mayWrite() const
    {
        return m_standing == Standing::Valid || !needsMajority();
    }
    [[nodiscard]] std::chrono::nanoseconds soleTime(SteadyTime now) const;
    void stampHere(SteadyTime now);
    [[nodiscard]] bool mayBeBuriedBy(ProcessorId candidate) const;
    void standDown(SteadyTime now);
    void countFollowers(SteadyTime now);
    void acknowledge(SteadyTime now);
    void judgeStanding(bool over, bool excused, SteadyTime now);
    void setStanding(Standing standing, SteadyTime now);
    void renounceIfUnused(SteadyTime now);
    void hearGeneration(std::uint64_t generation, const std::vector<Stamp>& renounced);
    [[nodiscard]] std::uint64_t latestGeneration() const;
    void beginGeneration();
    void renewTerms();
    void settleVoters(SteadyTime now);
    void tellStamp();
    void tellAcknowledged();
    void tellWords();
    void tellPart();
    void tellRenounced(const Stamp& upTo);
    void tellAdopted(const SystemTable& table);
    void tellAdopted(const ClusterTable& table);
    void tellWrote(const SystemTable& table);
    void tellWrote(const ClusterTable& table);
    void hold(std::optional<Holding> holding);
    [[nodiscard]] bool topIsPowerless(SteadyTime now) const;
    [[nodiscard]] bool trusted(SteadyTime now) const;
    [[nodiscard]] bool trustHolds(SteadyTime when, SteadyTime now) const;
    [[nodiscard]] bool trustedItself(SteadyTime now) const;
    [[nodiscard]] bool mayDecide(const Observed& observed, SteadyTime now) const;
    void establish(SteadyTime now);
    void judgeSelf(SteadyTime now);
    void announce();
    void dropAdopted();
    [[nodiscard]] std::optional<ProcessorId> executioner(const ClusterTable& table,
                                                         const MemberRow& condemned) const;
    void fence(SteadyTime now);
    void lookAtHolding(bool again = false);
    void beat(SteadyTime now);
    void sendBeat(ProcessorId to);
    void beatPastTheDeaf(SteadyTime now);
    [[nodiscard]] bool staysLapsed(ProcessorId processor, SteadyTime now) const;
    [[nodiscard]] bool isDeaf(ProcessorId processor, SteadyTime now) const;
    void beatAround();
    [[nodiscard]] BeatReply replyTo(std::uint64_t number, SteadyTime now);
    void passTables();
    void checkLease(SteadyTime now);
    [[nodiscard]] SteadyTime leasesUntil(SteadyTime now) const;
    void giveUp();
    [[nodiscard]] std::pair<std::chrono::nanoseconds, std::chrono::nanoseconds> leaseAndGrant(
        SteadyTime now) const;
    void applySettings(SteadyTime now);
    void send(ProcessorId to, ControlMessage message);
    [[nodiscard]] std::chrono::nanoseconds interval() const { return m_rhythm.interval(); }

    /// How somebody's digest and the own one differed last.
    struct Difference {
        std::pair<std::uint64_t, std::uint64_t> digests;
        std::uint32_t alike = 0; ///< in a row, in this way
        std::uint32_t any = 0;   ///< in a row, in whatever way
    };

    /// A beat without a reply yet.
    struct Unanswered {
        SteadyTime sent;
        bool forLease =
            true; ///< else it is no lease: who was asked may not know what the parent does
    };

    /// What the listener to decisions knows.
    struct Told {
        std::optional<Stamp> stamp;
        std::optional<std::pair<Stamp, bool>> acknowledged;
        std::optional<SteadyTime> acknowledgedMade;
        Words words;
        std::set<ProcessorId> ended;
        std::optional<Part> part;
        std::optional<ProcessorId> leaseBy;
        Standing standing = Standing::Valid;
    };

    /// Between two beats it is looked so often who is late, when somebody may be.
    static constexpr int looksPerBeat = 4;
    /// Beats whose replies are waited for: more than a lease has.
    static constexpr std::size_t mostUnanswered = 64;

    ProcessorId m_self;
    Picture m_first; ///< of the beginning
    Picture m_picture;
    KeeperOptions m_options;
    ControlPort& m_control;
    HostPort& m_host;
    const Clock& m_clock;
    KeeperObserver m_observer;

    Position m_position;
    FailureDetector m_detector;
    Rhythm m_rhythm;
    ObservationBook m_book;
    OrderBook m_orders;
    std::vector<RecordedSeat> m_recalled; ///< which the tables do not show yet
    TableFlow m_flow;
    /// Of the subclusters whose tables are written here: the own one while this is its cluster
    /// master; while it is the system master, also those whose cluster masters are being replaced.
    std::map<SubclusterId, ClusterKeeper> m_writing;
    std::vector<SteadyTime> m_adoptedAt;            ///< the tables, by subcluster
    std::set<ProcessorId> m_adopted;                ///< children of late ones, watched meanwhile
    std::map<ProcessorId, std::uint64_t> m_digests; ///< what children said last
    std::map<ProcessorId, Version> m_announced;     ///< what tables who beats here says it has
    std::map<ProcessorId, SteadyTime> m_answered;   ///< when who had last beaten
    std::map<ProcessorId, SteadyTime> m_asked;      ///< when who got a beat for an Ask

    Readiness m_readiness = Readiness::Starting;
    std::uint64_t m_turns = 0;
    std::optional<Holding> m_holding;
    std::optional<Holding> m_lastHeld; ///< the present holding, or the one before
    std::optional<Holding> m_letGo;    ///< was to be, and is not held any more
    bool m_stopped = false;            ///< nothing is done in it any more
    std::uint64_t m_beats = 0;
    std::map<ProcessorId, Difference> m_differences; ///< to those who reply to beats
    std::vector<ProcessorId> m_endedBefore;          ///< found gone when they were to be watched
    SteadyTime m_begun{};
    SteadyTime m_nextBeat{};
    SteadyTime m_due{};
    SteadyTime m_judgeFrom{}; ///< who was late listens until then
    /// When the newest beat that was replied to had been sent, less the age of the lease of who
    /// replied: nobody lives longer than what the system master knows of it.
    SteadyTime m_leaseFrom{};
    /// Own lateness since the lease, or the grant, was renewed last: in it no beat went out to be
    /// answered.
    std::chrono::nanoseconds m_lateSinceLease{};
    std::chrono::nanoseconds m_lateSinceTop{};
    std::chrono::nanoseconds m_lateSinceGrant{};
    SteadyTime m_lateUntil{}; ///< what was said before says nothing of now
    SteadyTime m_deafUntil{}; ///< nothing could be heard: it was stopped for long, or cut off
    /// The same of the newest stamp that a majority has, and of the newest that one has which hears
    /// of no other system master: of what the system master knows.
    SteadyTime m_grantFrom{};
    SteadyTime m_soleFrom{};
    /// Whose grant is known to be how new, whatever that of this processor hangs on.
    std::optional<ReignSeen> m_reignSeen;
    std::optional<ReignSeen> m_reignBefore; ///< the same of whom it followed before that
    std::optional<ProcessorId> m_reignFrom; ///< by whom its newest stamp came
    bool m_granted = true;                  ///< of late
    SteadyTime m_grantedSince{};
    SupportBook m_support;
    Electorate m_electorate;
    std::map<ProcessorId, SteadyTime> m_lapsed; ///< who says so of itself, since when
    bool m_someoneElsewhere = false;            ///< lives by the tables
    std::optional<SteadyTime> m_ownGrant;       ///< when a grant hung on own stamps last
    std::uint64_t m_votersSince = 0; ///< stamp after which the voters to be stood in the table
    std::uint64_t m_generation = 0;  ///< the latest that was heard of
    SteadyTime m_standingSince{};
    SteadyTime m_putBackAt{}; ///< when a system master without a grant was, last
    std::map<ProcessorId, SteadyTime> m_passedOver; ///< until when, those without a majority
    std::map<ProcessorId, SteadyTime> m_heard;      ///< beats and replies of who is elsewhere
    SteadyTime m_parentSince{};
    Away m_away;                      ///< former system masters, before the tables say so
    Away m_doubtful;                  ///< of them, who is elsewhere and silent: it may act still
    std::optional<ProcessorId> m_top; ///< the system master as it is seen here; watched
    SteadyTime m_topHeard{};
    SteadyTime m_topLease{};    ///< the lease, as far as it comes from there
    SteadyTime m_succeedFrom{}; ///< when somebody was taken for away last
    std::map<std::uint64_t, Unanswered> m_sent;
    bool m_muster = false;  ///< a table is written here newly
    bool m_burying = false; ///< those whose leases are over: nobody needs to be killed
    bool m_missingSaid = false;
    bool m_silenceSaid = false;
    bool m_changed = false;
    bool m_fenced = false;
    Standing m_standing = Standing::Valid;
    WayBack m_wayBack;
    std::uint32_t m_life = 1;
    Told m_told;
    OverlapBook m_overlaps{m_self};
    Doing m_doing;                                            ///< when it was looked at last
    std::optional<std::pair<Overlap, ProcessorId>> m_overlap; ///< to be told, and to whom
};

} // namespace tasuki::hierarchy
