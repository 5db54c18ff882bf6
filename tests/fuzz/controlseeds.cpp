// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzztarget.h"

#include "hierarchy/codec.h"

namespace tasuki::fuzz {

std::vector<std::string> seeds()
{
    using namespace tasuki::hierarchy;
    using std::chrono::microseconds;
    ClusterTable table{.subcluster = SubclusterId(1),
                       .version = {.term = 3, .revision = 300},
                       .writer = ProcessorId(4),
                       .state = ClusterState::Up,
                       .members = {},
                       .seats = {}};
    for (std::uint32_t number = 0; number < 3; ++number) {
        table.seats.emplace_back().seat = SeatId(number);
        MemberRow& row = table.members.emplace_back();
        row.processor = ProcessorId(4 + number);
        row.seat = SeatId(number);
        row.health = Health::Alive;
    }
    table.seats[1].previous = ProcessorId(9);
    const Holding holding{SeatId(1), Incarnation(2)};
    return {encode(Beat{.number = 7, .digest = 8, .own = table.version, .holding = holding}),
            encode(BeatReply{.number = 7, .digest = 9, .leaseAge = microseconds(100'000)}),
            encode(Ask{}),
            encode(Banish{}),
            encode(Tables{.clusters = {std::make_shared<const ClusterTable>(table)},
                          .system = std::make_shared<const SystemTable>()}),
            encode(TablesWanted{{.system = {1, 2}, .clusters = {{3, 4}, {5, 6}}}}),
            encode(Observations{{{ProcessorId(5), Observation::Silent, HealthCause::Stopped,
                                  microseconds(1'000'000)}}}),
            encode(Fence{{ProcessorId(5), ProcessorId(6)}}),
            encode(Taken{holding})};
}

} // namespace tasuki::fuzz
