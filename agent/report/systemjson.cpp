// SPDX-License-Identifier: GPL-3.0-or-later
#include "systemjson.h"

#include "systemtables.h"

#include <nlohmann/json.hpp>

namespace tasuki {

namespace {

using SystemJson = nlohmann::ordered_json;

SystemJson milliseconds(std::chrono::microseconds duration)
{
    return duration.count() < 0 ? SystemJson() : SystemJson(secondsOf(duration) * 1e3);
}

SystemJson seconds(const std::optional<WallTime>& time)
{
    return time ? SystemJson(secondsOf(time->time_since_epoch())) : SystemJson();
}

template <class Number>
SystemJson maybe(const std::optional<Number>& id)
{
    return id ? SystemJson(id->value()) : SystemJson();
}

std::string jsonLine(const SystemJson& json)
{
    constexpr int compact = -1;
    return json.dump(compact, ' ', false, SystemJson::error_handler_t::replace) + '\n';
}

SystemJson processorJson(const ProcessorInfo& processor)
{
    return {{"processor", processor.id.value()},
            {"subcluster", processor.subcluster.value()},
            {"unit", processor.unit.value()},
            {"kind", processorKindName(processor.kind)},
            {"seat", maybe(processor.seat)},
            {"host", processor.host},
            {"pid", processor.pid}};
}

SystemJson seatJson(const SeatInfo& seat)
{
    return {{"subcluster", seat.subcluster.value()},
            {"kind", seatKindName(seat.kind)},
            {"index", seat.index}};
}

} // namespace

void putSystem(SystemJson& json, const SystemLaidOut& event)
{
    json["subclusters"] = SystemJson::array();
    for (const SubclusterInfo& info : event.subclusters)
        json["subclusters"].push_back({{"name", info.name},
                                       {"active", info.active},
                                       {"standby", info.standby},
                                       {"io", info.io},
                                       {"minimum", info.minimum}});
    json["units"] = SystemJson::array();
    for (const UnitInfo& info : event.units)
        json["units"].push_back(
            {{"name", info.name}, {"host", info.host}, {"subcluster", info.subcluster.value()}});
    json["processors"] = SystemJson::array();
    for (const ProcessorInfo& info : event.processors)
        json["processors"].push_back(processorJson(info));
    json["seats"] = SystemJson::array();
    for (const SeatInfo& info : event.seats)
        json["seats"].push_back(seatJson(info));
    json["heartbeat_ms"] = event.heartbeat.count();
    json["suspect_after"] = event.suspectAfter;
    json["lost_after"] = event.lostAfter;
    json["policy"] = downPolicyName(event.policy);
    json["topology_file"] = event.topologyFile;
    json["topology"] = event.topologyText;
    json["topology_revision"] = event.topologyRevision;
}

void putSystem(SystemJson&, const SystemStarted&) {}

void putSystem(SystemJson& json, const HealthChanged& event)
{
    json["processor"] = event.processor.value();
    json["health"] = healthName(event.health);
    json["cause"] = healthCauseName(event.cause);
    json["detection_ms"] = milliseconds(event.detection);
    json["lost"] = seconds(event.lostAt);
}

void putSystem(SystemJson& json, const SeatTaken& event)
{
    json["seat"] = event.seat.value();
    json["incarnation"] = event.incarnation.value();
    json["holder"] = event.holder.value();
    json["previous"] = maybe(event.previous);
    json["detection_ms"] = milliseconds(event.detection);
    json["takeover_ms"] = milliseconds(event.takeover);
}

void putSystem(SystemJson& json, const SeatVacated& event)
{
    json["seat"] = event.seat.value();
    json["previous"] = event.previous.value();
    json["given_up"] = event.givenUp;
}

void putSystem(SystemJson& json, const MasterChanged& event)
{
    json["role"] = masterRoleName(event.role);
    json["index"] = event.index;
    json["processor"] = event.processor.value();
    if (event.previous) {
        json["previous"] = event.previous->value();
        json["detection_ms"] = milliseconds(event.detection);
        json["takeover_ms"] = milliseconds(event.takeover);
    }
}

void putSystem(SystemJson& json, const SubclusterChanged& event)
{
    json["subcluster"] = event.subcluster.value();
    json["state"] = clusterStateName(event.state);
    json["cause"] = event.cause;
}

void putSystem(SystemJson& json, const AlarmAcknowledged& event)
{
    json["alarm"] = eventIdText(event.alarm);
    json["who"] = event.who;
    json["comment"] = event.comment;
    json["until"] = seconds(event.until);
}

void putSystem(SystemJson& json, const ProcessorDrained& event)
{
    json["processor"] = event.processor.value();
    json["drained"] = event.drained;
    json["who"] = event.who;
}

void putSystem(SystemJson& json, const ProcessorOrdered& event)
{
    json["processor"] = event.processor.value();
    json["order"] = processorOrderName(event.order);
    if (event.obstacle.empty())
        json["who"] = event.who;
    else
        json["obstacle"] = event.obstacle;
}

void putSystem(SystemJson& json, const RunEnding& event)
{
    json["kill"] = event.kill;
    if (event.restartFor)
        json["restart_for"] = event.restartFor->value();
}

std::string failoverJson(const Failover& failover)
{
    SystemJson json;
    json["event"] = eventIdText(failover.id);
    json["time"] = secondsOf(failover.at.time_since_epoch());
    json["place"] = placeName(failover);
    json["incarnation"] = failover.ofSystem ? SystemJson()
                                            : SystemJson(failover.incarnation.value());
    json["from"] = failover.from.id.value();
    json["from_host"] = failover.from.host;
    json["to"] = failover.to.id.value();
    json["to_host"] = failover.to.host;
    json["cause"] = healthCauseName(failover.cause);
    json["detection_ms"] = milliseconds(failover.detection);
    json["takeover_ms"] = milliseconds(failover.takeover);
    json["lost"] = seconds(failover.lostAt);
    return jsonLine(json);
}

std::string alarmJson(const Alarm& alarm, const std::string& text, WallTime now)
{
    SystemJson json;
    json["event"] = eventIdText(alarm.id);
    json["time"] = secondsOf(alarm.at.time_since_epoch());
    json["severity"] = alarm.severity == Severity::Failure ? "failure" : "warning";
    json["text"] = text;
    json["acknowledged"] = alarm.acknowledged(now);
    if (const auto& said = alarm.acknowledgement) {
        json["who"] = said->who;
        json["comment"] = said->comment;
        json["said"] = secondsOf(said->at.time_since_epoch());
        json["until"] = seconds(said->until);
    }
    return jsonLine(json);
}

} // namespace tasuki
