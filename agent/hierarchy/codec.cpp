// SPDX-License-Identifier: GPL-3.0-or-later
#include "codec.h"

#include "control.pb.h"

#include <algorithm>
#include <utility>

namespace tasuki::hierarchy {

namespace {

namespace pb = wire::control;
using std::chrono::microseconds;
using std::chrono::milliseconds;

/// What is counted in nanoseconds afterwards must not overflow.
constexpr std::int64_t longestHeartbeatMs = 3'600'000;
constexpr std::uint32_t mostBeats = 100'000;
constexpr std::int64_t longestDurationUs = 1'000'000'000'000'000; // 31 years

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
    out.set_detection_us(row.detection.count());
}

void put(const SeatRow& row, pb::SeatRow& out)
{
    out.set_seat(row.seat.value());
    out.set_kind(static_cast<std::uint32_t>(row.kind));
    out.set_incarnation(row.incarnation.value());
    out.set_given_up(row.givenUp);
    if (row.previous)
        out.set_previous(row.previous->value());
    out.set_taken(row.taken);
    out.set_takeover_us(row.takeover.count());
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
}

void put(const SystemTable& table, pb::SystemTable& out)
{
    put(table.version, *out.mutable_version());
    out.set_writer(table.writer.value());
    out.set_started(table.started);
    out.set_heartbeat_ms(table.heartbeat.count());
    out.set_suspect_after(table.suspectAfter);
    out.set_lost_after(table.lostAfter);
    out.set_policy(static_cast<std::uint32_t>(table.policy));
}

void put(const Beat& beat, pb::ControlMessage& out)
{
    pb::Beat& content = *out.mutable_beat();
    content.set_number(beat.number);
    content.set_digest(beat.digest);
    put(beat.own, *content.mutable_own());
    content.set_turns(beat.turns);
    content.set_readiness(static_cast<std::uint32_t>(beat.readiness));
    if (beat.holding)
        put(*beat.holding, *content.mutable_holding());
}

void put(const BeatReply& reply, pb::ControlMessage& out)
{
    out.mutable_beat_reply()->set_number(reply.number);
    out.mutable_beat_reply()->set_digest(reply.digest);
    out.mutable_beat_reply()->set_lease_age_us(reply.leaseAge.count());
}

void put(const Ask&, pb::ControlMessage& out) { out.mutable_ask(); }
void put(const Banish&, pb::ControlMessage& out) { out.mutable_banish(); }

void put(const Tables& tables, pb::ControlMessage& out)
{
    pb::Tables& content = *out.mutable_tables();
    for (const ClusterTablePtr& table : tables.clusters)
        put(*table, *content.add_clusters());
    if (tables.system != nullptr)
        put(*tables.system, *content.mutable_system());
}

void put(const TablesWanted& wanted, pb::ControlMessage& out)
{
    put(wanted.have.system, *out.mutable_tables_wanted()->mutable_system());
    for (const Version& version : wanted.have.clusters)
        put(version, *out.mutable_tables_wanted()->add_clusters());
}

void put(const Observations& observations, pb::ControlMessage& out)
{
    pb::Observations& content = *out.mutable_observations();
    for (const Observed& observed : observations.observed) {
        pb::Observed& item = *content.add_observed();
        item.set_processor(observed.processor.value());
        item.set_what(static_cast<std::uint32_t>(observed.what));
        item.set_cause(static_cast<std::uint32_t>(observed.cause));
        item.set_since_us(observed.since.count());
    }
}

void put(const Fence& fence, pb::ControlMessage& out)
{
    pb::Fence& content = *out.mutable_fence();
    for (const ProcessorId processor : fence.processors)
        content.add_processors(processor.value());
}

void put(const Taken& taken, pb::ControlMessage& out)
{
    put(taken.holding, *out.mutable_taken()->mutable_holding());
}

/// Takes a message apart, and remembers whether something in it cannot be.
class Reader {
public:
    [[nodiscard]] bool ok() const { return m_ok; }

    template <class Enum>
    Enum word(std::uint32_t number, Enum last)
    {
        require(number <= static_cast<std::uint32_t>(last));
        return m_ok ? static_cast<Enum>(number) : Enum{};
    }

    microseconds duration(std::int64_t count)
    {
        require(count >= 0 && count <= longestDurationUs);
        return microseconds(m_ok ? count : 0);
    }

    static Version version(const pb::Version& in) { return {in.term(), in.revision()}; }

    static Holding holding(const pb::Holding& in)
    {
        return {SeatId(in.seat()), Incarnation(in.incarnation())};
    }

    MemberRow member(const pb::MemberRow& in)
    {
        MemberRow row{.processor = ProcessorId(in.processor()),
                      .unit = UnitId(in.unit()),
                      .kind = word(in.kind(), ProcessorKind::Standby),
                      .health = word(in.health(), Health::Left),
                      .cause = word(in.cause(), HealthCause::Ordered),
                      .drained = in.drained(),
                      .promoted = in.promoted(),
                      .detection = duration(in.detection_us())};
        if (in.has_seat())
            row.seat = SeatId(in.seat());
        return row;
    }

