// SPDX-License-Identifier: GPL-3.0-or-later
#include "systemeventcodec.h"

#include "domain/timerange.h"

#include "link.pb.h"

#include <utility>

namespace tasuki::link {

namespace {

namespace w = wire::link;

std::int64_t ticks(WallTime time) { return time.time_since_epoch().count(); }

template <class E>
std::uint32_t numberOf(E word)
{
    return static_cast<std::uint32_t>(word);
}

/// Reads the messages, one function a kind; keeps the first thing that is wrong.
class SystemDecoder {
public:
    [[nodiscard]] const char* problem() const { return m_problem; }

    EventPayload laidOut(w::SystemLaidOut& in)
    {
        SystemLaidOut out{.subclusters = {},
                          .units = {},
                          .processors = {},
                          .seats = {},
                          .heartbeat = duration(std::chrono::milliseconds(in.heartbeat_ms())),
                          .suspectAfter = in.suspect_after(),
                          .lostAfter = in.lost_after(),
                          .policy = word(in.policy(), DownPolicy::Stop, "an unknown policy"),
                          .topologyFile = std::move(*in.mutable_topology_file()),
                          .topologyText = std::move(*in.mutable_topology_text()),
                          .topologyRevision = in.topology_revision()};
        for (w::Subcluster& item : *in.mutable_subclusters())
            out.subclusters.push_back({.name = std::move(*item.mutable_name()),
                                       .active = item.active(),
                                       .standby = item.standby(),
                                       .io = item.io(),
                                       .minimum = item.minimum()});
        for (w::Unit& item : *in.mutable_units())
            out.units.push_back({.name = std::move(*item.mutable_name()),
                                 .host = std::move(*item.mutable_host()),
                                 .subcluster = SubclusterId(item.subcluster())});
        for (w::Processor& item : *in.mutable_processors())
            out.processors.push_back(processor(item));
        for (const w::Seat& item : in.seats())
            out.seats.push_back(
                {.subcluster = SubclusterId(item.subcluster()),
                 .kind = word(item.kind(), SeatKind::Master, "an unknown kind of seat"),
                 .index = item.index()});
        return out;
    }

    EventPayload health(const w::HealthChanged& in)
    {
        HealthChanged out{
            .processor = ProcessorId(in.processor()),
            .health = word(in.health(), Health::Left, "an unknown health"),
            .cause = word(in.cause(), HealthCause::Ordered, "an unknown cause of a health"),
            .detection = measurement(in.detection_us())};
        if (in.has_lost_us())
            out.lostAt = time(in.lost_us());
        return out;
    }

    EventPayload taken(const w::SeatTaken& in)
    {
        SeatTaken out{.seat = SeatId(in.seat()),
                      .incarnation = Incarnation(in.incarnation()),
                      .holder = ProcessorId(in.holder()),
                      .previous = {},
                      .detection = measurement(in.detection_us()),
                      .takeover = measurement(in.takeover_us())};
        if (in.has_previous())
            out.previous = ProcessorId(in.previous());
        return out;
    }

    EventPayload master(const w::MasterChanged& in)
    {
        MasterChanged out{.role = word(in.role(), MasterRole::System, "an unknown master role"),
                          .index = in.index(),
                          .processor = ProcessorId(in.processor())};
        if (in.has_previous()) {
            out.previous = ProcessorId(in.previous());
            out.detection = measurement(in.detection_us());
            out.takeover = measurement(in.takeover_us());
        }
        return out;
    }

    EventPayload subcluster(w::SubclusterChanged& in)
    {
        return SubclusterChanged{
            .subcluster = SubclusterId(in.subcluster()),
            .state = word(in.state(), ClusterState::Down, "an unknown state of a subcluster"),
            .cause = std::move(*in.mutable_cause())};
    }

    EventPayload acknowledged(w::AlarmAcknowledged& in)
    {
        AlarmAcknowledged out{.alarm = decodePlace(in.alarm()),
                              .who = std::move(*in.mutable_who()),
                              .comment = std::move(*in.mutable_comment())};
        if (in.has_until_us())
            out.until = time(in.until_us());
        return out;
    }

