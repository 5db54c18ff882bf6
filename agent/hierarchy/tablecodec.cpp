// SPDX-License-Identifier: GPL-3.0-or-later
#include "tablecodec.h"

#include <functional>
#include <utility>

namespace tasuki::hierarchy {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

/// What is counted in nanoseconds afterwards must not overflow.
constexpr std::int64_t longestHeartbeatMs = 3'600'000;
constexpr std::uint32_t mostBeats = 100'000;
constexpr std::int64_t longestDurationUs = 1'000'000'000'000'000; // 31 years
constexpr std::int64_t latestWallUs = 100 * longestDurationUs;
constexpr std::int64_t longestWithinS = 1'000'000;

void put(const MemberRow& row, pb::MemberRow& out)
{
    out.set_processor(row.processor.value());
    out.set_unit(row.unit.value());
    out.set_kind(static_cast<std::uint32_t>(row.kind));
    out.set_health(static_cast<std::uint32_t>(row.health));
    out.set_cause(static_cast<std::uint32_t>(row.cause));
    if (row.seat)
        out.set_seat(row.seat->value());
    out.set_drained(row.drained);
    out.set_promoted(row.promoted);
    if (row.lostAt)
        out.set_lost_us(row.lostAt->time_since_epoch().count());
    if (row.detection != notKnown)
        out.set_detection_us(row.detection.count());
    out.set_vacating(row.vacating);
    out.set_life(row.life);
    out.set_ended(row.ended);
}

void put(const SeatRow& row, pb::SeatRow& out)
{
    out.set_seat(row.seat.value());
    out.set_kind(static_cast<std::uint32_t>(row.kind));
    out.set_incarnation(row.incarnation.value());
    out.set_given_up(row.givenUp);
    out.set_open(row.open);
    if (row.previous)
        out.set_previous(row.previous->value());
    out.set_taken(row.taken);
    if (row.takeover != notKnown)
        out.set_takeover_us(row.takeover.count());
}

} // namespace

void put(const Version& version, pb::Version& out)
{
    out.set_term(version.term);
    out.set_revision(version.revision);
}

void put(const Holding& holding, pb::Holding& out)
{
    out.set_seat(holding.seat.value());
    out.set_incarnation(holding.incarnation.value());
}

void put(const ClusterRules& rules, pb::ClusterRules& out)
{
    out.set_minimum(rules.minimum);
    out.set_restarts(rules.restarts);
    out.set_within_s(rules.within.count());
}

void put(const ClusterTable& table, pb::ClusterTable& out)
{
    out.set_subcluster(table.subcluster.value());
    put(table.version, *out.mutable_version());
    out.set_writer(table.writer.value());
    out.set_state(static_cast<std::uint32_t>(table.state));
    for (const MemberRow& row : table.members)
        put(row, *out.add_members());
    for (const SeatRow& row : table.seats)
        put(row, *out.add_seats());
    put(table.rules, *out.mutable_rules());
    for (const microseconds age : table.takeovers)
        out.add_takeovers_us(age.count());
    out.set_order_issuer(table.ordered.issuer.value());
    out.set_order_number(table.ordered.number);
}

void put(const SystemTable& table, pb::SystemTable& out)
{
    put(table.version, *out.mutable_version());
    out.set_writer(table.writer.value());
    out.set_started(table.started);
    out.set_heartbeat_ms(table.settings.heartbeat.count());
    out.set_suspect_after(table.settings.suspectAfter);
    out.set_lost_after(table.settings.lostAfter);
    out.set_policy(static_cast<std::uint32_t>(table.settings.policy));
    out.set_rejoin(table.settings.rejoin);
    for (const ProcessorId voter : table.voters)
        out.add_voters(voter.value());
    for (const ProcessorId voter : table.votersToBe)
        out.add_voters_to_be(voter.value());
}

microseconds TableReader::duration(std::int64_t count)
{
    require(count >= 0 && count <= longestDurationUs);
    return microseconds(m_ok ? count : 0);
}

