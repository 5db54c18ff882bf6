// SPDX-License-Identifier: GPL-3.0-or-later
#include "systemtext.h"

#include "linetext.h"

#include "domain/eventfields.h"
#include "domain/rankname.h"

#include <array>
#include <cstdio>

namespace tasuki {

namespace {

std::string counted(std::size_t count, const char* what)
{
    return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

std::string subclusterName(const SystemState& system, std::uint32_t index)
{
    return index < system.subclusters().size() ? system.subclusters()[index].info.name
                                               : std::to_string(index);
}

std::string unitName(const SystemState& system, std::uint32_t index)
{
    return index < system.units().size() ? system.units()[index].info.name : std::to_string(index);
}

/// "; detected after 31.250 ms", or nothing.
std::string withDuration(const char* what, std::chrono::microseconds duration)
{
    return duration.count() < 0 ? "" : std::string(what) + durationText(duration);
}

} // namespace

std::string localTime(WallTime time)
{
    const auto whole = std::chrono::floor<std::chrono::seconds>(time);
    std::array<char, 8> fraction{};
    std::snprintf(fraction.data(), fraction.size(), ".%03u",
                  static_cast<unsigned>((time - whole) / std::chrono::milliseconds(1)) % 1000U);
    return localTimeText(time) + fraction.data();
}

std::string durationText(std::chrono::microseconds duration)
{
    if (duration.count() < 0)
        return "-";
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.3f ms", secondsOf(duration) * 1e3);
    return text.data();
}

namespace {

// One function for each described kind.

std::string textOf(const SystemLaidOut& event, const SystemState&)
{
    std::string text = counted(event.processors.size(), "processor") + " in "
        + counted(event.units.size(), "unit") + " of "
        + counted(event.subclusters.size(), "subcluster") + ", heartbeat "
        + std::to_string(event.heartbeat.count()) + " ms, policy "
        + std::string(downPolicyName(event.policy));
    if (!event.topologyFile.empty())
        text += ", topology " + event.topologyFile;
    return text + ", revision " + std::to_string(event.topologyRevision);
}

std::string textOf(const SystemStarted&, const SystemState& system)
{
    return "all " + counted(system.processors().size(), "processor") + " are ready";
}

std::string textOf(const HealthChanged& event, const SystemState& system)
{
    std::string text = processorName(system, event.processor) + " is "
        + std::string(healthName(event.health));
    if (event.cause != HealthCause::None)
        text += ": " + std::string(healthCauseName(event.cause));
    if (event.lostAt)
        text += ", since " + localTime(*event.lostAt);
    return text + withDuration(", noticed after ", event.detection);
}

std::string textOf(const SeatTaken& event, const SystemState& system)
{
    std::string text = seatName(system, event.seat) + " incarnation "
        + std::to_string(event.incarnation.value()) + " is held by "
        + processorName(system, event.holder);
    if (event.previous)
        text += " in place of " + processorName(system, *event.previous);
    return text + withDuration(", detected in ", event.detection)
        + withDuration(", taken over in ", event.takeover);
}

std::string textOf(const SeatVacated& event, const SystemState& system)
{
    return seatName(system, event.seat) + " has lost " + processorName(system, event.previous)
        + (event.givenUp ? " and is given up" : " and is vacant");
}

std::string textOf(const MasterChanged& event, const SystemState& system)
{
    const std::string processor = processorName(system, event.processor);
    switch (event.role) {
    case MasterRole::Unit: return processor + " is master of unit " + unitName(system, event.index);
    case MasterRole::Cluster:
        return processor + " is master of subcluster " + subclusterName(system, event.index);
    case MasterRole::System: break;
    }
    std::string before;
    if (event.previous == event.processor)
        before = " again"; // its lease was over meanwhile
    else if (event.previous)
        before = " in place of " + processorName(system, *event.previous);
    return processor + " is system master" + before
        + withDuration(", detected in ", event.detection)
        + withDuration(", taken over in ", event.takeover);
}

std::string textOf(const SubclusterChanged& event, const SystemState& system)
{
    return "subcluster " + subclusterName(system, event.subcluster.value()) + " is "
        + std::string(clusterStateName(event.state))
        + (event.cause.empty() ? "" : ": " + event.cause.text());
}

std::string textOf(const AlarmAcknowledged& event, const SystemState&)
{
    return "alarm " + eventIdText(event.alarm) + " by " + event.who
        + (event.until ? " until " + localTime(*event.until) : "")
        + (event.comment.empty() ? "" : ": " + event.comment);
}

std::string textOf(const ProcessorDrained& event, const SystemState& system)
{
    return processorName(system, event.processor)
        + (event.drained ? " gets no new work" : " may get work again") + ", by " + event.who;
}

std::string textOf(const ProcessorOrdered& event, const SystemState& system)
{
    const std::string order = processorName(system, event.processor) + ": "
        + std::string(processorOrderName(event.order));
    return event.obstacle.empty()
        ? order + ", by " + event.who
        : order + ", which cannot be done any more: " + event.obstacle.text();
}

std::string textOf(const RunEnding& event, const SystemState& system)
{
    std::string text = event.kill ? "what runs is killed" : "what runs may finish";
    if (event.restartFor)
        text += "; to be started again, as subcluster "
            + subclusterName(system, event.restartFor->value()) + " is down";
    return text;
}

std::string textOf(const WorldStarted& event, const SystemState&)
{
    return "world " + event.name + (event.generation == 0 ? " begins" : " begins again");
}

std::string textOf(const RankReplays& event, const SystemState& system)
{
    const std::string name = rankName(system, event.rank);
    return event.took == notKnown
        ? name + " does again what was lost"
        : name + " has done again what was lost" + withDuration(", in ", event.took);
}

} // namespace

std::string systemText(const EventPayload& event, const SystemState& system)
{
    return std::visit(
        [&system](const auto& payload) {
            if constexpr (Described<std::remove_cvref_t<decltype(payload)>>)
                return textOf(payload, system);
            else
                return std::string();
        },
        event);
}

} // namespace tasuki
