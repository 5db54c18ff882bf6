// SPDX-License-Identifier: GPL-3.0-or-later
#include "codec.h"

#include "tablecodec.h"

#include <utility>

namespace tasuki::hierarchy {

namespace {

void put(const Stamp& stamp, pb::Stamp& out)
{
    out.set_reign(stamp.reign.value());
    out.set_when(stamp.when);
    put(stamp.table, *out.mutable_table());
    out.set_candidate(stamp.candidate);
}

void put(const Support& support, pb::Support& out)
{
    put(support.newest, *out.mutable_newest());
    out.set_step_ms(support.stepMs);
    out.set_first(support.first);
    out.set_steps(support.steps);
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
    if (beat.support)
        put(*beat.support, *content.mutable_support());
    put(beat.system, *content.mutable_system());
    content.set_lapsed(beat.lapsed);
    content.set_generation(beat.generation);
    for (const Stamp& stamp : beat.renounced)
        put(stamp, *content.add_renounced());
}

void put(const BeatReply& reply, pb::BeatReply& content)
{
    content.set_number(reply.number);
    content.set_digest(reply.digest);
    content.set_lease_age_us(reply.leaseAge.count());
    content.set_grant_age_us(reply.grantAge.count());
    content.set_sole_age_us(reply.soleAge.count());
    if (reply.stamp)
        put(*reply.stamp, *content.mutable_stamp());
    content.set_stamp_age_us(reply.stampAge.count());
    content.set_reign_age_us(reply.reignAge.count());
    content.set_followed_age_us(reply.followedAge.count());
    content.set_generation(reply.generation);
    for (const Stamp& stamp : reply.renounced)
        put(stamp, *content.add_renounced());
}

void put(const BeatReply& reply, pb::ControlMessage& out) { put(reply, *out.mutable_beat_reply()); }
void put(const Ask&, pb::ControlMessage& out) { out.mutable_ask(); }

void put(const Banish& banish, pb::ControlMessage& out)
{
    out.mutable_banish()->set_life(banish.life);
    out.mutable_banish()->set_for_good(banish.forGood);
    if (banish.lostFor)
        out.mutable_banish()->set_lost_for_us(banish.lostFor->count());
}

void put(const Rejoin& plea, pb::ControlMessage& out)
{
    pb::Rejoin& content = *out.mutable_rejoin();
    content.set_processor(plea.processor.value());
    content.set_life(plea.life);
    content.set_number(plea.number);
    if (plea.acknowledged)
        put(*plea.acknowledged, *content.mutable_acknowledged());
    content.set_sole(plea.sole);
    put(plea.system, *content.mutable_system());
    content.set_generation(plea.generation);
    for (const Stamp& stamp : plea.renounced)
        put(stamp, *content.add_renounced());
}

void put(const Overlap& overlap, pb::ControlMessage& out)
{
    pb::Overlap& content = *out.mutable_overlap();
    content.set_processor(overlap.processor.value());
    content.set_life(overlap.life);
    if (overlap.holding)
        put(*overlap.holding, *content.mutable_holding());
    content.set_led(overlap.led);
    content.set_certain(overlap.certain);
    content.set_refused(overlap.refused);
}

void put(const Tables& tables, pb::Tables& content)
{
    for (const ClusterTablePtr& table : tables.clusters)
        put(*table, *content.add_clusters());
    if (tables.system != nullptr)
        put(*tables.system, *content.mutable_system());
}

void put(const Tables& tables, pb::ControlMessage& out) { put(tables, *out.mutable_tables()); }

void put(const Admission& admission, pb::ControlMessage& out)
{
    pb::Admission& content = *out.mutable_admission();
    content.set_life(admission.life);
    put(admission.reply, *content.mutable_reply());
    put(admission.tables, *content.mutable_tables());
    if (admission.lostFor)
        content.set_lost_for_us(admission.lostFor->count());
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
        item.set_life(observed.life);
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

void put(const Vacated& vacated, pb::ControlMessage& out)
{
    put(vacated.holding, *out.mutable_vacated()->mutable_holding());
}

void put(const DrainOrder& order, pb::Order& out)
{
    out.mutable_drain()->set_processor(order.processor.value());
    out.mutable_drain()->set_drained(order.drained);
}

void put(const PromoteOrder& order, pb::Order& out)
{
    out.mutable_promote()->set_processor(order.processor.value());
}

void put(const KindOrder& order, pb::Order& out)
{
    out.mutable_kind()->set_processor(order.processor.value());
    out.mutable_kind()->set_kind(static_cast<std::uint32_t>(order.kind));
}

void put(const RulesOrder& order, pb::Order& out)
{
    out.mutable_rules()->set_subcluster(order.subcluster.value());
    put(order.rules, *out.mutable_rules()->mutable_rules());
}

void put(const Orders& orders, pb::ControlMessage& out)
{
    pb::Orders& content = *out.mutable_orders();
    for (const NumberedOrder& order : orders.orders) {
        pb::Order& item = *content.add_orders();
        item.set_number(order.number);
        std::visit([&](const auto& wanted) { put(wanted, item); }, order.wanted);
    }
}

void put(const Recorded& recorded, pb::ControlMessage& out)
{
    pb::Recorded& content = *out.mutable_recorded();
    for (const RecordedSeat& seat : recorded.seats) {
        pb::RecordedSeat& item = *content.add_seats();
        put(Holding{seat.seat, seat.incarnation}, *item.mutable_holding());
        if (seat.holder)
            item.set_holder(seat.holder->value());
    }
}

/// In ms: as far as a clock of nanoseconds goes, and as long as the slowest beat.
constexpr std::uint64_t latestStamp = std::uint64_t{1} << 43U;
constexpr std::uint32_t longestStep = 3'600'000;
/// Terms have room for as many.
constexpr std::uint64_t latestGeneration = std::uint64_t{1} << 31U;

/// Takes a message apart.
class MessageReader : public TableReader {
public:
    Beat beat(const pb::Beat& in)
    {
        Beat out{.number = in.number(),
                 .digest = in.digest(),
                 .own = version(in.own()),
                 .turns = in.turns(),
                 .readiness = word(in.readiness(), Readiness::Leaving)};
        if (in.has_holding())
            out.holding = holding(in.holding());
        if (in.has_support())
            out.support = support(in.support());
        out.system = version(in.system());
        out.lapsed = in.lapsed();
        out.generation = generation(in.generation());
        out.renounced = renounced(in.renounced());
        return out;
    }

    BeatReply reply(const pb::BeatReply& in)
    {
        BeatReply out{.number = in.number(),
                      .digest = in.digest(),
                      .leaseAge = duration(in.lease_age_us()),
                      .grantAge = duration(in.grant_age_us()),
                      .soleAge = duration(in.sole_age_us())};
        if (in.has_stamp())
            out.stamp = stamp(in.stamp());
        out.stampAge = duration(in.stamp_age_us());
        out.reignAge = duration(in.reign_age_us());
        out.followedAge = duration(in.followed_age_us());
        out.generation = generation(in.generation());
        out.renounced = renounced(in.renounced());
        return out;
    }

    Rejoin rejoin(const pb::Rejoin& in)
    {
        Rejoin out{.processor = ProcessorId(in.processor()),
                   .life = in.life(),
                   .number = in.number(),
                   .sole = in.sole(),
                   .system = version(in.system()),
                   .generation = generation(in.generation()),
                   .renounced = renounced(in.renounced())};
        if (in.has_acknowledged())
            out.acknowledged = stamp(in.acknowledged());
        return out;
    }

    static Overlap overlap(const pb::Overlap& in)
    {
        Overlap out{.processor = ProcessorId(in.processor()),
                    .life = in.life(),
                    .led = in.led(),
                    .certain = in.certain(),
                    .refused = in.refused()};
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
                                    .what = word(item.what(), Observation::Returned),
                                    .cause = word(item.cause(), HealthCause::Ordered),
                                    .since = duration(item.since_us()),
                                    .life = item.life()});
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

    void order(const pb::Order& in, TableOrder& out)
    {
        switch (in.wanted_case()) {
        case pb::Order::kDrain:
            out = DrainOrder{ProcessorId(in.drain().processor()), in.drain().drained()};
            return;
        case pb::Order::kPromote: out = PromoteOrder{ProcessorId(in.promote().processor())}; return;
        case pb::Order::kKind:
            out = KindOrder{ProcessorId(in.kind().processor()),
                            word(in.kind().kind(), ProcessorKind::Standby)};
            return;
        case pb::Order::kRules:
            out = RulesOrder{SubclusterId(in.rules().subcluster()), rules(in.rules().rules())};
            return;
        case pb::Order::WANTED_NOT_SET: break;
        }
        require(false);
    }

    Orders orders(const pb::Orders& in)
    {
        Orders out;
        for (const pb::Order& one : in.orders()) {
            NumberedOrder& numbered = out.orders.emplace_back();
            numbered.number = one.number();
            order(one, numbered.wanted);
        }
        require(rising(out.orders, &NumberedOrder::number));
        return out;
    }

    Recorded recorded(const pb::Recorded& in)
    {
        Recorded out;
        for (const pb::RecordedSeat& item : in.seats()) {
            const Holding last = holding(item.holding());
            RecordedSeat& seat = out.seats.emplace_back(
                RecordedSeat{last.seat, last.incarnation, std::nullopt});
            if (item.has_holder())
                seat.holder = ProcessorId(item.holder());
        }
        return out;
    }

    ControlMessage message(const pb::ControlMessage& in)
    {
        switch (in.content_case()) {
        case pb::ControlMessage::kBeat: return beat(in.beat());
        case pb::ControlMessage::kBeatReply: return reply(in.beat_reply());
        case pb::ControlMessage::kAsk: return Ask{};
        case pb::ControlMessage::kBanish:
            return Banish{.life = in.banish().life(),
                          .forGood = in.banish().for_good(),
                          .lostFor = lostFor(in.banish())};
        case pb::ControlMessage::kRejoin: return rejoin(in.rejoin());
        case pb::ControlMessage::kAdmission:
            return Admission{.life = in.admission().life(),
                             .reply = reply(in.admission().reply()),
                             .tables = tables(in.admission().tables()),
                             .lostFor = lostFor(in.admission())};
        case pb::ControlMessage::kOverlap: return overlap(in.overlap());
        case pb::ControlMessage::kTables: return tables(in.tables());
        case pb::ControlMessage::kTablesWanted: return wanted(in.tables_wanted());
        case pb::ControlMessage::kObservations: return observations(in.observations());
        case pb::ControlMessage::kFence: return fence(in.fence());
        case pb::ControlMessage::kTaken: return Taken{holding(in.taken().holding())};
        case pb::ControlMessage::kVacated: return Vacated{holding(in.vacated().holding())};
        case pb::ControlMessage::kOrders: return orders(in.orders());
        case pb::ControlMessage::kRecorded: return recorded(in.recorded());
        case pb::ControlMessage::CONTENT_NOT_SET: break;
        }
        require(false);
        return Ask{};
    }

private:
    std::optional<std::chrono::microseconds> lostFor(const auto& in)
    {
        if (!in.has_lost_for_us())
            return std::nullopt;
        return duration(in.lost_for_us());
    }

    Stamp stamp(const pb::Stamp& in)
    {
        require(in.when() <= latestStamp);
        return {.reign = ProcessorId(in.reign()),
                .when = in.when(),
                .table = version(in.table()),
                .candidate = in.candidate()};
    }

    std::vector<Stamp> renounced(const auto& in)
    {
        require(static_cast<std::size_t>(in.size()) <= mostRenounced);
        std::vector<Stamp> out;
        for (const pb::Stamp& one : in)
            out.push_back(stamp(one));
        return out;
    }

    std::uint64_t generation(std::uint64_t in)
    {
        require(in <= latestGeneration);
        return in;
    }

    Support support(const pb::Support& in)
    {
        require(in.step_ms() > 0 && in.step_ms() <= longestStep
                && in.steps().size() <= mostSupportSteps);
        return {.newest = stamp(in.newest()),
                .stepMs = in.step_ms(),
                .first = in.first(),
                .steps = in.steps()};
    }
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
    MessageReader reader;
    ControlMessage message = reader.message(in);
    if (!reader.ok())
        return malformed("a value that there is not");
    return message;
}

} // namespace tasuki::hierarchy