ClusterRules TableReader::rules(const pb::ClusterRules& in)
{
    require(in.within_s() > 0 && in.within_s() <= longestWithinS);
    return {.minimum = in.minimum(),
            .restarts = in.restarts(),
            .within = seconds(m_ok ? in.within_s() : 1)};
}

MemberRow TableReader::member(const pb::MemberRow& in)
{
    MemberRow row{.processor = ProcessorId(in.processor()),
                  .unit = UnitId(in.unit()),
                  .kind = word(in.kind(), ProcessorKind::Standby),
                  .health = word(in.health(), Health::Left),
                  .cause = word(in.cause(), HealthCause::Ordered),
                  .drained = in.drained(),
                  .vacating = in.vacating(),
                  .promoted = in.promoted(),
                  .detection = in.has_detection_us() ? duration(in.detection_us()) : notKnown,
                  .life = in.life(),
                  .ended = in.ended()};
    require(in.life() > 0);
    if (in.has_lost_us()) {
        require(in.lost_us() >= 0 && in.lost_us() <= latestWallUs);
        row.lostAt = WallTime(microseconds(in.lost_us()));
    }
    if (in.has_seat())
        row.seat = SeatId(in.seat());
    return row;
}

SeatRow TableReader::seat(const pb::SeatRow& in)
{
    SeatRow row{.seat = SeatId(in.seat()),
                .kind = word(in.kind(), SeatKind::Master),
                .incarnation = Incarnation(in.incarnation()),
                .givenUp = in.given_up(),
                .open = in.open(),
                .taken = in.taken(),
                .takeover = in.has_takeover_us() ? duration(in.takeover_us()) : notKnown};
    if (in.has_previous())
        row.previous = ProcessorId(in.previous());
    return row;
}

ClusterTablePtr TableReader::cluster(const pb::ClusterTable& in)
{
    ClusterTable table{.subcluster = SubclusterId(in.subcluster()),
                       .version = version(in.version()),
                       .writer = ProcessorId(in.writer()),
                       .state = word(in.state(), ClusterState::Down),
                       .members = {},
                       .seats = {},
                       .rules = rules(in.rules()),
                       .ordered = {ProcessorId(in.order_issuer()), in.order_number()}};
    for (const pb::MemberRow& row : in.members())
        table.members.push_back(member(row));
    for (const pb::SeatRow& row : in.seats())
        table.seats.push_back(seat(row));
    for (const std::int64_t age : in.takeovers_us())
        table.takeovers.push_back(duration(age));
    require(rising(table.members, &MemberRow::processor));
    require(rising(table.seats, &SeatRow::seat));
    for (const MemberRow& row : table.members)
        require(!row.seat || table.seat(*row.seat) != nullptr);
    return std::make_shared<const ClusterTable>(std::move(table));
}

SystemTablePtr TableReader::system(const pb::SystemTable& in)
{
    require(in.heartbeat_ms() > 0 && in.heartbeat_ms() <= longestHeartbeatMs
            && in.suspect_after() > 0 && in.lost_after() > in.suspect_after()
            && in.lost_after() <= mostBeats);
    const auto listOf = [this](const auto& numbers) {
        std::vector<ProcessorId> out;
        for (const std::uint32_t number : numbers)
            out.emplace_back(number);
        require(rising(out, std::identity{}));
        return out;
    };
    return std::make_shared<const SystemTable>(
        SystemTable{.version = version(in.version()),
                    .writer = ProcessorId(in.writer()),
                    .started = in.started(),
                    .settings = {.heartbeat = milliseconds(in.heartbeat_ms()),
                                 .suspectAfter = in.suspect_after(),
                                 .lostAfter = in.lost_after(),
                                 .policy = word(in.policy(), DownPolicy::Stop),
                                 .rejoin = in.rejoin()},
                    .voters = listOf(in.voters()),
                    .votersToBe = listOf(in.voters_to_be())});
}

} // namespace tasuki::hierarchy