    SeatRow seat(const pb::SeatRow& in)
    {
        SeatRow row{.seat = SeatId(in.seat()),
                    .kind = word(in.kind(), SeatKind::Master),
                    .incarnation = Incarnation(in.incarnation()),
                    .givenUp = in.given_up(),
                    .taken = in.taken(),
                    .takeover = duration(in.takeover_us())};
        if (in.has_previous())
            row.previous = ProcessorId(in.previous());
        return row;
    }

    ClusterTablePtr cluster(const pb::ClusterTable& in)
    {
        ClusterTable table{.subcluster = SubclusterId(in.subcluster()),
                           .version = version(in.version()),
                           .writer = ProcessorId(in.writer()),
                           .state = word(in.state(), ClusterState::Down),
                           .members = {},
                           .seats = {}};
        for (const pb::MemberRow& row : in.members())
            table.members.push_back(member(row));
        for (const pb::SeatRow& row : in.seats())
            table.seats.push_back(seat(row));
        const auto rising = [](const auto& rows, auto key) {
            return std::ranges::adjacent_find(rows, std::ranges::greater_equal{}, key)
                == rows.end();
        };
        require(rising(table.members, &MemberRow::processor));
        require(rising(table.seats, &SeatRow::seat));
        for (const MemberRow& row : table.members)
            require(!row.seat || table.seat(*row.seat) != nullptr);
        return std::make_shared<const ClusterTable>(std::move(table));
    }

    SystemTablePtr system(const pb::SystemTable& in)
    {
        require(in.heartbeat_ms() > 0 && in.heartbeat_ms() <= longestHeartbeatMs
                && in.suspect_after() > 0 && in.lost_after() > in.suspect_after()
                && in.lost_after() <= mostBeats);
        return std::make_shared<const SystemTable>(
            SystemTable{.version = version(in.version()),
                        .writer = ProcessorId(in.writer()),
                        .started = in.started(),
                        .heartbeat = milliseconds(in.heartbeat_ms()),
                        .suspectAfter = in.suspect_after(),
                        .lostAfter = in.lost_after(),
                        .policy = word(in.policy(), DownPolicy::Stop)});
    }

    Beat beat(const pb::Beat& in)
    {
        Beat out{.number = in.number(),
                 .digest = in.digest(),
                 .own = version(in.own()),
                 .turns = in.turns(),
                 .readiness = word(in.readiness(), Readiness::Leaving)};
        if (in.has_holding())
            out.holding = holding(in.holding());
        return out;
    }

    Tables tables(const pb::Tables& in)
    {
        Tables out;
        for (const pb::ClusterTable& table : in.clusters())
            out.clusters.push_back(cluster(table));
        if (in.has_system())
            out.system = system(in.system());
        return out;
    }

    Observations observations(const pb::Observations& in)
    {
        Observations out;
        for (const pb::Observed& item : in.observed()) {
            out.observed.push_back({.processor = ProcessorId(item.processor()),
                                    .what = word(item.what(), Observation::Left),
                                    .cause = word(item.cause(), HealthCause::Ordered),
                                    .since = duration(item.since_us())});
        }
        return out;
    }

    static TablesWanted wanted(const pb::TablesWanted& in)
    {
        TablesWanted out{{.system = version(in.system()), .clusters = {}}};
        for (const pb::Version& one : in.clusters())
            out.have.clusters.push_back(version(one));
        return out;
    }

    static Fence fence(const pb::Fence& in)
    {
        Fence out;
        for (const std::uint32_t processor : in.processors())
            out.processors.emplace_back(processor);
        return out;
    }

    ControlMessage message(const pb::ControlMessage& in)
    {
        switch (in.content_case()) {
        case pb::ControlMessage::kBeat: return beat(in.beat());
        case pb::ControlMessage::kBeatReply:
            return BeatReply{.number = in.beat_reply().number(),
                             .digest = in.beat_reply().digest(),
                             .leaseAge = duration(in.beat_reply().lease_age_us())};
        case pb::ControlMessage::kAsk: return Ask{};
        case pb::ControlMessage::kBanish: return Banish{};
        case pb::ControlMessage::kTables: return tables(in.tables());
        case pb::ControlMessage::kTablesWanted: return wanted(in.tables_wanted());
        case pb::ControlMessage::kObservations: return observations(in.observations());
        case pb::ControlMessage::kFence: return fence(in.fence());
        case pb::ControlMessage::kTaken: return Taken{holding(in.taken().holding())};
        case pb::ControlMessage::CONTENT_NOT_SET: break;
        }
        require(false);
        return Ask{};
    }

private:
    void require(bool holds) { m_ok = m_ok && holds; }

    bool m_ok = true;
};

} // namespace

std::string encode(const ControlMessage& message)
{
    pb::ControlMessage out;
    std::visit([&](const auto& content) { put(content, out); }, message);
    return out.SerializeAsString();
}

Result<ControlMessage> decode(const std::string& bytes)
{
    const auto malformed = [](const char* what) {
        return Error{.kind = ErrorKind::Protocol,
                     .message = std::string("malformed control message: ") + what};
    };
    pb::ControlMessage in;
    if (!in.ParseFromString(bytes))
        return malformed("not to be parsed");
    Reader reader;
    ControlMessage message = reader.message(in);
    if (!reader.ok())
        return malformed("a value that there is not");
    return message;
}

} // namespace tasuki::hierarchy
