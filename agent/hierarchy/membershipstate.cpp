// SPDX-License-Identifier: GPL-3.0-or-later
#include "membershipstate.h"

namespace tasuki::hierarchy {

void MembershipState::beginAnew(SteadyTime now)
{
    at.position = {};
    at.rhythm = Rhythm(at.settings().heartbeat);
    book = {};
    lookout.beginAnew(now);
    desk.beginAnew(now);
    correspondence.beginAnew();
    correspondence.setNextBeat(now);
    seat.beginAnew();
    following.beginAnew();
    succession.beginAnew(now);
    overlaps.beginAnew();
    log.forgetEnded();
}

Generation MembershipState::latestGeneration() const
{
    const bool mayWriteOneMore = at.position.systemMaster
        && (!succession.doubtful().empty() || !lease.mayWrite());
    const Generation known = following.latestGeneration();
    return mayWriteOneMore ? known.next() : known;
}

} // namespace tasuki::hierarchy
