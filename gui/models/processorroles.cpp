// SPDX-License-Identifier: GPL-3.0-or-later
#include "processorroles.h"

#include "wording.h"

#include <QCoreApplication>

#include <algorithm>

namespace tasuki {

namespace {

/// Context of the texts.
struct RoleWords {
    Q_DECLARE_TR_FUNCTIONS(ProcessorRoles)
};

SeatKind seatFor(ProcessorKind role)
{
    return role == ProcessorKind::Io ? SeatKind::Io : SeatKind::Active;
}

QString healthRefusal(const SystemProcessor& processor)
{
    if (isUnreachable(processor.health))
        return RoleWords::tr("It takes no part any more.");
    switch (processor.health) {
    case Health::Condemned: return RoleWords::tr("It is being ended.");
    case Health::Expected: return RoleWords::tr("It is not ready yet.");
    case Health::Suspect:
        return RoleWords::tr(
            "It has not been heard of for some time: wait until it is, or is lost.");
    default: return {};
    }
}

bool hasVacantSeat(const SystemState& system, SubclusterId subcluster, SeatKind kind)
{
    return std::ranges::any_of(system.seats(), [&](const SystemSeat& seat) {
        return seat.info.subcluster == subcluster && seat.info.kind == kind && !seat.holder;
    });
}

QString seatRefusal(const SystemState& system, const SystemProcessor& processor, ProcessorKind role)
{
    const SystemSeat* held = processor.info.seat ? system.find(*processor.info.seat) : nullptr;
    if (role == ProcessorKind::Standby)
        return held != nullptr ? QString() : RoleWords::tr("It is a standby already.");
    if (held != nullptr && held->info.kind != seatFor(role))
        return RoleWords::tr("It holds a seat of another kind: make it a standby first.");
    if (held != nullptr) {
        return processor.info.kind == role ? RoleWords::tr("That is its role already.")
                                           : QString(); // it took over, and keeps the seat
    }
    if (processor.drained)
        return RoleWords::tr("It is drained: give it work again first.");
    if (hasVacantSeat(system, processor.info.subcluster, seatFor(role)))
        return {};
    return role == ProcessorKind::Io
        ? RoleWords::tr(
            "Its subcluster has no vacant I/O place: make another processor a standby first.")
        : RoleWords::tr(
            "Its subcluster has no vacant rank: make another processor a standby first.");
}

} // namespace

QString roleRefusal(const SystemState& system, ProcessorId processor, ProcessorKind role)
{
    const SystemProcessor* found = system.find(processor);
    if (found == nullptr)
        return RoleWords::tr("It takes no part any more.");
    if (QString refusal = healthRefusal(*found); !refusal.isEmpty())
        return refusal;
    if (found->info.kind == ProcessorKind::DedicatedMaster
        || role == ProcessorKind::DedicatedMaster)
        return RoleWords::tr("Who is a dedicated master is settled when the run starts.");
    return seatRefusal(system, *found, role);
}

QString roleConsequence(const SystemState& system, ProcessorId processor, ProcessorKind role)
{
    const SystemProcessor* found = system.find(processor);
    const bool holds = found != nullptr && found->info.seat.has_value();
    const QString seat = holds ? wording::seat(system.label(*found->info.seat)) : QString();
    if (role == ProcessorKind::Standby)
        return RoleWords::tr("It lets go of %1: another standby takes that over, if there is one, "
                             "and what runs is run again.")
            .arg(seat);
    if (holds)
        return RoleWords::tr("It keeps %1 as its own.").arg(seat);
    return role == ProcessorKind::Io
        ? RoleWords::tr("It gets a vacant I/O place of its subcluster.")
        : RoleWords::tr("It gets a vacant rank of its subcluster, and work.");
}

} // namespace tasuki
