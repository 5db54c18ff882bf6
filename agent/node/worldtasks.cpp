// SPDX-License-Identifier: GPL-3.0-or-later
#include "worldtasks.h"

#include "worldhost/worldlibraries.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace tasuki {

namespace {

Error worldError(std::string message, std::string remedy)
{
    return {.kind = ErrorKind::Input,
            .message = "world: " + std::move(message),
            .remedy = std::move(remedy)};
}

std::string namesOf(const config::Topology& topology)
{
    std::string names;
    for (const config::SubclusterSpec& spec : topology.subclusters)
        names += (names.empty() ? "" : ", ") + spec.name;
    return names;
}

std::shared_ptr<const TaskSettings> settingsOf(const FarmOptions& options,
                                               const config::WorldSpec& spec, WorldSeat seat)
{
    TaskSettings settings;
    settings.retries = options.retries;
    settings.timeout = spec.deadline ? std::optional<std::chrono::milliseconds>(*spec.deadline)
                                     : options.timeout;
    settings.workingDirectory = spec.directory;
    settings.environment = spec.environment;
    if (options.world && options.world->trace) {
        std::string preloaded = worldhost::tracerLibrary();
        for (const auto& [name, value] : spec.environment) {
            if (name == "LD_PRELOAD")
                preloaded += ':' + value;
        }
        settings.environment.emplace_back("LD_PRELOAD", std::move(preloaded));
        settings.environment.emplace_back("TASUKI_ALOG", *options.world->trace);
    }
    settings.seat = seat;
    return std::make_shared<const TaskSettings>(std::move(settings));
}

} // namespace

Result<void> chooseWorld(const FarmOptions& options, SystemPlan& system)
{
    if (!options.world)
        return {};
    auto& specs = system.topology.subclusters;
    const WorldOptions& wanted = *options.world;
    if (wanted.command.empty()) {
        if (options.resume
            || std::ranges::any_of(specs, [](const auto& spec) { return spec.world.has_value(); }))
            return {};
        return worldError("no subcluster of " + system.topologyFile + " says what it runs",
                          "write world = { command = \"./solver\" } under [[subcluster]], or name "
                          "the program behind --");
    }
    auto chosen = specs.begin();
    if (!wanted.subcluster.empty()) {
        chosen = std::ranges::find(specs, wanted.subcluster, &config::SubclusterSpec::name);
        if (chosen == specs.end())
            return worldError("--in '" + wanted.subcluster
                                  + "': the topology has no such "
                                    "subcluster",
                              "its subclusters are " + namesOf(system.topology));
    } else if (specs.size() > 1) {
        return worldError("the topology has " + std::to_string(specs.size()) + " subclusters",
                          "say which one runs the program, --in " + specs.front().name
                              + " for example");
    }
    if (chosen->world)
        return worldError("subcluster " + chosen->name + " runs " + chosen->world->command
                              + " by its topology",
                          "leave the program out, or world = ... of the topology");
    chosen->world = config::WorldSpec{.command = wanted.command, .directory = {}};
    return {};
}

std::vector<Task> worldTasks(const FarmOptions& options, const SystemPlan& system)
{
    std::vector<Task> tasks;
    std::uint32_t world = 0;
    for (std::size_t i = 0; i < system.layout.subclusters.size(); ++i) {
        const auto& spec = system.topology.subclusters[i];
        if (!spec.world)
            continue;
        const config::LayoutSubcluster& place = system.layout.subclusters[i];
        const auto links = std::make_shared<const TaskLinks>(
            TaskLinks{.label = spec.name, .after = {}});
        for (std::uint32_t rank = 0; rank < place.ranks; ++rank) {
            const WorldSeat seat{.world = world,
                                 .rank = Rank(place.firstRank.value() + static_cast<int>(rank)),
                                 .logMb = spec.world->logMbOf(spec.standby)};
            tasks.push_back({.command = spec.world->command,
                             .settings = settingsOf(options, *spec.world, seat),
                             .links = links});
        }
        ++world;
    }
    return tasks;
}

Result<void> checkWorlds(const RunState& state, const SystemPlan& system)
{
    std::map<std::uint32_t, std::vector<Rank>> worlds;
    std::map<std::uint32_t, std::string> names;
    for (const TaskRecord& record : state.tasks()) {
        const auto& seat = record.task.settings->seat;
        if (!seat || record.state == TaskState::Removed)
            continue;
        worlds[seat->world].push_back(seat->rank);
        if (record.task.links)
            names[seat->world] = record.task.links->label;
    }
    for (const auto& [world, ranks] : worlds) {
        const bool fits = std::ranges::any_of(
            system.layout.subclusters, [&ranks = ranks](const config::LayoutSubcluster& place) {
                return place.firstRank == ranks.front() && place.ranks == ranks.size();
            });
        if (!fits)
            return worldError("the run has a world of " + std::to_string(ranks.size()) + " ranks, "
                                  + names[world] + ", and this launch has no such subcluster",
                              "start as many processors as before, with the same topology");
    }
    return {};
}

} // namespace tasuki