    EventPayload ordered(w::ProcessorOrdered& in)
    {
        return ProcessorOrdered{.processor = ProcessorId(in.processor()),
                                .order = word(in.order(), ProcessorOrder::BecomeStandby,
                                              "an unknown order about a processor"),
                                .who = std::move(*in.mutable_who()),
                                .obstacle = std::move(*in.mutable_obstacle())};
    }

private:
    ProcessorInfo processor(w::Processor& in)
    {
        ProcessorInfo out{
            .id = ProcessorId(in.id()),
            .subcluster = SubclusterId(in.subcluster()),
            .unit = UnitId(in.unit()),
            .kind = word(in.kind(), ProcessorKind::Standby, "an unknown kind of processor"),
            .host = std::move(*in.mutable_host()),
            .pid = in.pid()};
        if (in.has_seat())
            out.seat = SeatId(in.seat());
        return out;
    }

    template <class E>
    E word(std::uint32_t value, E last, const char* what)
    {
        if (value <= numberOf(last))
            return static_cast<E>(value);
        complain(what);
        return E{};
    }

    WallTime time(std::int64_t written)
    {
        const WallTime time{std::chrono::microseconds(written)};
        if (!isBelievable(time))
            complain(unbelievableTime);
        return time;
    }

    template <class Duration>
    Duration duration(Duration written)
    {
        if (!isBelievable(written))
            complain(unbelievableDuration);
        return written;
    }

    std::chrono::microseconds measurement(std::int64_t written)
    {
        const auto time = asRecorded(std::chrono::microseconds(written));
        return time == notKnown ? time : duration(time);
    }

    void complain(const char* what)
    {
        if (!m_problem)
            m_problem = what;
    }

