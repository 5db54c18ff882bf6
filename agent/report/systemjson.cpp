// SPDX-License-Identifier: GPL-3.0-or-later
#include "systemtables.h"

#include "jsonfields.h"

namespace tasuki {

namespace {

using Json = JsonFields::Json;

} // namespace

std::string failoverJson(const Failover& failover)
{
    Json json;
    json["event"] = eventIdText(failover.id);
    json["time"] = secondsOf(failover.at.time_since_epoch());
    json["place"] = placeName(failover);
    json["incarnation"] = failover.ofSystem ? Json() : Json(failover.incarnation.value());
    json["from"] = failover.from.id.value();
    json["from_host"] = failover.from.host;
    json["to"] = failover.to.id.value();
    json["to_host"] = failover.to.host;
    json["cause"] = healthCauseName(failover.cause);
    json["detection_ms"] = JsonFields::milliseconds(failover.detection);
    json["takeover_ms"] = JsonFields::milliseconds(failover.takeover);
    json["lost"] = JsonFields::seconds(failover.lostAt);
    return JsonFields::line(json);
}

std::string alarmJson(const Alarm& alarm, const std::string& text, WallTime now)
{
    Json json;
    json["event"] = eventIdText(alarm.id);
    json["time"] = secondsOf(alarm.at.time_since_epoch());
    json["severity"] = alarm.severity == Severity::Failure ? "failure" : "warning";
    json["text"] = text;
    json["acknowledged"] = alarm.acknowledged(now);
    if (const auto& said = alarm.acknowledgement) {
        json["who"] = said->who;
        json["comment"] = said->comment;
        json["said"] = secondsOf(said->at.time_since_epoch());
        json["until"] = JsonFields::seconds(said->until);
    }
    return JsonFields::line(json);
}

} // namespace tasuki
