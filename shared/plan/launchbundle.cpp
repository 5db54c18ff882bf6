// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchbundle.h"

#include "domain/shellword.h"

#include <algorithm>
#include <set>

namespace tasuki::plan {

namespace {

/// Hosts in the order in which they first come, each with the number of its ranks.
std::vector<std::pair<Node, std::uint32_t>> hostsOf(const Allocation& allocation)
{
    std::vector<std::pair<Node, std::uint32_t>> hosts;
    for (const Node node : allocation) {
        const auto known = std::ranges::find(hosts, node, &std::pair<Node, std::uint32_t>::first);
        if (known != hosts.end())
            ++known->second;
        else
            hosts.emplace_back(node, 1);
    }
    return hosts;
}

/// Open MPI starts nothing when the range goes beyond the cores that there are.
std::string coreRange(const NodeSpec& node)
{
    const std::uint32_t cores = node.cores > 0 ? node.cores : node.slots;
    return cores == 1 ? "0" : "0-" + std::to_string(cores - 1);
}

/// For --host: each host with as many slots as it has ranks.
std::string hostList(const Environment& environment, const Allocation& allocation)
{
    std::string list;
    for (const auto& [node, ranks] : hostsOf(allocation)) {
        list += (list.empty() ? "" : ",") + environment.nodes[node.value()].name + ':'
            + std::to_string(ranks);
    }
    return list;
}

/// Open MPI 5 takes no rankfile in whose path there is a hyphen, a colon or a comma, so the script goes
/// to where it is, and mpirun back.
std::string scriptOf(const LaunchBundle& bundle)
{
    return "#!/bin/sh\n"
           "# Starts an MPI program with each rank where the plan says: ./run PROGRAM ARGUMENT...\n"
           "here=$(CDPATH= cd -- \"$(dirname -- \"$0\")\" && pwd) || exit 1\n"
           "case $(mpirun --version 2>/dev/null) in\n"
           "*'(Open MPI) 4.'*) exec mpirun "
        + bundle.optionsOfOpenMpi4
        + " \"$@\" ;;\n"
          "*'(Open MPI) '[1-3].*) ;;\n"
          "*'(Open MPI) '*) there=$(pwd) && cd -- \"$here\" && exec mpirun --wdir \"$there\" "
        + bundle.optionsOfOpenMpi5
        + " \"$@\" ;;\n"
          "esac\n"
          "echo 'run: error: no mpirun of Open MPI 4 or 5 is in PATH' >&2\n"
          "exit 1\n";
}

std::string replaced(std::string text, const std::string& what, const std::string& with)
{
    const auto place = text.find(what);
    return place == std::string::npos ? text : text.replace(place, what.size(), with);
}

void warn(const Environment& environment, const Allocation& allocation, LaunchBundle& bundle)
{
    if (!keepsMachinefileOrder(allocation)) {
        bundle.warnings.push_back(
            "mpirun does not keep the order of this machinefile, as it fills each host before the "
            "next one: use the rankfile");
    }
    std::string unknown;
    for (const auto& [node, ranks] : hostsOf(allocation)) {
        const NodeSpec& spec = environment.nodes[node.value()];
        if (spec.cores > 0)
            continue;
        unknown += unknown.empty() ? "" : ", ";
        unknown += (spec.slots == 1 ? "core " : "cores ") + coreRange(spec) + " of " + spec.name;
    }
    if (!unknown.empty()) {
        bundle.warnings.push_back(
            "the rankfile binds to " + unknown
            + ", as the environment does not say how many cores there are, and "
              "mpirun starts nothing where there are fewer: write cores = N in "
              "[[node]]");
    }
}

} // namespace

bool keepsMachinefileOrder(const Allocation& allocation)
{
    std::set<Node> left;
    for (std::size_t task = 1; task < allocation.size(); ++task) {
        if (allocation[task] == allocation[task - 1])
            continue;
        left.insert(allocation[task - 1]);
        if (left.count(allocation[task]) != 0)
            return false;
    }
    return true;
}

LaunchBundle launchBundle(const Environment& environment, const Allocation& allocation)
{
    LaunchBundle bundle;
    for (std::size_t task = 0; task < allocation.size(); ++task) {
        const NodeSpec& node = environment.nodes[allocation[task].value()];
        bundle.rankfile += "rank " + std::to_string(task) + '=' + node.name
            + " slot=" + coreRange(node) + '\n';
        bundle.machinefile += node.name + '\n';
    }
    const std::string ranks = "-n " + std::to_string(allocation.size());
    const std::string hosts = " --host " + shellWord(hostList(environment, allocation));
    bundle.optionsOfOpenMpi4 = ranks + hosts + " --rankfile rankfile";
    bundle.optionsOfOpenMpi5 = ranks + hosts + " --map-by rankfile:file=rankfile";
    LaunchBundle withPlace = bundle;
    withPlace.optionsOfOpenMpi4 = replaced(bundle.optionsOfOpenMpi4, "--rankfile rankfile",
                                           "--rankfile \"$here/rankfile\"");
    bundle.script = scriptOf(withPlace);
    warn(environment, allocation, bundle);
    return bundle;
}

} // namespace tasuki::plan
