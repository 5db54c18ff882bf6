// SPDX-License-Identifier: GPL-3.0-or-later
#include "systemdetails.h"

#include "domain/timerange.h"

#include <cassert>
#include <type_traits>
#include <utility>

namespace tasuki {

namespace {

/// Names rows; of an item of a list with what the item is called before them.
class RowNames {
public:
    std::string operator()(std::string_view name) const { return m_prefix + std::string(name); }
    void enter(std::string_view list, std::size_t index)
    {
        m_prefix = std::string(list) + '.' + std::to_string(index) + '.';
    }
    void leave() { m_prefix.clear(); }

private:
    std::string m_prefix;
};

template <class Number>
using RepresentationOf = typename Number::Representation;

/// The fields of a payload become rows.
class DetailWriter {
public:
    std::vector<DetailRow> rows;

    void integer(std::string_view name, std::integral auto value)
    {
        rows.push_back({m_names(name), static_cast<std::int64_t>(value)});
    }
    template <class Number>
    void id(std::string_view name, const Number& id)
    {
        integer(name, id.value());
    }
    template <class Number>
    void maybe(std::string_view name, const std::optional<Number>& id)
    {
        if (id)
            integer(name, id->value());
    }
    template <class E>
    void word(std::string_view name, E word, E)
    {
        integer(name, static_cast<std::int64_t>(word));
    }
    template <class Duration>
    void duration(std::string_view name, const Duration& duration)
    {
        integer(name, duration.count());
    }
    void measurement(std::string_view name, std::chrono::microseconds time)
    {
        duration(name, time);
    }
    void time(std::string_view name, const std::optional<WallTime>& time)
    {
        if (time)
            integer(name, time->time_since_epoch().count());
    }
    void event(std::string_view name, EventId id) { integer(name, rowIdOf(id)); }
    void bytes(std::string_view name, const std::string& bytes)
    {
        rows.push_back({m_names(name), bytes});
    }
    template <class Item, class Describe>
    void list(std::string_view count, std::string_view name, std::vector<Item>& items,
              Describe describe)
    {
        integer(count, items.size());
        for (std::size_t i = 0; i < items.size(); ++i) {
            m_names.enter(name, i);
            describe(*this, items[i]);
        }
        m_names.leave();
    }

private:
    RowNames m_names;
};

/// Rows become the fields of a payload.
class DetailReader {
public:
    explicit DetailReader(Details& details) : m_details(details) {}

