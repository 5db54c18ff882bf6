// SPDX-License-Identifier: GPL-3.0-or-later
#include "messageroute.h"

#include <cstdint>
#include <variant>

namespace tasuki {

namespace {

enum class Kind : std::uint8_t { Record, World, Output, Printed, Goodbye, Down, Parting, Up };

Kind kindOf(const farm::FarmMessage& message)
{
    if (std::holds_alternative<farm::RecordWord>(message))
        return Kind::Record;
    if (std::holds_alternative<farm::WorldMail>(message))
        return Kind::World;
    if (std::holds_alternative<farm::OutputFetched>(message))
        return Kind::Output;
    if (std::holds_alternative<farm::OutputPrinted>(message))
        return Kind::Printed;
    if (std::holds_alternative<farm::Goodbye>(message))
        return Kind::Goodbye;
    if (std::holds_alternative<farm::Left>(message)
        || std::holds_alternative<farm::Broken>(message))
        return Kind::Parting;
    return farm::goesUp(message) ? Kind::Up : Kind::Down;
}

using When = bool (*)(const MessageScene&, bool ofGroup);

bool always(const MessageScene&, bool) { return true; }
bool isOfRun(const MessageScene& scene, bool) { return scene.ofRun; }
bool isForPost(const MessageScene& scene, bool) { return scene.ofRun && scene.leads; }
bool isFromMaster(const MessageScene& scene, bool) { return scene.fromMaster; }
bool isOfRank(const MessageScene&, bool ofGroup) { return !ofGroup; }
bool leads(const MessageScene& scene, bool) { return scene.leads; }
/// Ranks write to their group scheduler: while there is one here, what is about a rank is for that one.
bool leadsThem(const MessageScene& scene, bool ofGroup)
{
    return scene.leads && (ofGroup || !scene.groupScheduler);
}

struct Row {
    Kind kind;
    When when;
    MessageRoute route;
};

/// The first row that holds is taken.
constexpr Row rows[] = {
    {Kind::Record, isOfRun, {.record = true}},
    {Kind::Record, always, {}},
    {Kind::World, isOfRun, {.world = true}},
    {Kind::World, always, {}},
    {Kind::Output, isForPost, {.output = true}},
    {Kind::Output, always, {}},
    {Kind::Printed, isOfRun, {.printed = true}},
    {Kind::Printed, always, {}},
    {Kind::Goodbye, isFromMaster, {.worker = true, .end = true}},
    {Kind::Goodbye, always, {.worker = true}},
    {Kind::Down, isOfRank, {.worker = true}},
    {Kind::Down, always, {.groupScheduler = true}},
    {Kind::Parting, leadsThem, {.master = true}},
    {Kind::Parting, leads, {.groupScheduler = true, .master = true}},
    {Kind::Parting, always, {.groupScheduler = true}},
    {Kind::Up, leadsThem, {.master = true}},
    {Kind::Up, always, {.groupScheduler = true}},
};

} // namespace

MessageRoute routeOf(const farm::Envelope& envelope, const MessageScene& scene)
{
    const Kind kind = kindOf(envelope.message);
    for (const Row& row : rows) {
        if (row.kind == kind && row.when(scene, envelope.group.has_value()))
            return row.route;
    }
    return {};
}

} // namespace tasuki