    const char* m_problem = nullptr;
};

} // namespace

void encodeSystem(const SystemLaidOut& event, w::Event& out)
{
    w::SystemLaidOut& message = *out.mutable_system_laid_out();
    for (const SubclusterInfo& info : event.subclusters) {
        w::Subcluster& item = *message.add_subclusters();
        item.set_name(info.name);
        item.set_active(info.active);
        item.set_standby(info.standby);
        item.set_io(info.io);
        item.set_minimum(info.minimum);
    }
    for (const UnitInfo& info : event.units) {
        w::Unit& item = *message.add_units();
        item.set_name(info.name);
        item.set_host(info.host);
        item.set_subcluster(info.subcluster.value());
    }
    for (const ProcessorInfo& info : event.processors) {
        w::Processor& item = *message.add_processors();
        item.set_id(info.id.value());
        item.set_subcluster(info.subcluster.value());
        item.set_unit(info.unit.value());
        item.set_kind(numberOf(info.kind));
        if (info.seat)
            item.set_seat(info.seat->value());
        item.set_host(info.host);
        item.set_pid(info.pid);
    }
    for (const SeatInfo& info : event.seats) {
        w::Seat& item = *message.add_seats();
        item.set_subcluster(info.subcluster.value());
        item.set_kind(numberOf(info.kind));
        item.set_index(info.index);
    }
    message.set_heartbeat_ms(event.heartbeat.count());
    message.set_suspect_after(event.suspectAfter);
    message.set_lost_after(event.lostAfter);
    message.set_policy(numberOf(event.policy));
    message.set_topology_file(event.topologyFile);
    message.set_topology_text(event.topologyText);
    message.set_topology_revision(event.topologyRevision);
}

void encodeSystem(const SystemStarted&, w::Event& out) { out.mutable_system_started(); }

void encodeSystem(const HealthChanged& event, w::Event& out)
{
    w::HealthChanged& message = *out.mutable_health_changed();
    message.set_processor(event.processor.value());
    message.set_health(numberOf(event.health));
    message.set_cause(numberOf(event.cause));
    message.set_detection_us(event.detection.count());
    if (event.lostAt)
        message.set_lost_us(ticks(*event.lostAt));
}

void encodeSystem(const SeatTaken& event, w::Event& out)
{
    w::SeatTaken& message = *out.mutable_seat_taken();
    message.set_seat(event.seat.value());
    message.set_incarnation(event.incarnation.value());
    message.set_holder(event.holder.value());
    if (event.previous)
        message.set_previous(event.previous->value());
    message.set_detection_us(event.detection.count());
    message.set_takeover_us(event.takeover.count());
}

void encodeSystem(const SeatVacated& event, w::Event& out)
{
    w::SeatVacated& message = *out.mutable_seat_vacated();
    message.set_seat(event.seat.value());
    message.set_previous(event.previous.value());
    message.set_given_up(event.givenUp);
}

void encodeSystem(const MasterChanged& event, w::Event& out)
{
    w::MasterChanged& message = *out.mutable_master_changed();
    message.set_role(numberOf(event.role));
    message.set_index(event.index);
    message.set_processor(event.processor.value());
    if (event.previous) {
        message.set_previous(event.previous->value());
        message.set_detection_us(event.detection.count());
        message.set_takeover_us(event.takeover.count());
    }
}

void encodeSystem(const SubclusterChanged& event, w::Event& out)
{
    w::SubclusterChanged& message = *out.mutable_subcluster_changed();
    message.set_subcluster(event.subcluster.value());
    message.set_state(numberOf(event.state));
    message.set_cause(event.cause);
}

void encodeSystem(const AlarmAcknowledged& event, w::Event& out)
{
    w::AlarmAcknowledged& message = *out.mutable_alarm_acknowledged();
    encodePlace(event.alarm, *message.mutable_alarm());
    message.set_who(event.who);
    message.set_comment(event.comment);
    if (event.until)
        message.set_until_us(ticks(*event.until));
}

void encodeSystem(const ProcessorDrained& event, w::Event& out)
{
    w::ProcessorDrained& message = *out.mutable_processor_drained();
    message.set_processor(event.processor.value());
    message.set_drained(event.drained);
    message.set_who(event.who);
}

void encodeSystem(const ProcessorOrdered& event, w::Event& out)
{
    w::ProcessorOrdered& message = *out.mutable_processor_ordered();
    message.set_processor(event.processor.value());
    message.set_order(static_cast<std::uint32_t>(event.order));
    message.set_who(event.who);
    message.set_obstacle(event.obstacle);
}

bool decodeSystem(w::Event& in, EventPayload& out, const char*& problem)
{
    SystemDecoder decoder;
    switch (in.payload_case()) {
    case w::Event::kSystemLaidOut: out = decoder.laidOut(*in.mutable_system_laid_out()); break;
    case w::Event::kSystemStarted: out = SystemStarted{}; break;
    case w::Event::kHealthChanged: out = decoder.health(in.health_changed()); break;
    case w::Event::kSeatTaken: out = decoder.taken(in.seat_taken()); break;
    case w::Event::kSeatVacated:
        out = SeatVacated{.seat = SeatId(in.seat_vacated().seat()),
                          .previous = ProcessorId(in.seat_vacated().previous()),
                          .givenUp = in.seat_vacated().given_up()};
        break;
    case w::Event::kMasterChanged: out = decoder.master(in.master_changed()); break;
    case w::Event::kSubclusterChanged:
        out = decoder.subcluster(*in.mutable_subcluster_changed());
        break;
    case w::Event::kAlarmAcknowledged:
        out = decoder.acknowledged(*in.mutable_alarm_acknowledged());
        break;
    case w::Event::kProcessorDrained:
        out = ProcessorDrained{.processor = ProcessorId(in.processor_drained().processor()),
                               .drained = in.processor_drained().drained(),
                               .who = std::move(*in.mutable_processor_drained()->mutable_who())};
        break;
    case w::Event::kProcessorOrdered: out = decoder.ordered(*in.mutable_processor_ordered()); break;
    default: return false;
    }
    problem = decoder.problem();
    return true;
}

void encodePlace(EventId id, w::EventPlace& out)
{
    out.set_epoch(id.epoch.value());
    out.set_sequence(id.sequence.value());
}

EventId decodePlace(const w::EventPlace& in)
{
    return {Epoch(in.epoch()), Sequence(in.sequence())};
}

} // namespace tasuki::link
