// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzztarget.h"

#include "hierarchy/codec.h"

namespace tasuki::fuzz {

std::vector<std::string> controlSeeds()
{
    using namespace tasuki::hierarchy;
    using std::chrono::microseconds;
    ClusterTable table{.subcluster = SubclusterId(1),
                       .version = {.term = TableTerm(3), .revision = 300},
                       .writer = ProcessorId(4),
                       .state = ClusterState::Up,
                       .members = {},
                       .seats = {},
                       .rules = {.minimum = 2, .restarts = 5},
                       .takeovers = {microseconds(9'000'000), microseconds(1)},
                       .ordered = {ProcessorId(0), 17}};
    for (std::uint32_t number = 0; number < 3; ++number) {
        table.seats.emplace_back().seat = SeatId(number);
        MemberRow& row = table.members.emplace_back();
        row.processor = ProcessorId(4 + number);
        row.seat = SeatId(number);
        row.health = Health::Alive;
    }
    table.seats[1].previous = ProcessorId(9);
    table.members[1].vacating = true;
    const Holding holding{SeatId(1), Incarnation(2)};
    return {encode(Beat{.number = 7, .digest = 8, .own = table.version, .holding = holding}),
            encode(Beat{.support = Support{.newest = {ProcessorId(3), 1'000'000},
                                           .stepMs = 25,
                                           .first = 2,
                                           .steps = {1, 2, '\x83'}}}),
            encode(BeatReply{.number = 7, .digest = 9, .leaseAge = microseconds(100'000)}),
            encode(BeatReply{.number = 7, .stamp = Stamp{ProcessorId(3), 1'000'000}}),
            encode(Ask{}),
            encode(Banish{.life = Life(2), .forGood = true}),
            encode(Rejoin{.processor = ProcessorId(3), .life = Life(2), .number = 9}),
            encode(Admission{.life = Life(2),
                             .reply = {.number = 9},
                             .tables = {.clusters = {std::make_shared<const ClusterTable>(table)},
                                        .system = std::make_shared<const SystemTable>()}}),
            encode(Tables{.clusters = {std::make_shared<const ClusterTable>(table)},
                          .system = std::make_shared<const SystemTable>()}),
            encode(TablesWanted{
                {.system = {TableTerm(1), 2}, .clusters = {{TableTerm(3), 4}, {TableTerm(5), 6}}}}),
            encode(Observations{{{ProcessorId(5), Observation::Silent, HealthCause::Stopped,
                                  microseconds(1'000'000)}}}),
            encode(Fence{{ProcessorId(5), ProcessorId(6)}}),
            encode(Taken{holding}),
            encode(Vacated{holding}),
            encode(Orders{{{17, DrainOrder{ProcessorId(5), true}},
                           {18, PromoteOrder{ProcessorId(6)}},
                           {19, KindOrder{ProcessorId(5), ProcessorKind::Standby}},
                           {20, RulesOrder{SubclusterId(1), {.minimum = 3}}}}}),
            encode(Recorded{{{SeatId(1), Incarnation(3), ProcessorId(6)},
                             {SeatId(2), Incarnation(2), std::nullopt}}})};
}

} // namespace tasuki::fuzz
