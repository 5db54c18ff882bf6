// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "crewbook.h"
#include "messages.h"
#include "repetition.h"

#include "domain/clock.h"
#include "transport/transport.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace tasuki::farm {

/// Leads the ranks of one subcluster for the master: takes work for them as one crew, deals it, and
/// tells what becomes of it. On the subcluster's cluster master, as long as it is that. Who holds
/// which rank it is told; the tables of its phases are in docs/farm.md. Pure logic over Transport
/// and Clock; all calls on the reactor's thread.
class Foreman {
public:
    struct Setup {
        Epoch epoch; ///< of the run
        CrewId crew;
        ProcessorId master;
        FeedingPolicy feeding = {};
    };
    /// @return another number each time, larger than all that this processor has used before
    using TermCounter = std::function<std::uint64_t()>;

    /// @param transport, clock  outlive the foreman
    Foreman(Setup setup, Transport& transport, const Clock& clock, TermCounter nextTerm);

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
    [[nodiscard]] const CrewBook& book() const { return m_book; }

private:
    enum class Phase : std::uint8_t { Calling, Mustering, Leading };

    /// A rank as its foreman sees it.
    struct Hand {
        enum class State : std::uint8_t {
            Vacant,  ///< nobody holds it
            Called,  ///< its holder has not answered the roll call, or was not called yet
            Present, ///< its holder has been welcomed
        };
        State state = State::Vacant;
        ProcessorId holder;
        Incarnation incarnation;
        bool open = true;
        bool told = false;      ///< the master knows of the holding, or is about to
        std::uint64_t call = 0; ///< the term of its roll call
        Repetition calls;
        Hello hello;
        std::uint32_t answersDue = 0; ///< to Recalls and Halts
    };
    /// What the master wants back, and waits for an answer.
    struct RecallErrand {
        std::size_t wanted = 0; ///< beyond what is given already
        std::vector<AttemptKey> given;
        std::map<Rank, std::uint32_t> answersDue;
    };
    struct WithdrawErrand {
        std::vector<AttemptKey> given;
        std::map<Rank, std::vector<AttemptKey>> asked; ///< without an answer
        std::set<AttemptKey> left;                     ///< asked of ranks that are lost
        bool ofMaster = true;                          ///< who waits for an answer
    };
    struct PeekErrand {
        Rank rank;
        AttemptKey key;
    };
    /// A report of a rank that the master has not noted.
    struct Unnoted {
        Rank rank;
        Incarnation incarnation;
        std::uint64_t number = 0;
    };

    // ---- the crew
    void call(Rank rank, Hand& hand);
    void callAll();
    void callAgain(Rank rank, Hand& hand);
    void sayCall(Rank rank, Hand& hand);
    void greeted(Rank rank, Hand& hand, std::uint64_t term, Hello&& hello);
    void admit(Rank rank, Hand& hand);
    void reconcile(Rank rank, const Standing& standing);
    void claimByRecord(Rank rank, const std::vector<AttemptKey>& keys);
    void lose(Rank rank, Hand& hand);
    void tell(Rank rank, RankLeavings leavings);
    void restart();
    [[nodiscard]] bool awaitsRanks() const;
    void endMuster();
    void dealAndRecall();
    void on(Rank from, Report&& message);
    void on(Rank from, const Returned& message);
    void on(Rank from, const Withdrawn& message);
    void on(Rank from, Peeked&& message);
    void on(Rank from, const Broken& message);
    void on(Rank, const auto&) {} ///< not for a chief

    // ---- the master, foremanorders.cpp
    void take(Muster&& message);
    void take(const CrewNoted& message);
    void take(Assign&& message);
    void take(const Recall& message);
    void take(const Withdraw& message);
    void take(const Stop& message);
    void take(const Peek& message);
    void take(const Halt& message);
    void take(const Warn& message);
    void take(const CrewRollCall& message);
    void take(const auto&) {} ///< not for a foreman
    void recall(Rank rank, FarmMessage message);
    void withdrawAgain(Rank rank);
    void forgetAnswers(Rank rank, Hand& hand);
    void finishErrands();
    void giveUpQueue();
    [[nodiscard]] std::size_t reserved() const;

    [[nodiscard]] bool reportIsDue(SteadyTime now) const;
    void touchReport(bool urgent);
    void sendReport();
    void sendUp(FarmMessage message);
    void send(Rank to, FarmMessage message);

    Setup m_setup;
    Transport& m_transport;
    const Clock& m_clock;
    TermCounter m_nextTerm;

    Phase m_phase = Phase::Calling;
    std::uint64_t m_term;
    Repetition m_calls;      ///< of the master
    Welcome m_welcome;       ///< of ranks, as the master's answer says
    std::uint64_t m_era = 0; ///< of the crew, also from there
    std::map<Rank, Hand> m_hands;
    CrewBook m_book;
    /// What the master believes the crew to hold and no rank has claimed yet, with who started it.
    std::map<AttemptKey, std::optional<Rank>> m_unclaimed;
    bool m_byRecord = false; ///< the master believes only what the record says
    bool m_givesUp = false;  ///< what comes back to the queue goes to the master
    bool m_halted = false;

    std::deque<RecallErrand> m_recalls;
    std::deque<WithdrawErrand> m_withdrawals;
    std::map<std::uint32_t, PeekErrand> m_peeks;

    CrewReport m_report; ///< being written
    std::vector<Unnoted> m_inReport;
    bool m_reportBegun = false;
    bool m_reportUrgent = false;
    SteadyTime m_oldestUnreported{};
    std::size_t m_endsInReport = 0;
    std::size_t m_outputInReport = 0; ///< bytes
    std::uint64_t m_lastReport = 0;
    std::map<std::uint64_t, std::vector<Unnoted>> m_unnoted; ///< by number of the foreman's report
    bool m_sent = false;
};

} // namespace tasuki::farm
