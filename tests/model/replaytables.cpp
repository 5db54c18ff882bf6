// SPDX-License-Identifier: GPL-3.0-or-later
// What tables may say, and who may hold a seat.
#include "replay.h"

namespace tasuki::membership {

/// Who has no majority writes no table.
void Replay::checkMayWrite(const Processor& one)
{
    if (!one.member())
        diverges("table-writer", "a table is written by one that is no member");
    if (!one.started() || !needsMajority(one))
        return;
    if (one.standing != Standing::Valid)
        diverges("table-writer", "a table is written by one that is not valid");
    if (one.own - one.grant > spans(one.leads() ? 25 : 30) + spans(looksLate))
        diverges("old-grant", "a table is written under a grant that is over");
    if (!one.leads() && one.own - one.lease > spans(25) + spans(looksLate))
        diverges("old-lease", "a table is written under a lease that is over");
}

void Replay::writesSystem(Processor& one, const SystemPtr& table)
{
    checkMayWrite(one);
    if (!before(one).empty() && !trusted(one))
        diverges("table-writer", "the system table is written by one that others come before");
    if (table->version <= one.system->version)
        diverges("table-version", "a table is not newer than the one before");
    else if (table->version <= m_newestSystem)
        diverges("generation", "a system table does not come after all that were written before");
    checkVoters(one, *table);
    const bool begins = table->started && !one.started();
    one.newGeneration = one.newGeneration
        || table->version.generation() > one.system->version.generation();
    m_newestSystem = std::max(m_newestSystem, table->version);
    m_systems[table->version] = table;
    one.system = table;
    if (!begins)
        return;
    if (needsMajority(one) && followed(one) == 0)
        diverges("start", "the run begins before a majority follows the system master");
    begin(one);
}

/// Voters change in steps.
void Replay::checkVoters(const Processor& one, const SystemTable& table)
{
    const SystemTable& former = *one.system;
    if (former.voters == table.voters && former.toBe == table.toBe)
        return;
    if (former.voters == table.voters && former.toBe.empty()) {
        Group living;
        for (const auto& [number, other] : m_all) {
            if (row(one, number).lives() && row(one, number).ofStart())
                living.push_back(number);
        }
        if (table.toBe != living)
            diverges("voters-wanted", "the voters to be are not those that live by the tables");
        if (needsMajority(one) && one.own - one.alone > spans(10) + millisecond)
            diverges("voters-trust", "voters change, and no majority follows alone");
        return;
    }
    if (former.toBe.empty() || table.voters != former.toBe || !table.toBe.empty()) {
        diverges("voters-step", "voters change without the step between");
        return;
    }
    if (!needsMajority(one))
        return;
    if (aloneOfTable(one) == 0)
        diverges("voters-acknowledged",
                 "no majority of both has acknowledged stamps that name the table, alone");
    for (const Group& list : lists(one)) {
        for (const Number voter : list) {
            const auto& gave = m_all.at(voter).gave;
            const auto given = gave.find(one.number);
            if (row(one, voter).lives() && !one.ended.contains(voter)
                && (given == gave.end() || given->second.table != former.version))
                diverges("voters-acknowledged",
                         std::to_string(voter)
                             + " has not acknowledged a stamp that names the table");
        }
    }
}

void Replay::writesCluster(Processor& one, const ClusterPtr& table)
{
    checkMayWrite(one);
    const ClusterTable& former = *one.clusters.at(table->cluster);
    if (table->version <= former.version)
        diverges("table-version", "a table is not newer than the one before");
    else if (m_clusters.contains({table->cluster, table->version}))
        diverges("table-version", "another table has that version");
    // Who comes before it must be gone, or be of this host, where it can be killed.
    const auto excused = [&](Number other) { return isGone(one, other) || !elsewhere(one, other); };
    Number first = one.number;
    for (const auto& [number, its] : former.rows) {
        if (its.lives() && !excused(number) && comesBefore(one, number, first))
            first = number;
    }
    const bool own = former.rows.contains(one.number) && first == one.number;
    if (!own && !trusted(one) && !std::ranges::all_of(before(one), excused))
        diverges("table-writer", "a table is written by one that is not for it to write");
    std::set<Number> seats;
    for (const auto& [number, after] : table->rows) {
        checkRow(one, number, former.rows.at(number), after);
        if (after.seat && !seats.insert(after.seat->seat).second)
            diverges("seat-twice", "a table gives one seat to two");
        if (after.health == Health::Condemned)
            m_condemned.try_emplace({number, after.life}, m_now);
        const std::uint32_t over = after.health >= Health::Condemned ? after.life : after.life - 1;
        m_over[number] = std::max(m_over[number], over);
        if (after.lives())
            m_letIn[number] = std::max(m_letIn[number], after.life);
    }
    m_clusters[{table->cluster, table->version}] = table;
    one.clusters[table->cluster] = table;
}

void Replay::checkRow(const Processor& one, Number whose, const Row& before, const Row& after)
{
    const Processor& subject = m_all.at(whose);
    if (after.life < before.life)
        diverges("life", "a table has an earlier life of " + std::to_string(whose));
    if (after.life > before.life && (after.life > subject.asks || before.lives()))
        diverges("life", std::to_string(whose) + " is let in and has not asked, or is not lost");
    if (after.life > before.life && before.life != reservedLife
        && after.life / reservedLife != before.life / reservedLife)
        diverges("life", std::to_string(whose) + " is let in, and its number is another one's");
    const bool silent = after.cause == Cause::Silent || after.cause == Cause::Stopped;
    const bool condemned = after.health == Health::Condemned && before.health < Health::Condemned;
    if (condemned && silent && one.started() && elsewhere(one, whose)
        && one.own - one.alone > spans(10) + millisecond)
        diverges("condemned-trust",
                 std::to_string(whose)
                     + " is condemned by one that has no majority that follows alone");
    const bool lost = after.health > Health::Condemned && before.health <= Health::Condemned;
    if (lost && after.life == before.life)
        checkLoss(one, whose, before, after);
    checkSeat(one, whose, before, after);
}

/// Its seat can be given on from now on.
void Replay::checkLoss(const Processor& one, Number whose, const Row& before, const Row& after)
{
    const Processor& subject = m_all.at(whose);
    if (after.ended || after.health == Health::Left) {
        if (after.ended && after.health != Health::Left && !subject.dead)
            diverges("ended-lives", std::to_string(whose) + " is said to have ended, and lives");
        return;
    }
    if (subject.asks > before.life)
        return; // it has said so itself
    const bool wasBefore = comesBefore(one, whose, one.number)
        || mayBeBuried(one, whose, one.number);
    if (one.part != Part::Acts && wasBefore && trusted(one))
        return; // a candidate buries it: nobody has followed it for 38 T
    if (elsewhere(one, whose) && one.own - one.alone > spans(10) + millisecond)
        diverges("condemned-trust",
                 std::to_string(whose) + " is lost by one that has no majority that follows alone");
    const auto since = m_condemned.find({whose, before.life});
    if (since == m_condemned.end()
        || static_cast<double>(m_now - since->second) * 1.02
            < static_cast<double>(spans(30) - millisecond))
        diverges("lost-early",
                 std::to_string(whose) + " is lost before 30 T have passed since it was condemned");
}

/// Who lives by the tables keeps its seat until it has let go of it.
void Replay::checkSeat(const Processor& one, Number whose, const Row& before, const Row& after)
{
    if (!before.seat || before.seat == after.seat || after.health >= Health::Condemned
        || after.life != before.life)
        return;
    const bool same = after.seat && after.seat->seat == before.seat->seat;
    const Processor& subject = m_all.at(whose);
    if (subject.holding == before.seat && !same && one.started())
        diverges("seat-taken",
                 "a seat is taken from " + std::to_string(whose) + ", which lives and holds it");
}

void Replay::takesSeat(Processor& one, const Holding& holding)
{
    one.holding = holding;
    const Row& its = row(one, one.number);
    if (its.seat != holding || its.health >= Health::Condemned || its.life != one.life)
        diverges("seat-table", "it takes a seat that its table does not give it");
    if (!one.member() || one.standing != Standing::Valid)
        diverges("seat-standing", "it takes a seat and is not valid");
    const auto [ever, added] = m_heldBy.try_emplace(holding, one.number);
    if (!added && ever->second != one.number)
        diverges("seat-twice",
                 std::to_string(ever->second) + " has held the seat under the same incarnation");
    for (const auto& [number, other] : m_all) {
        if (number != one.number && other.holding && other.holding->seat == holding.seat
            && holdsUntil(other) > m_now)
            diverges("two-hold", std::to_string(number) + " holds the seat still");
    }
}

} // namespace tasuki::membership
