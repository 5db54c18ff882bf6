// SPDX-License-Identifier: GPL-3.0-or-later
// Who may act, and for how long.
#include "replay.h"

namespace tasuki::membership {

namespace {

std::string name(const Processor& one) { return std::to_string(one.number); }

} // namespace

/// The run has begun for it: until now all was valid.
void Replay::begin(Processor& one)
{
    one.lease = one.grant = one.alone = one.own;
    one.leaseAt = one.grantAt = one.at;
    m_newestGrant = m_newestAlone = one.at;
}

/// Grants of who leads hang on its own stamps.
void Replay::leadersWords(Processor& one, Us grant, Us alone)
{
    const bool free = !needsMajority(one);
    if (grant > one.grant) {
        const std::uint64_t has = one.standing == Standing::Valid ? followed(one)
                                                                  : this->alone(one);
        if (!free && static_cast<Us>(has) * millisecond < grant)
            diverges(one.standing == Standing::Valid ? "grant-majority" : "grant-regained",
                     "no majority of its voters has a stamp as new as its grant");
        if (!free && one.standing != Standing::Valid
            && one.own - grant > spans(10) + 2 * millisecond)
            diverges("grant-regained", "it regains its grant by words older than 10 T");
        one.granted = one.own;
        m_newestGrant = std::max(m_newestGrant, one.at - agesAt(one, grant).least);
    }
    if (alone > one.alone) {
        if (!free && static_cast<Us>(this->alone(one)) * millisecond < alone)
            diverges("alone-majority", "no majority follows it alone by a stamp as new");
        one.granted = one.own;
        m_newestAlone = std::max(m_newestAlone, one.at - agesAt(one, alone).least);
    }
    const auto renounced = one.renounced.find(one.number);
    if (renounced != one.renounced.end() && !free && grant > one.grant
        && grant <= static_cast<Us>(renounced->second) * millisecond)
        diverges("grant-renounced", "its grant hangs on stamps that it has renounced");
}

/// What comes down is not newer than what somebody had by a majority.
void Replay::followersWords(Processor& one, Us grant, Us alone, std::optional<Number> from)
{
    if (grant > one.grant) {
        if (one.at - agesAt(one, grant).most > m_newestGrant + 2 * millisecond)
            diverges("grant-unheard", "its grant is newer than any that a majority gave");
        if (from && one.part != Part::Fenced && mayBeBuried(one, one.number, *from)
            && !m_actedBy.contains({*from, one.system->version}))
            diverges("grant-candidate", "a candidate that may bury it gives it a grant");
    }
    if (alone > one.alone && one.at - agesAt(one, alone).most > m_newestAlone + 2 * millisecond)
        diverges("alone-unheard", "no majority has followed anybody alone since then");
}

/// A lease is as old as that of who has answered.
void Replay::checkLease(const Processor& one, Us lease, std::optional<Number> by)
{
    if (!by) {
        diverges("lease-unheard", "its lease is renewed, and nobody has answered");
        return;
    }
    const Processor& other = m_all.at(*by);
    if (!other.leads() && one.at - agesAt(one, lease).most > other.leaseAt + 2 * millisecond)
        diverges("lease-unheard",
                 "its lease is newer than that of " + name(other) + ", which has answered");
}

/// At no time do two act: not even if one of them is stopped.
void Replay::checkTwoAct(const Processor& one)
{
    if (actsUntil(one) <= m_now)
        return;
    for (const auto& [number, other] : m_all) {
        if (number != one.number && actsUntil(other) > m_now)
            diverges("two-act", name(one) + " and " + name(other) + " act at one time");
    }
}

void Replay::becomes(Processor& one, Part part, Standing standing)
{
    const Part was = one.part;
    const Standing stood = one.standing;
    const Us since = one.standingSince;
    const bool led = one.leads();
    one.part = part;
    one.standing = standing;
    if (standing != stood)
        one.standingSince = one.own;
    if (led && !one.leads()) {
        one.lease = one.own; // until then it was of now
        one.leaseAt = one.at;
    }
    if (was == Part::Fenced && one.member())
        return enters(one);
    if (!one.leads() || standing != Standing::Valid)
        one.newGeneration = false;
    if (part == Part::Over)
        return;
    if (part == Part::Fenced && was != Part::Fenced)
        checkFenced(one, stood, since);
    if (!one.member())
        return;
    if (standing != stood)
        checkStanding(one, was, stood, since);
    if (part == Part::Acts && was != Part::Acts)
        checkActs(one, was, stood);
}

/// @param stood, since  how it was until now
void Replay::checkStanding(const Processor& one, Part /*was*/, Standing stood, Us since)
{
    switch (one.standing) {
    case Standing::Suspended:
        if (stood != Standing::Valid)
            diverges("standing", "who has lapsed is suspended");
        return;
    case Standing::Lapsed:
        if (stood == Standing::Suspended && one.own - since < spans(15))
            diverges("standing", "who is suspended lapses before 15 T are over");
        return;
    case Standing::Valid: break;
    }
    if (!one.started())
        return;
    const bool needs = needsMajority(one);
    if (one.leads()) {
        if (needs && !trusted(one))
            diverges("regain-trust",
                     "it leads and is valid again, and no majority follows it alone");
        return;
    }
    if (one.own - one.lease > spans(25) + millisecond)
        diverges("regain-words", "it is valid again without a lease");
    if (needs && one.own - one.grant > spans(30) + millisecond)
        diverges("regain-words", "it is valid again without a grant");
}

/// It begins to act as the system master.
void Replay::checkActs(Processor& one, Part was, Standing stood)
{
    if (!before(one).empty())
        diverges("acts-order",
                 "it acts, and " + std::to_string(before(one).front())
                     + " comes before it in its tables");
    if (one.started() && needsMajority(one)) {
        if (trusted(one))
            one.trustedAnew = was == Part::Leads || stood != Standing::Valid;
        else
            checkInherits(one);
    }
    checkTwoAct(one);
}

/// Who takes the place of one that has ended, or has left, goes on under that one's grant.
void Replay::checkInherits(const Processor& one)
{
    if (one.own - one.grant > spans(25) + spans(looksLate)) {
        diverges("acts-trust", "it acts without a majority that follows it alone, or a grant");
        return;
    }
    bool anybody = false;
    bool covered = false;
    for (const auto& [number, other] : m_all) {
        if (number == one.number || !isGone(one, number))
            continue;
        anybody = true;
        covered = covered
            || one.at - agesAt(one, one.grant).most <= other.grantAt + 2 * millisecond;
    }
    if (!anybody)
        diverges("acts-trust", "it acts without a majority that follows it alone");
    else if (!covered)
        diverges("acts-inherits", "its grant is newer than that of whose place it takes");
}

void Replay::checkFenced(const Processor& one, Standing stood, Us since)
{
    const auto over = m_over.find(one.number);
    const bool banished = (over != m_over.end() && over->second >= one.life)
        || (one.life > reservedLife && row(one, one.number).life == reservedLife);
    constexpr Us waits = 120'000'000;
    if (!banished && (stood != Standing::Lapsed || one.own - since < waits))
        diverges("fenced-cause", "it gives itself up, and no table says that its life is over");
}

void Replay::enters(Processor& one)
{
    const auto letIn = m_letIn.find(one.number);
    if (letIn == m_letIn.end() || letIn->second < one.asks)
        diverges("entry", "it enters, and no table has it in that life");
    if (row(one, one.number).life != one.asks || !row(one, one.number).lives())
        diverges("entry", "it enters, and its own table does not have it in that life");
    one.life = one.asks;
}

void Replay::dies(Processor& one)
{
    one.dead = true;
    if (one.leads())
        one.leaseAt = one.at;
    one.part = Part::Over;
    one.holding.reset();
}

/// What must hold between what it does, from one step to the next.
void Replay::settle(Processor& one)
{
    const bool anew = std::exchange(one.trustedAnew, false);
    const bool renounced = std::exchange(one.hasRenounced, false);
    if (anew && !one.newGeneration)
        diverges("generation", name(one) + " is trusted and begins no generation");
    if (renounced && one.leads())
        diverges("renounce-leads", name(one) + " renounces its stamps and leads on");
    if (!one.member() || !one.started()) {
        if (one.part >= Part::Fenced && one.holding)
            diverges("seat-standing", name(one) + " is fenced and holds a seat");
        return;
    }
    const Us slack = spans(looksLate);
    if (one.part == Part::Acts && one.standing != Standing::Valid)
        diverges("acts-standing", name(one) + " acts and is not valid");
    switch (one.standing) {
    case Standing::Lapsed:
        if (one.holding)
            diverges("seat-standing", name(one) + " has lapsed and holds a seat");
        return;
    case Standing::Suspended:
        if (one.own - one.standingSince > spans(15) + slack)
            diverges("suspended", name(one) + " is suspended for longer than 15 T");
        return;
    case Standing::Valid: break;
    }
    if (needsMajority(one) && one.own - one.grant > spans(one.leads() ? 25 : 30) + slack)
        diverges("old-grant", name(one) + " is valid with a grant that is over");
    if (!one.leads() && one.own - one.lease > spans(25) + slack)
        diverges("old-lease", name(one) + " is valid with a lease that is over");
}

} // namespace tasuki::membership
