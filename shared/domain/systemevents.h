// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "clock.h"
#include "ids.h"
#include "phrase.h"
#include "systemlayout.h"
#include "systemwords.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// What a run with a failure hierarchy records of it. Each but SystemLaidOut and AlarmAcknowledged
/// needs a layout before it in its epoch.
namespace tasuki {

/// A time that is not known.
inline constexpr std::chrono::microseconds notKnown{-1};

/// @return a time that was measured, never 0, which was written for what was not; notKnown: it is
///         negative, as between clocks of two hosts it may be
constexpr std::chrono::microseconds measured(std::chrono::nanoseconds time)
{
    using std::chrono::microseconds;
    if (time.count() < 0)
        return notKnown;
    const auto rounded = std::chrono::ceil<microseconds>(time);
    return rounded.count() > 0 ? rounded : microseconds(1);
}
/// @return a time as it was written down: 0 stands for what was not measured
constexpr std::chrono::microseconds asRecorded(std::chrono::microseconds written)
{
    return written.count() > 0 ? written : notKnown;
}

/// All processors are initialised: the subclusters begin.
struct SystemStarted {
    static constexpr std::string_view kind = "system started";
    static void describe([[maybe_unused]] auto& fields, [[maybe_unused]] auto& event) {}
    bool operator==(const SystemStarted&) const = default;
};

/// A processor is now as its cluster master has it.
struct HealthChanged {
    static constexpr std::string_view kind = "health changed";
    ProcessorId processor;
    Health health = Health::Expected;
    HealthCause cause = HealthCause::None;
    std::chrono::microseconds detection = notKnown; ///< of a loss: from lostAt to the verdict
    /// Of a loss: its last sign of life, or when the end of its process was seen, by the clock of the
    /// host that decided; none: not known.
    std::optional<WallTime> lostAt = {};
    static void describe(auto& fields, auto& event)
    {
        fields.id("processor", event.processor);
        fields.word("health", event.health, Health::Left, healthName);
        fields.word("cause", event.cause, HealthCause::Ordered, healthCauseName);
        fields.measurement("detection", event.detection);
        fields.time("lost", event.lostAt);
    }
    bool operator==(const HealthChanged&) const = default;
};

/// A processor holds a seat from now on.
struct SeatTaken {
    static constexpr std::string_view kind = "seat taken";
    SeatId seat;
    Incarnation incarnation;
    ProcessorId holder;
    std::optional<ProcessorId> previous = {};       ///< a takeover: who lost it
    std::chrono::microseconds detection = notKnown; ///< of the loss, as in HealthChanged
    std::chrono::microseconds takeover = notKnown;  ///< from the verdict until the holder said so
    static void describe(auto& fields, auto& event)
    {
        fields.id("seat", event.seat);
        fields.id("incarnation", event.incarnation);
        fields.id("holder", event.holder);
        fields.idOrNone("previous", event.previous);
        fields.measurement("detection", event.detection);
        fields.measurement("takeover", event.takeover);
    }
    bool operator==(const SeatTaken&) const = default;
};

/// Nobody holds a seat from now on.
struct SeatVacated {
    static constexpr std::string_view kind = "seat vacated";
    SeatId seat;
    ProcessorId previous;
    bool givenUp = false; ///< for good: there were more takeovers than are allowed
    static void describe(auto& fields, auto& event)
    {
        fields.id("seat", event.seat);
        fields.id("previous", event.previous);
        fields.number("given_up", event.givenUp);
    }
    bool operator==(const SeatVacated&) const = default;
};

/// A processor is master from now on.
struct MasterChanged {
    static constexpr std::string_view kind = "master changed";
    MasterRole role = MasterRole::System;
    std::uint32_t index = 0; ///< of the unit or subcluster; 0 for the system
    ProcessorId processor;
    std::optional<ProcessorId> previous = {};       ///< a succession: who was lost
    std::chrono::microseconds detection = notKnown; ///< of the loss; of a succession alone
    std::chrono::microseconds takeover = notKnown;  ///< from the verdict until the successor acted
    static void describe(auto& fields, auto& event)
    {
        fields.word("role", event.role, MasterRole::System, masterRoleName);
        fields.number("index", event.index);
        fields.id("processor", event.processor);
        fields.idIfAny("previous", event.previous);
        if (event.previous) {
            fields.measurement("detection", event.detection);
            fields.measurement("takeover", event.takeover);
        }
    }
    bool operator==(const MasterChanged&) const = default;
};

/// A subcluster works, or does not.
struct SubclusterChanged {
    static constexpr std::string_view kind = "subcluster changed";
    SubclusterId subcluster;
    ClusterState state = ClusterState::Starting;
    Phrase cause; ///< one line for people; empty: none
    static void describe(auto& fields, auto& event)
    {
        fields.id("subcluster", event.subcluster);
        fields.word("state", event.state, ClusterState::Down, clusterStateName);
        fields.phrase("cause", event.cause);
    }
    bool operator==(const SubclusterChanged&) const = default;
};

/// An operator has seen an alarm. A later one for the same alarm stands in place of this.
struct AlarmAcknowledged {
    static constexpr std::string_view kind = "alarm acknowledged";
    EventId alarm; ///< the event that raised it
    std::string who;
    std::string comment;
    std::optional<WallTime> until = {}; ///< then it counts as not acknowledged again
    static void describe(auto& fields, auto& event)
    {
        fields.event("alarm", event.alarm);
        fields.text("who", event.who);
        fields.text("comment", event.comment);
        fields.time("until", event.until);
    }
    bool operator==(const AlarmAcknowledged&) const = default;
};

/// An operator wants no new work for a processor, or wants it again.
struct ProcessorDrained {
    static constexpr std::string_view kind = "processor drained";
    ProcessorId processor;
    bool drained = true;
    std::string who;
    static void describe(auto& fields, auto& event)
    {
        fields.id("processor", event.processor);
        fields.number("drained", event.drained);
        fields.text("who", event.who);
    }
    bool operator==(const ProcessorDrained&) const = default;
};

/// An operator's order about a processor, which is carried out from now on, whoever is master; or
/// cannot be any more.
struct ProcessorOrdered {
    static constexpr std::string_view kind = "processor ordered";
    ProcessorId processor;
    ProcessorOrder order = ProcessorOrder::Stop;
    std::string who = {}; ///< empty, when it cannot be carried out
    Phrase obstacle = {}; ///< why it cannot be, one line; empty: it can
    static void describe(auto& fields, auto& event)
    {
        fields.id("processor", event.processor);
        fields.word("order", event.order, ProcessorOrder::BecomeStandby, processorOrderName);
        fields.textIfAny("who", event.who);
        fields.phraseIfAny("obstacle", event.obstacle);
    }
    bool operator==(const ProcessorOrdered&) const = default;
};

/// @return what a processor is to become; none: the order is about something else
std::optional<ProcessorKind> kindOrdered(ProcessorOrder order);
/// Precondition: operators can want that kind: any but DedicatedMaster.
ProcessorOrder orderForKind(ProcessorKind kind);

/// @return whether a processor cannot be counted on any more: Lost, Fenced, Left
constexpr bool isUnreachable(Health health) { return health >= Health::Lost; }

} // namespace tasuki
