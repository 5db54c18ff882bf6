// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"
#include "domain/result.h"
#include "membership.h"
#include "merge/mergemap.h"
#include "merge/trim.h"
#include "messages.h"
#include "transport/transport.h"
#include "viewrounds.h"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace tasuki::merge {

struct ExchangeOptions {
    std::optional<std::size_t> keep; ///< entries of the result; none: all
    ScoreRule score = ScoreRule::None;
    bool exactScores = true;                     ///< scoreIsExact() of all own values
    std::chrono::milliseconds lostAfter{10'000}; ///< silence after which a rank is given up
    Pace pace;
    Place place;
    /// Makes what ranks show of their maps before and after; empty: nothing is shown.
    std::function<std::string(const MergeMap&)> listing;
    std::function<std::uint64_t()> peakBytes; ///< of this process's memory
};

/// What others want to know of an exchange. May be empty functions, which are not called.
struct ExchangeObserver {
    /// A rank's process is known now, or was known already.
    std::function<void(ProcessorId, const Place&)> present;
    /// A view begins. @param reason  of the schedule; empty but on the coordinator
    std::function<void(const ViewId&, const View&, const std::string& reason)> began;
    std::function<void(const RoundReport&)> roundEnded;
    std::function<void(ProcessorId, bool gone)> lost;
    /// All hold the result, and it is for this rank to make it safe and call finish(). Comes to
    /// another rank again when the first one dies over it.
    std::function<void()> agreed;
};

/// One rank's part in an exchange after which all hold the same map, whoever dies meanwhile.
/// See docs/merge.md for the conversation. Pure logic on the reactor's thread.
class Exchange {
public:
    enum class Phase : std::uint8_t { Gathering, Exchanging, Done, Agreed, Over };

    /// @param mine  what this rank brings
    /// @param transport, clock  outlive the exchange; its messages come through receive()
    Exchange(ExchangeOptions options, MergeMap mine, Transport& transport, const Clock& clock,
             ExchangeObserver observer);

    void start();
    void receive(ProcessorId from, Message message);
    /// @return whether something moved
    bool poll();
    /// The process of a rank has ended for certain.
    void processGone(ProcessorId rank) { lose(rank, Membership::State::Gone); }
    /// On the coordinator: the merge is over for all. @param safe  whether the result is, which
    ///        asks for observer.agreed to have been called
    void finish(bool safe);

    [[nodiscard]] Phase phase() const { return m_phase; }
    /// Precondition: phase() is Exchanging.
    [[nodiscard]] RoundProgress progress() const { return m_rounds.progress(); }
    [[nodiscard]] bool over() const { return m_phase == Phase::Over; }
    /// Precondition: over(). Whether the result is agreed on and safe.
    [[nodiscard]] bool safe() const { return m_safe; }
    /// Precondition: over(). Whether all that the others pass on has come. Until then it is received
    /// still: messages that nobody takes hold up the ranks' leave of MPI (Open MPI 5).
    [[nodiscard]] bool quiet() const;
    /// Why this rank left early. None though not safe(): who coordinates knows why.
    [[nodiscard]] const std::optional<Error>& failure() const { return m_failure; }
    /// Whether it left because the others go on without it, or may do so.
    [[nodiscard]] bool leftBehind() const { return m_leftBehind; }
    /// Precondition: agreed. Folded and trimmed.
    [[nodiscard]] const MergeMap& result() const { return *m_result; }
    /// The same, for other threads.
    [[nodiscard]] std::shared_ptr<const MergeMap> sharedResult() const { return m_result; }
    /// Whether all ranks of the launch took part until all held the result.
    [[nodiscard]] bool complete() const { return m_complete; }
    /// On the coordinator: what the members said of the result.
    [[nodiscard]] const std::map<ProcessorId, Done>& dones() const { return m_dones; }
    [[nodiscard]] const std::map<ProcessorId, Hello>& hellos() const { return m_hellos; }
    [[nodiscard]] const Membership& membership() const { return m_members; }

private:
    void take(ProcessorId from, const ViewId& view, Hello hello);
    void take(ProcessorId from, const ViewId& view, View content);
    void take(ProcessorId from, const ViewId& view, const Ready& ready);
    void take(ProcessorId from, const ViewId& view, Part part);
    void take(ProcessorId from, const ViewId& view, Done done);
    void take(ProcessorId from, const ViewId& view, const Agreed& agreed);
    void take(ProcessorId from, const ViewId& view, const Finished& finished);
    void take(ProcessorId from, const ViewId& view, const Lost& lost);
    void take(ProcessorId /*from*/, const ViewId& /*view*/, const Beat& /*beat*/) {}

    void send(ProcessorId to, Body body);
    void tellOthers(const Body& body);
    void sayHello();
    void beginViewIfAllAreHere();
    void enter(const ViewId& id, View content);
    void endRoundsIfOver();
    [[nodiscard]] std::shared_ptr<const MergeMap> result(std::shared_ptr<const MergeMap> map) const;
    [[nodiscard]] MergeMap scoredTotals(MergeMap totals) const;
    void agreeIfAllAreDone();
    void becomeAgreed();
    void lose(ProcessorId rank, Membership::State state);
    void fail(Error error);
    void leaveBehind(std::string why, std::string remedy);
    bool beat();

    ExchangeOptions m_options;
    Transport& m_transport;
    const Clock& m_clock;
    ExchangeObserver m_observer;
    Membership m_members;
    Phase m_phase = Phase::Gathering;
    std::optional<Error> m_failure;
    SteadyTime m_lastBeat{};
    std::string m_listing; ///< of the map at the beginning

    ViewRounds m_rounds;

    std::shared_ptr<const MergeMap> m_result;
    ViewId m_resultView; ///< in which the result was made
    bool m_complete = false;
    bool m_safe = false;
    std::set<ProcessorId> m_agreed; ///< who has passed on that all agree
    bool m_leftBehind = false;

    // The coordinator's.
    std::uint64_t m_highestView = 0;
    std::string m_reason; ///< of the schedule
    std::map<ProcessorId, Hello> m_hellos;
    std::map<ProcessorId, Done> m_dones;
    bool m_closing = false; ///< observer.agreed was called
};

} // namespace tasuki::merge
