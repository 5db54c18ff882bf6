// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "actions.h"
#include "messages.h"
#include "recordedseat.h"
#include "tables.h"

#include "domain/clock.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace tasuki::hierarchy {

/// Writes a subcluster's table: what a cluster master decides. It says which processors are to be
/// killed, and carries out nothing itself.
class TableWriter {
public:
    /// Begins a new term.
    /// @param table  the newest that is known
    /// @param known  since when: what it says to be so long ago is counted from there
    /// @param term   termBeyond() where others may have begun some since; none: the next one
    TableWriter(ProcessorId self, const ClusterTable& table, SteadyTime known,
                std::optional<TableTerm> term = {});

    /// Acts on an observation, by the action table.
    void observe(const Observed& observed, SteadyTime now);
    /// A seat's new holder has it.
    void taken(ProcessorId holder, const Holding& holding, SteadyTime now);
    /// A seat's holder has let go of it.
    void vacated(ProcessorId holder, const Holding& holding, SteadyTime now);
    /// Does what an operator wants, if that can still be done, and only once.
    /// @return whether it is the first time
    bool carryOut(ProcessorId issuer, const NumberedOrder& order, SteadyTime now);
    void carryOut(const TableOrder& wanted, SteadyTime now);
    /// A processor goes by this writer's tables from now on, if the term says so: what a former writer
    /// may have given it, it has let go of.
    /// @param term  of the table that it says it has
    void follows(ProcessorId processor, TableTerm term, SteadyTime now);
    /// @return the processors that have no seat by the table that is gone on from, and do not
    ///         follow yet: perhaps the former writer gave them one. Until they do, nobody gets a
    ///         seat
    [[nodiscard]] const std::set<ProcessorId>& unsynced() const { return m_unsynced; }
    /// A processor that was let in again gets a seat only after some time: by then any processor
    /// that may have to write this table next knows that it lives, and does not give the seat to
    /// another one.
    /// @param wait  so long
    void trustReturned(SteadyTime now, std::chrono::nanoseconds wait);
    /// Somebody who lives has held a seat under an incarnation: none that is older is given out.
    void heardOf(const Holding& holding);
    /// The same of a holding that the record of the run knows, whether or not anybody lives who
    /// knew of it.
    void recall(const RecordedSeat& recorded);

    /// The table as it is now, with the changes that are not published.
    [[nodiscard]] const ClusterTable& draft() const { return m_table; }
    [[nodiscard]] bool changed() const { return m_changed; }
    /// Precondition: changed().
    /// @param wall  the same moment, by which losses are dated
    /// @return the table with the next revision
    ClusterTablePtr publish(SteadyTime now, WallTime wall);
    /// @return who has got a seat, or is to let go of one, since this was last asked: to be told at
    ///         once
    std::vector<ProcessorId> takeSeated() { return std::exchange(m_seated, {}); }
    /// @return whether somebody was lost, or has taken a seat, since this was last asked, or the
    ///         subcluster went up or down: the system master is to hear of it at once
    bool takeUrgent() { return std::exchange(m_urgent, false); }
    /// @return whom to kill: those that are condemned
    [[nodiscard]] std::vector<ProcessorId> condemned() const;
    /// @return those that cannot be killed and whose lease has been waited for so long
    [[nodiscard]] std::vector<ProcessorId> leasesOver(SteadyTime now,
                                                      std::chrono::nanoseconds wait) const;

private:
    /// What was decided here about somebody.
    struct Verdict {
        std::optional<SteadyTime> lostAt; ///< that is not dated yet
        SteadyTime judged;
    };

    void pass(MemberRow& row, const Observed& observed, SteadyTime now);
    void date(SteadyTime now, WallTime wall);
    void bury(MemberRow& row, Health health, const Observed& observed, SteadyTime now);
    bool readmit(MemberRow& row, Life life, SteadyTime now);
    void freeSeat(MemberRow& row, std::optional<SteadyTime> since);
    void fillSeats(SteadyTime now);
    void give(SeatRow& seat, MemberRow& row);
    void goBeyond(SeatRow& seat, Incarnation known);
    [[nodiscard]] MemberRow* candidate(const SeatRow& seat);
    [[nodiscard]] bool lostByFault(const SeatRow& seat) const;
    [[nodiscard]] bool withinIntensity(SteadyTime now);
    void judge();
    void carryOut(const DrainOrder& order);
    void carryOut(const PromoteOrder& order);
    void carryOut(const KindOrder& order);
    void carryOut(const RulesOrder& order);

    ClusterTable m_table;
    bool m_changed = true;
    std::vector<ProcessorId> m_seated;
    bool m_urgent = false;
    std::set<ProcessorId> m_unsynced;
    std::deque<SteadyTime> m_takeovers; ///< within the time of the rules; the oldest first
    std::map<ProcessorId, Verdict> m_verdicts;
    std::map<SeatId, SteadyTime> m_freeSince;  ///< since the verdict about the last holder
    std::map<SeatId, SteadyTime> m_takenSince; ///< though that verdict is a former writer's
    std::map<ProcessorId, SteadyTime> m_awaited;
    std::map<ProcessorId, SteadyTime> m_returned; ///< who gets no seat yet
};

} // namespace tasuki::hierarchy
