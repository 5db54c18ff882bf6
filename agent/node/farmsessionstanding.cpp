// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a processor does when it may act no more by its lease, and when the others have gone on without it.
#include "farmsession.h"

#include <cstdio>
#include <utility>

namespace tasuki {

namespace {

/// Who came back and has a rank is welcomed within this, or MPI does not carry its messages.
constexpr std::chrono::seconds welcomePatience{30};
/// The keeper of who has lapsed waits for a majority a little longer.
constexpr auto lapsedWithin = hierarchy::KeeperOptions{}.lapsedWithin - std::chrono::seconds(1);

} // namespace

/// By its lease this processor may act, or may not; it is one of them all the same. Nothing is begun or told
/// while it may not. When it has lapsed what runs is killed, as the keeper says next that nothing is held; who
/// leads stops without a word, and begins anew as its own successor if it leads when it is valid again.
void FarmSession::standingChanged(hierarchy::Standing standing)
{
    m_standing = standing;
    if (standing == hierarchy::Standing::Lapsed)
        m_lapsedAt = m_bootClock.now();
    if (m_healthLog)
        m_healthLog->standing(standing);
    if (standing == hierarchy::Standing::Lapsed)
        stopLeading();
    lookAtLease();
    tellStanding(standing);
    lookAtSuccession();
}

/// Whoever stood still asks its keeper before it does anything.
void FarmSession::lookAtLease()
{
    const bool acts = m_standing == hierarchy::Standing::Valid && m_keeper->mayAct();
    if (std::exchange(m_acts, acts) == acts)
        return;
    // All is recorded of a run that is ending: whoever leads it need not act to leave.
    if (m_masterPost)
        m_masterPost->hold(!acts && !m_masterPost->ending());
    m_crewPost->suspend(!acts);
    m_worker->suspend(!acts);
}

void FarmSession::stopLeading()
{
    m_crewPost->stepDown();
    const bool ending = m_masterPost && m_masterPost->ending();
    if (m_abandoned || m_worker->over() || ending)
        return; // all is recorded, or left
    m_ledBefore = m_ledBefore || m_masterPost || m_heir.lostSince();
    letGoOfRecord();
    m_heir.lapsed();
    if (m_ledBefore)
        m_heir.masterLost();
}

/// As one that dies here. Whoever opens it next, perhaps this processor, does so with a newer token.
void FarmSession::letGoOfRecord()
{
    m_recordOpener.reset();
    if (m_setup.plan)
        m_setup.plan->file.drop();
    m_setup.plan.reset();
    if (m_masterPost)
        m_masterPost->drop();
    m_masterPost.reset();
}

/// The record is the first to say so where a clock is wrong: another one leads, as the others have given this one
/// up. Then it gives itself up, too.
void FarmSession::lookAtRecord()
{
    if (!m_masterPost || m_masterPost->recordLost().empty() || m_succeeded)
        return;
    if (!m_masterPost->succeeded() || m_masterPost->ending()) {
        abandon("the record is another agent's");
        return;
    }
    m_succeeded = true;
    m_masterPost->hold(true);
    m_keeper->giveUp();
}

/// One of them tells people: who leads, or has led.
void FarmSession::tellStanding(hierarchy::Standing standing)
{
    if (m_abandoned || m_crewPost->master() != m_transport.self())
        return;
    if (standing == hierarchy::Standing::Lapsed && !std::exchange(m_standingSaid, true))
        std::fputs("tasuki: no majority of the processors is heard: running tasks are killed, and "
                   "nothing is started until it is (waits up to two minutes)\n",
                   stderr);
    else if (standing == hierarchy::Standing::Valid && std::exchange(m_standingSaid, false))
        std::fputs("tasuki: a majority of the processors is heard again: the run goes on\n",
                   stderr);
}

/// The others go on without this processor, or nobody has gone on for too long. What it does is killed, and it
/// asks to be let in again, also who led the farm: another one goes on with the record. But the copy of a
/// record that was let go of to lead is none any more.
void FarmSession::fenced()
{
    m_losses = true;
    m_succeeded = false;
    m_alone = m_standing == hierarchy::Standing::Lapsed
        && m_bootClock.now() - m_lapsedAt >= lapsedWithin;
    m_ledBefore = m_ledBefore || m_masterPost || m_heir.lostSince();
    const bool ending = m_masterPost && m_masterPost->ending();
    if (m_healthLog)
        m_healthLog->fenced();
    if (ending || (m_ledBefore && m_copyPost) || !m_setup.recovery
        || !m_picture.system().settings.rejoin || m_worker->over()) {
        m_givenUp = !m_abandoned;
        abandon("the other processors have given this one up");
        return;
    }
    m_returns = true;
    m_standingSaid = false; // others speak of the run from now on
    m_letGo.reset();
    m_crewPost->stepDown();
    m_worker->drop();
    m_heir.standBack();
    letGoOfRecord();
}

/// Whoever was about to lead, and has recorded nothing, is a processor like the others; but a copy that
/// was let go of is no copy any more.
void FarmSession::standBack()
{
    const bool opened = m_recordOpener != nullptr;
    letGoOfRecord();
    if (opened && m_copyPost)
        abandon("another processor leads, and the copy of the record was let go of");
}

/// Who acts as the system master may not have opened the record yet.
void FarmSession::overlapTold(const hierarchy::Overlap& overlap,
                              std::optional<std::chrono::nanoseconds> lostFor)
{
    if (m_masterPost)
        m_masterPost->overlapTold(overlap, lostFor);
    else
        m_overlaps.emplace_back(overlap, lostFor);
}

/// What it had to say over MPI, or was being said, is of its earlier life.
void FarmSession::rejoined()
{
    m_cameBack = true;
    m_ledBefore = false;
    m_greetsSince.reset();
    if (m_healthLog)
        m_healthLog->rejoined();
    for (std::uint32_t number = 0; number < m_picture.processorCount(); ++number) {
        const ProcessorId other(number);
        if (other == m_transport.self() || isAway(m_picture.member(other).health))
            continue;
        m_transport.forget(other);
        m_transport.remember(other);
    }
}

/// Begins to ask when nothing of what was done here is left. Over sockets it may be heard again where
/// MPI carries nothing any more: then it is of no use.
void FarmSession::lookAtReturn()
{
    if (m_returns && m_worker->rests()) {
        m_returns = false;
        if (!m_alone)
            say("was given up by the others: its tasks are killed, it asks to be let in again");
        m_keeper->comeBack();
    }
    if (!m_cameBack || !m_worker->greets()) {
        m_greetsSince.reset();
        return;
    }
    const SteadyTime now = m_clock.now();
    if (!m_greetsSince)
        m_greetsSince = now;
    if (now - *m_greetsSince <= welcomePatience)
        return;
    say("has a rank again, but its messages over MPI are not answered: it ends");
    abandon("MPI carries nothing any more");
}

} // namespace tasuki
