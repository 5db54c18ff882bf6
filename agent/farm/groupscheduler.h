// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "groupbook.h"
#include "groupschedulermail.h"
#include "hand.h"
#include "masterrequests.h"
#include "messages.h"
#include "peekbook.h"
#include "repetition.h"
#include "reportdraft.h"

#include "domain/clock.h"
#include "transport/transport.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace tasuki::farm {

/// Leads the ranks of one subcluster for the master: takes work for them as one worker group, deals it, and
/// tells what becomes of it. On the subcluster's cluster master, as long as it is that. Who holds
/// which rank it is told; the tables of its phases are in docs/farm.md. Pure logic over Transport
/// and Clock; all calls on the reactor's thread.
class GroupScheduler {
public:
    struct Setup {
        Epoch epoch; ///< of the run
        GroupId group;
        ProcessorId master;
        FeedingPolicy feeding = {};
    };
    /// @return another number each time, larger than all that this processor has used before
    using LeadershipCounter = std::function<LeadershipNumber()>;

    /// @param transport, clock  outlive the group scheduler
    GroupScheduler(Setup setup, Transport& transport, const Clock& clock,
                   LeadershipCounter nextLeadership);

    /// Another processor has become the master: everything is told anew.
    void setMaster(ProcessorId master);
    /// A processor holds a rank of the subcluster from now on.
    void rankHeld(Rank rank, ProcessorId holder, Incarnation incarnation);
    /// Nobody acts for that holding of the rank any more.
    void rankLost(Rank rank, Incarnation incarnation);
    /// A rank gets work, or none: what it has not started is called back.
    void setOpen(Rank rank, bool open);
    /// Takes a message of the master or of a worker.
    void receive(ProcessorId from, Envelope envelope);
    /// Deals, calls back, reports.
    /// @return whether anything was sent
    bool poll();

    /// Who holds what is known, and the master hands out.
    [[nodiscard]] bool leads() const { return m_phase == Phase::Leading; }
    [[nodiscard]] const GroupBook& book() const { return m_book; }

private:
    enum class Phase : std::uint8_t { Calling, Resyncing, Leading };

    void call(Rank rank, Hand& hand);
    void callAll();
    void callAgain(Rank rank, Hand& hand);
    void sayCall(Rank rank, Hand& hand);
    void greeted(Rank rank, Hand& hand, LeadershipNumber leadership, Hello&& hello);
    void admit(Rank rank, Hand& hand);
    void reconcile(Rank rank, const Standing& standing);
    void claimByRecord(Rank rank, const std::vector<AttemptKey>& keys);
    void lose(Rank rank, Hand& hand);
    void forgetAnswers(Rank rank);
    void restart();
    [[nodiscard]] bool awaitsRanks() const;
    void endResync();
    void dealAndRecall();
    // Of ranks.
    void on(Rank from, Report&& message);
    void on(Rank from, const Returned& message);
    void on(Rank from, const Withdrawn& message);
    void on(Rank from, Peeked&& message);
    void on(Rank from, const Broken& message);
    void on(Rank, const auto&) {} ///< not for a chief
    // Of the master.
    void take(Resync&& message);
    void take(const GroupNoted& message);
    void take(Assign&& message);
    void take(const Recall& message);
    void take(const Withdraw& message);
    void take(const Stop& message);
    void take(const Peek& message);
    void take(const Halt& message);
    void take(const Warn& message);
    void take(const GroupResyncCall& message);
    void take(const auto&) {} ///< not for a group scheduler
    [[nodiscard]] std::map<Rank, std::vector<AttemptKey>> byHolder(
        const std::vector<AttemptKey>& keys) const;
    void finishRequests();
    void sendReport();

    FeedingPolicy m_feeding;
    const Clock& m_clock;
    LeadershipCounter m_nextTerm;

    Phase m_phase = Phase::Calling;
    Repetition m_calls; ///< of the master
    Welcome m_welcome;  ///< of ranks, as the master's answer says
    Era m_era;          ///< of the worker group, also from there
    Hands m_hands;
    GroupSchedulerMail m_mail;
    GroupBook m_book;
    /// What the master believes the worker group to hold and no rank has claimed yet, with who started it.
    std::map<AttemptKey, std::optional<Rank>> m_unclaimed;
    bool m_byRecord = false; ///< the master believes only what the record says
    MasterRequests m_requests;
    PeekBook m_peeks; ///< of the master's; each asked of a rank
    ReportDraft m_report;
};

} // namespace tasuki::farm
