// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "config/topologyrules.h"
#include "domain/diagnostic.h"

#include <QString>
#include <QStringList>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

namespace tasuki::testing {

/// @return the texts of diagnostics, a line each
inline QString told(const std::vector<Diagnostic>& diagnostics)
{
    QStringList lines;
    for (const Diagnostic& diagnostic : diagnostics)
        lines << QString::fromStdString(diagnostic.text());
    return lines.join('\n');
}

/// Two subclusters of four, a standby and an I/O processor each, on hosts split in two units.
inline config::Topology twoStages()
{
    config::Topology topology;
    for (const char* const name : {"antenna", "filter"}) {
        topology.subclusters.push_back(
            {.name = name, .active = 4, .standby = 1, .io = 1, .minimum = 2, .units = 2});
    }
    return topology;
}

/// @return one of so many numbers that a rule allows, the ends among them
inline std::uint32_t someNumber(std::mt19937_64& random, const config::WholeRule& rule,
                                std::uint64_t most)
{
    const std::uint64_t top = std::min(rule.most, most);
    const std::uint64_t choice = random() % 8;
    const std::uint64_t value = choice == 0 ? rule.least
        : choice == 1                       ? top
                                            : rule.least + random() % (top - rule.least + 1);
    return static_cast<std::uint32_t>(value);
}

inline config::SubclusterSpec someSubcluster(std::mt19937_64& random, std::size_t index,
                                             std::uint64_t most)
{
    using namespace config;
    static const std::array stems{"a", "Filter_", "-", "0", "some-rather-long_name-of-a-stage"};
    static const std::array hosts{"node", "\"\\", "計算機", "x.example", "#[="};
    SubclusterSpec spec;
    spec.name = stems[random() % stems.size()] + std::to_string(index);
    spec.active = someNumber(random, rules::active, most);
    spec.standby = someNumber(random, rules::processors, most);
    spec.io = someNumber(random, rules::processors, most);
    spec.minimum = someNumber(random, rules::processors, spec.active);
    spec.dedicatedMaster = random() % 2 == 0;
    const std::size_t hostCount = random() % std::min<std::uint64_t>(4, spec.processors() + 1);
    for (std::size_t i = 0; i < hostCount; ++i)
        spec.hosts.push_back(hosts[random() % hosts.size()] + std::to_string(i));
    if (random() % 2 == 0)
        spec.units = someNumber(random, rules::units,
                                spec.processors() / std::max<std::size_t>(hostCount, 1));
    spec.restarts.count = someNumber(random, rules::restartCount, most);
    spec.restarts.within = std::chrono::seconds(
        someNumber(random, rules::restartWithinS, 1'000'000));
    return spec;
}

/// @param most  of what is counted
inline config::Topology someTopology(std::mt19937_64& random, std::uint64_t most = 100'000)
{
    using namespace config;
    Topology topology;
    topology.heartbeat = std::chrono::milliseconds(someNumber(random, rules::heartbeatMs, 10'000));
    topology.suspectAfter = someNumber(random, rules::suspectAfter, 9'999);
    topology.lostAfter = topology.suspectAfter + 1
        + static_cast<std::uint32_t>(random() % (10'000 - topology.suspectAfter));
    topology.policy = policies[random() % policies.size()];
    const std::size_t count = 1 + random() % 3;
    for (std::size_t i = 0; i < count; ++i)
        topology.subclusters.push_back(someSubcluster(random, i, most));
    return topology;
}

} // namespace tasuki::testing
