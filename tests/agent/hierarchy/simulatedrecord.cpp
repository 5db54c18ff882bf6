// SPDX-License-Identifier: GPL-3.0-or-later
// What is recorded of the seats of a simulated system: by whoever leads, as one run's record is.
#include "simulatednode.h"

#include <algorithm>
#include <utility>

namespace tasuki::hierarchy::testing {

namespace {

/// To open the record of somebody else.
constexpr std::chrono::milliseconds openTime{10};

} // namespace

RecordedSeat SystemSimulation::recorded(SeatId seat) const
{
    const auto found = m_record.find(seat);
    return found == m_record.end() ? RecordedSeat{.seat = seat, .incarnation = {}} : found->second;
}

bool SystemSimulation::recordIsKept() const
{
    const MembershipView& view = membership(m_master).view();
    return m_recorder == m_master && std::ranges::none_of(m_record, [&view](const auto& item) {
               return isBehind(view, item.second);
           });
}

/// Who leads now has read what others have recorded, and goes on from there.
void SystemSimulation::openRecord(ProcessorId leader)
{
    Node& opening = node(leader);
    if (opening.paused) {
        opening.whenAwake(Arrival::Other, [this, leader] { openRecord(leader); });
        return;
    }
    if (m_opening != std::pair(leader, opening.being) || !opening.alive)
        return;
    m_recorder = leader;
    std::vector<RecordedSeat> seats;
    for (const auto& [id, seat] : m_record)
        seats.push_back(seat);
    if (!m_sabotage.recordIsIgnored)
        opening.membership.recall(std::move(seats));
    check(leader);
}

/// Nothing is recorded before the leader's view is as new as the record: an incarnation that was
/// given out stays that of one holding.
void SystemSimulation::keepRecord(const Node& leader)
{
    const std::pair leads(leader.self(), leader.being);
    if (std::exchange(m_opening, leads) != leads) {
        m_recorder.reset();
        m_recordedDigest = 0;
        at(now() + openTime, [this, id = leader.self()] { openRecord(id); });
    }
    const MembershipView& view = leader.membership.view();
    const auto behind = [&view](const auto& item) { return isBehind(view, item.second); };
    if (m_recorder != leader.self() || m_recordedDigest == view.digest()
        || (!m_sabotage.recordIsIgnored && std::ranges::any_of(m_record, behind)))
        return;
    m_recordedDigest = view.digest();
    for (std::uint32_t number = 0; number < view.clusterCount(); ++number) {
        const ClusterTable& table = view.cluster(SubclusterId(number));
        for (const SeatRow& seat : table.seats) {
            const MemberRow* const holder = table.holder(seat.seat);
            RecordedSeat& known =
                m_record.try_emplace(seat.seat, RecordedSeat{seat.seat, {}, {}}).first->second;
            if (holder == nullptr) {
                known.holder.reset();
                continue;
            }
            const RecordedSeat is{seat.seat, seat.incarnation, holder->processor};
            if (!seat.taken || known == is)
                continue;
            if (is.incarnation <= known.incarnation)
                m_violations.push_back("seat " + std::to_string(is.seat.value())
                                       + " is recorded as incarnation "
                                       + std::to_string(is.incarnation.value()) + " again");
            known = is;
        }
    }
}

} // namespace tasuki::hierarchy::testing
