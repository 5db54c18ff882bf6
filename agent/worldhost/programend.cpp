// SPDX-License-Identifier: GPL-3.0-or-later
#include "programend.h"

#include <csignal>

namespace tasuki::worldhost {

namespace {

/// A program that ends by itself at one place so often ends its world.
constexpr std::uint32_t mostCrashes = 3;
/// So does one that is killed so often before it has come further than the life before, for want of memory for example.
constexpr std::uint32_t mostEndsInReplay = 20;

bool isKilled(const AttemptResult& end)
{
    return end.outcome == Outcome::TimedOut
        || (end.outcome == Outcome::Signalled && (end.code == SIGKILL || end.code == SIGTERM));
}

} // namespace

Rest restIn(const world::Segment& segment, world::WorldRank rank, const AttemptResult& end,
            bool survives)
{
    if (!segment.keeps())
        return survives && isKilled(end) ? Rest::Unkept : Rest::Nothing;
    world::ProgramStatus& shown = segment.status(rank);
    const bool repeats = shown.replayed.load() < shown.toReplay.load();
    const bool fromOutside = isKilled(end) || end.outcome == Outcome::Cancelled;
    if (shown.differs.load() != 0 || (repeats && !fromOutside))
        return Rest::Broken; // the life before has come further
    if (end.outcome == Outcome::Failed || end.outcome == Outcome::Cancelled)
        return Rest::Repeated;
    const std::uint64_t place = segment.keptBytes(rank);
    const bool hasMoved = shown.crashPlace.exchange(place) != place;
    if (hasMoved)
        shown.endsInReplay.store(0);
    if (repeats && end.outcome == Outcome::Signalled)
        return shown.endsInReplay.fetch_add(1) + 1 < mostEndsInReplay ? Rest::Kept : Rest::Repeated;
    if (hasMoved && end.outcome != Outcome::TimedOut)
        shown.crashes.store(0);
    return shown.crashes.fetch_add(1) + 1 < mostCrashes ? Rest::Kept : Rest::Repeated;
}

} // namespace tasuki::worldhost
