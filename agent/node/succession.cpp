// SPDX-License-Identifier: GPL-3.0-or-later
#include "succession.h"

#include "hierarchy/changes.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <variant>

namespace tasuki {

namespace {

using hierarchy::ClusterTable;
using hierarchy::MemberRow;
using hierarchy::MembershipView;
using hierarchy::RecordedSeat;
using hierarchy::SeatRow;

/// Who let go of its seat while nobody recorded, and not by its loss: it is vacant before anything
/// else becomes of the two.
/// @return what the record is told of it; the rows are changed likewise
std::vector<EventPayload> leaveFormerSeats(ClusterTable& recorded, const ClusterTable& now)
{
    std::vector<EventPayload> events;
    for (MemberRow& row : recorded.members) {
        const MemberRow& is = *now.member(row.processor);
        if (!row.seat || row.seat == is.seat || isUnreachable(is.health)
            || (!is.seat && now.seat(*row.seat)->previous == row.processor))
            continue;
        SeatRow& left = *recorded.seat(*row.seat);
        left.previous = row.processor;
        left.taken = false;
        row.seat.reset();
        events.emplace_back(SeatVacated{.seat = left.seat, .previous = row.processor});
    }
    return events;
}

/// @return a cluster's table with what the record says of the processors and seats
ClusterTable recordedTable(const SystemState& recorded, ClusterTable table)
{
    for (MemberRow& row : table.members) {
        const SystemProcessor& processor = *recorded.find(row.processor);
        row.health = processor.health;
        row.cause = processor.cause;
        row.kind = processor.info.kind;
        row.seat = processor.info.seat;
        row.drained = processor.drained;
    }
    for (SeatRow& row : table.seats) {
        const SystemSeat& seat = *recorded.find(row.seat);
        row.incarnation = seat.incarnation;
        row.previous = seat.previous;
        row.givenUp = seat.givenUp;
        row.open = false;
        row.taken = seat.holder.has_value();
    }
    table.state = recorded.subclusters()[table.subcluster.value()].state;
    return table;
}

/// Makes a table, or a change of one, the one that a view shows, whatever it has been.
template <class Table>
void show(MembershipView& view, Table table, hierarchy::Version version)
{
    table.version = {version.term, version.revision + 1};
    view.adopt(std::make_shared<const Table>(std::move(table)));
}

/// What views do not tell as events of their own.
void addRoles(const SystemState& recorded, const MembershipView& now,
              std::vector<EventPayload>& events)
{
    SystemLaidOut layout = *recorded.layout();
    bool changed = false;
    for (ProcessorInfo& info : layout.processors) {
        const MemberRow& row = now.member(info.id);
        const SeatRow* const seat = row.seat ? now.cluster(info.subcluster).seat(*row.seat)
                                             : nullptr;
        const SystemProcessor& known = *recorded.find(info.id);
        changed = changed || row.kind != known.info.kind;
        info.kind = row.kind;
        info.seat = seat != nullptr && seat->taken ? row.seat : std::nullopt;
        // What an operator was promised is given again instead.
        if (row.drained != known.drained && !known.drainOrdered)
            events.emplace_back(ProcessorDrained{
                .processor = info.id, .drained = row.drained, .who = "an operator"});
    }
    if (changed)
        events.emplace_back(std::move(layout));
}

std::optional<ProcessorId> recordedMaster(const SystemState& recorded, MasterRole role,
                                          std::uint32_t index)
{
    switch (role) {
    case MasterRole::Unit: return recorded.units()[index].master;
    case MasterRole::Cluster: return recorded.subclusters()[index].master;
    case MasterRole::System: break;
    }
    return recorded.master();
}

/// @return how long it took since the verdict about the former system master
std::chrono::microseconds takeoverOf(const MemberRow& lost, const Succession& succession)
{
    if (!isUnreachable(lost.health) || !lost.lostAt)
        return succession.takeover;
    const auto verdict = *lost.lostAt + std::max(lost.detection, std::chrono::microseconds(0));
    return measured(succession.now - verdict);
}

void addMasters(const SystemState& recorded, const MembershipView& now,
                const Succession& succession, std::vector<EventPayload>& events)
{
    for (EventPayload& event : hierarchy::mastersOf(now)) {
        auto& master = std::get<MasterChanged>(event);
        const auto before = recordedMaster(recorded, master.role, master.index);
        if (master.role == MasterRole::System) {
            master.processor = succession.successor;
            if (before && (*before != master.processor || succession.ofItself)) {
                const MemberRow& lost = now.member(*before);
                master.previous = before;
                master.detection = isUnreachable(lost.health) ? lost.detection : notKnown;
                master.takeover = takeoverOf(lost, succession);
            }
        }
        if (before != master.processor || master.previous)
            events.push_back(std::move(event));
    }
}

/// Who has joined as the holder of a rank, by process; none: not known, or not there any more.
std::optional<ProcessorId> holderOf(const SystemState& system, const SeatInfo& rank,
                                    const ProcessorRecord& joined)
{
    std::optional<ProcessorId> ofProcess;
    std::optional<ProcessorId> ofHostToo;
    std::size_t count = 0;
    for (const auto& [id, processor] : system.processors()) {
        if (!joined.present || processor.info.subcluster != rank.subcluster
            || processor.info.pid != joined.pid)
            continue;
        ++count;
        ofProcess = id;
        if (processor.info.host == joined.host)
            ofHostToo = id; // hosts may have processes of the same number
    }
    return count == 1 ? ofProcess : ofHostToo;
}

} // namespace

std::vector<RecordedSeat> recordedSeats(const RunState& recorded)
{
    std::vector<RecordedSeat> out;
    const SystemState& system = recorded.system();
    for (std::uint32_t number = 0; number < system.seats().size(); ++number) {
        const SystemSeat& seat = system.seats()[number];
        RecordedSeat last{
            .seat = SeatId(number), .incarnation = seat.incarnation, .holder = seat.holder};
        // A worker may have said that it has a rank before its cluster master has.
        const auto joined = recorded.processors().find(Rank(static_cast<std::int32_t>(number)));
        if (seat.info.kind == SeatKind::Active && joined != recorded.processors().end()
            && joined->second.incarnation > last.incarnation) {
            last.incarnation = joined->second.incarnation;
            last.holder = holderOf(system, seat.info, joined->second);
        }
        if (last.incarnation != Incarnation())
            out.push_back(last);
    }
    return out;
}

std::vector<EventPayload> successionEvents(const SystemState& recorded, const MembershipView& now,
                                           const Succession& succession)
{
    std::vector<EventPayload> events;
    MembershipView before = now;
    for (std::uint32_t number = 0; number < now.clusterCount(); ++number) {
        const ClusterTable& table = now.cluster(SubclusterId(number));
        ClusterTable said = recordedTable(recorded, table);
        std::ranges::move(leaveFormerSeats(said, table), std::back_inserter(events));
        show(before, std::move(said), table.version);
    }
    hierarchy::SystemTable system = now.system();
    system.started = recorded.started();
    show(before, std::move(system), now.system().version);

    for (EventPayload& event : hierarchy::changesBetween(before, now))
        if (!std::holds_alternative<MasterChanged>(event))
            events.push_back(std::move(event));
    addRoles(recorded, now, events);
    addMasters(recorded, now, succession, events);
    return events;
}

} // namespace tasuki