    template <std::integral T>
    void integer(std::string_view name, T& value)
    {
        if constexpr (std::is_same_v<T, std::uint64_t>)
            value = static_cast<T>(m_details.number(m_names(name)));
        else
            value = m_details.narrow<T>(m_names(name));
    }
    void integer(std::string_view name, bool& value)
    {
        value = m_details.number(m_names(name)) != 0;
    }
    template <class Number>
    void id(std::string_view name, Number& id)
    {
        id = Number(m_details.narrow<RepresentationOf<Number>>(m_names(name)));
    }
    template <class Number>
    void maybe(std::string_view name, std::optional<Number>& id)
    {
        id.reset();
        if (m_details.has(m_names(name)))
            id = Number(m_details.narrow<RepresentationOf<Number>>(m_names(name)));
    }
    template <class E>
    void word(std::string_view name, E& word, E last)
    {
        word = m_details.word(m_names(name), last);
    }
    template <class Duration>
    void duration(std::string_view name, Duration& duration)
    {
        duration = Duration(m_details.number(m_names(name)));
        if (!isBelievable(duration))
            m_details.complain(hasImpossibleDuration);
    }
    void measurement(std::string_view name, std::chrono::microseconds& time)
    {
        time = asRecorded(std::chrono::microseconds(m_details.number(m_names(name))));
        if (time != notKnown && !isBelievable(time))
            m_details.complain(hasImpossibleDuration);
    }
    void time(std::string_view name, std::optional<WallTime>& time)
    {
        time.reset();
        if (m_details.has(m_names(name)))
            time = WallTime(std::chrono::microseconds(m_details.number(m_names(name))));
        if (time && !isBelievable(*time))
            m_details.complain(hasImpossibleTime);
    }
    void event(std::string_view name, EventId& id)
    {
        const std::int64_t row = m_details.number(m_names(name));
        if (row < 0)
            m_details.complain("refers to an impossible event");
        else
            id = eventIdOf(row);
    }
    void bytes(std::string_view name, std::string& bytes)
    {
        bytes = m_details.bytes(m_names(name));
    }
    template <class Item, class Describe>
    void list(std::string_view count, std::string_view name, std::vector<Item>& items,
              Describe describe)
    {
        const auto wanted = m_details.narrow<std::uint32_t>(count);
        // Every item has rows of its own.
        if (wanted > m_details.size())
            return m_details.complain("lacks a detail");
        items.resize(wanted);
        for (std::size_t i = 0; i < items.size(); ++i) {
            m_names.enter(name, i);
            describe(*this, items[i]);
        }
        m_names.leave();
    }

private:
    Details& m_details;
    RowNames m_names;
};

// The fields of each kind, for both directions.

template <class Rows>
void describe(Rows& rows, SystemLaidOut& event)
{
    rows.list("subclusters", "subcluster", event.subclusters, [](Rows& row, SubclusterInfo& info) {
        row.bytes("name", info.name);
        row.integer("active", info.active);
        row.integer("standby", info.standby);
        row.integer("io", info.io);
        row.integer("minimum", info.minimum);
    });
    rows.list("units", "unit", event.units, [](Rows& row, UnitInfo& info) {
        row.bytes("name", info.name);
        row.bytes("host", info.host);
        row.id("subcluster", info.subcluster);
    });
    rows.list("processors", "processor", event.processors, [](Rows& row, ProcessorInfo& info) {
        row.id("id", info.id);
        row.id("subcluster", info.subcluster);
        row.id("unit", info.unit);
        row.word("kind", info.kind, ProcessorKind::Standby);
        row.maybe("seat", info.seat);
        row.bytes("host", info.host);
        row.integer("pid", info.pid);
    });
    rows.list("seats", "seat", event.seats, [](Rows& row, SeatInfo& info) {
        row.id("subcluster", info.subcluster);
        row.word("kind", info.kind, SeatKind::Master);
        row.integer("index", info.index);
    });
    rows.duration("heartbeat_ms", event.heartbeat);
    rows.integer("suspect_after", event.suspectAfter);
    rows.integer("lost_after", event.lostAfter);
    rows.word("policy", event.policy, DownPolicy::Stop);
    rows.bytes("topology_file", event.topologyFile);
    rows.bytes("topology", event.topologyText);
    rows.integer("topology_revision", event.topologyRevision);
}

template <class Rows>
void describe(Rows&, SystemStarted&)
{}

template <class Rows>
void describe(Rows& rows, HealthChanged& event)
{
    rows.id("processor", event.processor);
    rows.word("health", event.health, Health::Left);
    rows.word("cause", event.cause, HealthCause::Ordered);
    rows.measurement("detection_us", event.detection);
    rows.time("lost_us", event.lostAt);
}

template <class Rows>
void describe(Rows& rows, SeatTaken& event)
{
    rows.id("seat", event.seat);
    rows.id("incarnation", event.incarnation);
    rows.id("holder", event.holder);
    rows.maybe("previous", event.previous);
    rows.measurement("detection_us", event.detection);
    rows.measurement("takeover_us", event.takeover);
}

template <class Rows>
void describe(Rows& rows, SeatVacated& event)
{
    rows.id("seat", event.seat);
    rows.id("previous", event.previous);
    rows.integer("given_up", event.givenUp);
}

template <class Rows>
void describe(Rows& rows, MasterChanged& event)
{
    rows.word("role", event.role, MasterRole::System);
    rows.integer("index", event.index);
    rows.id("processor", event.processor);
    rows.maybe("previous", event.previous);
    if (event.previous) {
        rows.measurement("detection_us", event.detection);
        rows.measurement("takeover_us", event.takeover);
    }
}

template <class Rows>
void describe(Rows& rows, SubclusterChanged& event)
{
    rows.id("subcluster", event.subcluster);
    rows.word("state", event.state, ClusterState::Down);
    rows.bytes("cause", event.cause);
}

template <class Rows>
void describe(Rows& rows, AlarmAcknowledged& event)
{
    rows.event("alarm", event.alarm);
    rows.bytes("who", event.who);
    rows.bytes("comment", event.comment);
    rows.time("until_us", event.until);
}

template <class Rows>
void describe(Rows& rows, ProcessorDrained& event)
{
    rows.id("processor", event.processor);
    rows.integer("drained", event.drained);
    rows.bytes("who", event.who);
}

template <class Rows>
void describe(Rows& rows, RunEnding& event)
{
    rows.integer("kill", event.kill);
    rows.maybe("restart_for", event.restartFor);
}

template <class Rows>
void describe(Rows& rows, ProcessorOrdered& event)
{
    rows.id("processor", event.processor);
    rows.word("order", event.order, ProcessorOrder::BecomeStandby);
    rows.bytes("who", event.who);
    rows.bytes("obstacle", event.obstacle);
}

template <class Payload>
EventPayload read(Details& details)
{
    Payload payload;
    DetailReader reader(details);
    describe(reader, payload);
    return payload;
}

} // namespace

std::vector<DetailRow> systemDetails(const EventPayload& payload)
{
    DetailWriter writer;
    std::visit(
        [&writer](auto copy) {
            if constexpr (requires { describe(writer, copy); })
                describe(writer, copy);
        },
        payload);
    return std::move(writer.rows);
}

EventPayload systemPayload(EventKind kind, Details& details)
{
    switch (kind) {
    case EventKind::SystemLaidOut: return read<SystemLaidOut>(details);
    case EventKind::SystemStarted: return read<SystemStarted>(details);
    case EventKind::HealthChanged: return read<HealthChanged>(details);
    case EventKind::SeatTaken: return read<SeatTaken>(details);
    case EventKind::SeatVacated: return read<SeatVacated>(details);
    case EventKind::MasterChanged: return read<MasterChanged>(details);
    case EventKind::SubclusterChanged: return read<SubclusterChanged>(details);
    case EventKind::AlarmAcknowledged: return read<AlarmAcknowledged>(details);
    case EventKind::ProcessorDrained: return read<ProcessorDrained>(details);
    case EventKind::RunEnding: return read<RunEnding>(details);
    case EventKind::ProcessorOrdered: return read<ProcessorOrdered>(details);
    default: assert(false); return {};
    }
}

} // namespace tasuki
