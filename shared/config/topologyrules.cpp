// SPDX-License-Identifier: GPL-3.0-or-later
#include "topologyrules.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <unordered_set>

namespace tasuki::config {

namespace {

struct FieldEntry {
    TopologyField field;
    std::string_view key;
    const WholeRule* rule;
};

constexpr std::array fieldEntries{
    FieldEntry{TopologyField::HeartbeatMs, "heartbeat_ms", &rules::heartbeatMs},
    FieldEntry{TopologyField::SuspectAfter, "suspect_after", &rules::suspectAfter},
    FieldEntry{TopologyField::LostAfter, "lost_after", &rules::lostAfter},
    FieldEntry{TopologyField::Policy, "policy", nullptr},
    FieldEntry{TopologyField::Rejoin, "rejoin", nullptr},
    FieldEntry{TopologyField::Name, "name", nullptr},
    FieldEntry{TopologyField::Active, "active", &rules::active},
    FieldEntry{TopologyField::Standby, "standby", &rules::processors},
    FieldEntry{TopologyField::Io, "io", &rules::processors},
    FieldEntry{TopologyField::Minimum, "minimum", &rules::processors},
    FieldEntry{TopologyField::Hosts, "hosts", nullptr},
    FieldEntry{TopologyField::Units, "units", &rules::units},
    FieldEntry{TopologyField::RestartCount, "count", &rules::restartCount},
    FieldEntry{TopologyField::RestartWithinS, "within_s", &rules::restartWithinS},
    FieldEntry{TopologyField::DedicatedMaster, "dedicated_master", nullptr},
    FieldEntry{TopologyField::WorldCommand, "command", nullptr},
    FieldEntry{TopologyField::WorldDeadlineS, "deadline_s", &rules::worldDeadlineS},
    FieldEntry{TopologyField::WorldLogMb, "log_mb", &rules::worldLogMb},
};

const FieldEntry& entryOf(TopologyField field)
{
    const auto found = std::ranges::find(fieldEntries, field, &FieldEntry::field);
    assert(found != fieldEntries.end());
    return *found;
}

/// Collects the faults of one topology.
class FaultFinder {
public:
    explicit FaultFinder(const Topology& topology) : m_topology(topology) {}

    std::vector<TopologyFault> find() &&;

private:
    void checkSystem();
    void checkName(std::size_t index);
    void checkCounts(std::size_t index);
    void checkRoom(std::size_t index);
    void checkHosts(std::size_t index);
    void checkWorld(std::size_t index);
    void checkSum();
    bool inRange(std::optional<std::size_t> subcluster, TopologyField field, std::uint64_t value);
    void add(TopologyFault fault) { m_faults.push_back(std::move(fault)); }

    const Topology& m_topology;
    std::map<std::string_view, std::size_t> m_named;
    std::vector<TopologyFault> m_faults;
};

std::vector<TopologyFault> FaultFinder::find() &&
{
    checkSystem();
    const std::size_t count = m_topology.subclusters.size();
    for (std::size_t i = 0; i < std::min(count, limits::mostSubclusters); ++i) {
        checkName(i);
        checkCounts(i);
        checkHosts(i);
        checkWorld(i);
    }
    if (count > limits::mostSubclusters) {
        add({.subcluster = limits::mostSubclusters,
             .field = std::nullopt,
             .message = Phrase::tr("more than %1 subclusters")(limits::mostSubclusters),
             .remedy = Phrase::tr("make fewer, larger ones")});
    } else {
        checkSum();
    }
    return std::move(m_faults);
}

bool FaultFinder::inRange(std::optional<std::size_t> subcluster, TopologyField field,
                          std::uint64_t value)
{
    const FieldEntry& entry = entryOf(field);
    if (entry.rule->allows(value))
        return true;
    add({.subcluster = subcluster,
         .field = field,
         .message = Phrase::tr("%1 is %2")(entry.key, value),
         .remedy = Phrase::tr("expected %1, e.g. %2 = %3")(entry.rule->expected(), entry.key,
                                                           entry.rule->example)});
    return false;
}

void FaultFinder::checkSystem()
{
    const auto beat = m_topology.heartbeat.count();
    inRange({}, TopologyField::HeartbeatMs, beat < 0 ? 0U : static_cast<std::uint64_t>(beat));
    const std::uint64_t suspect = m_topology.suspectAfter;
    const std::uint64_t lost = m_topology.lostAfter;
    const bool suspectRight = inRange({}, TopologyField::SuspectAfter, suspect);
    const bool lostRight = inRange({}, TopologyField::LostAfter, lost);
    if (suspectRight && lostRight && lost <= suspect) {
        const std::uint64_t example = std::min(3 * suspect + 1, rules::lostAfter.most);
        add({.subcluster = {},
             .field = TopologyField::LostAfter,
             .with = TopologyField::SuspectAfter,
             .message = Phrase::tr("lost_after is %1, suspect_after %2")(lost, suspect),
             .remedy = Phrase::tr("expected lost_after above suspect_after, e.g. lost_after = %1")(
                 example)});
    }
    if (m_topology.subclusters.empty()) {
        add({.subcluster = {},
             .field = std::nullopt,
             .message = Phrase::tr("there are no subclusters"),
             .remedy = Phrase::tr("write, for each, [[subcluster]] and under it name = \"...\" "
                                  "and active = N")});
    }
}

void FaultFinder::checkName(std::size_t index)
{
    const std::string& name = m_topology.subclusters[index].name;
    if (const auto fault = subclusterNameFault(name)) {
        add({.subcluster = index,
             .field = TopologyField::Name,
             .message = Phrase::tr("name %1 %2")(quotedExcerpt(name), *fault),
             .remedy = Phrase::tr("expected %1 to %2 letters, digits, - or _, e.g. name = %3")(
                 1, limits::longestSubclusterName, R"("antenna")")});
        return;
    }
    const auto [first, fresh] = m_named.try_emplace(name, index);
    if (!fresh) {
        add({.subcluster = index,
             .field = TopologyField::Name,
             .same = first->second,
             .message = Phrase::tr("two subclusters have the name %1")(quotedExcerpt(name)),
             .remedy = Phrase::tr("give each one a name of its own")});
    }
}

void FaultFinder::checkWorld(std::size_t index)
{
    const std::optional<WorldSpec>& world = m_topology.subclusters[index].world;
    if (!world)
        return;
    const bool blank = world->command.find_first_not_of(" \t") == std::string::npos;
    if (blank || world->command.find_first_of(std::string_view("\n\0", 2)) != std::string::npos) {
        add({.subcluster = index,
             .field = TopologyField::WorldCommand,
             .message = blank ? Phrase::tr("the command of the world is empty")
                              : Phrase::tr("the command of the world has more than one line"),
             .remedy = Phrase::tr("write what the shell is to run as each rank, e.g. "
                                  "world = { command = %1 }")(R"("./solver")")});
    }
    if (world->deadline)
        inRange(index, TopologyField::WorldDeadlineS,
                static_cast<std::uint64_t>(std::max<std::int64_t>(0, world->deadline->count())));
    if (world->logMb)
        inRange(index, TopologyField::WorldLogMb, *world->logMb);
}

void FaultFinder::checkCounts(std::size_t index)
{
    const SubclusterSpec& spec = m_topology.subclusters[index];
    const bool activeRight = inRange(index, TopologyField::Active, spec.active);
    const bool countsRight = inRange(index, TopologyField::Standby, spec.standby)
        && inRange(index, TopologyField::Io, spec.io);
    const bool minimumRight = inRange(index, TopologyField::Minimum, spec.minimum);
    if (activeRight && minimumRight && spec.minimum > spec.active) {
        add({.subcluster = index,
             .field = TopologyField::Minimum,
             .with = TopologyField::Active,
             .message = Phrase::tr("minimum is %1, active %2")(spec.minimum, spec.active),
             .remedy = Phrase::tr("expected a minimum of at most active, e.g. minimum = %1")(
                 spec.active)});
    }
    const bool unitsRight = !spec.units || inRange(index, TopologyField::Units, *spec.units);
    if (activeRight && countsRight && unitsRight)
        checkRoom(index);
    inRange(index, TopologyField::RestartCount, spec.restarts.count);
    const auto within = spec.restarts.within.count();
    inRange(index, TopologyField::RestartWithinS,
            within < 0 ? 0U : static_cast<std::uint64_t>(within));
}

// Each host has a processor for each unit at least.
void FaultFinder::checkRoom(std::size_t index)
{
    const SubclusterSpec& spec = m_topology.subclusters[index];
    const std::uint64_t processors = spec.processors();
    const std::uint64_t units = spec.units.value_or(1);
    if (units > processors) {
        add({.subcluster = index,
             .field = TopologyField::Units,
             .with = TopologyField::Active,
             .message = Phrase::tr("units is %1, but the subcluster has %2")(
                 units, processorCount(processors)),
             .remedy = Phrase::tr("units are those of each host, with a processor each at least: "
                                  "expected at most %1")(processors)});
    } else if (spec.hosts.size() * units > processors) {
        add({.subcluster = index,
             .field = TopologyField::Hosts,
             .with = TopologyField::Active,
             .message = (units == 1 ? Phrase::tr("hosts names %1 hosts, but the subcluster has %2")
                                    : Phrase::tr("hosts names %1 hosts of %3 units each, but the "
                                                 "subcluster has %2"))(
                 spec.hosts.size(), processorCount(processors), units),
             .remedy = (units == 1 ? Phrase::tr("name at most %1")
                                   : Phrase::tr("name at most %1, or write fewer units"))(
                 processors / units)});
    }
}

void FaultFinder::checkHosts(std::size_t index)
{
    const std::vector<std::string>& hosts = m_topology.subclusters[index].hosts;
    std::unordered_set<std::string_view> seen;
    for (std::size_t i = 0; i < std::min(hosts.size(), limits::mostHosts); ++i) {
        if (const auto fault = hostNameFault(hosts[i])) {
            add({.subcluster = index,
                 .field = TopologyField::Hosts,
                 .host = i,
                 .message = Phrase::tr("host %1 %2")(quotedExcerpt(hosts[i]), *fault),
                 .remedy = Phrase::tr("write the name that mpirun knows the computer by, e.g. %1")(
                     R"("node0")")});
        } else if (!seen.insert(hosts[i]).second) {
            add({.subcluster = index,
                 .field = TopologyField::Hosts,
                 .host = i,
                 .message = Phrase::tr("host %1 is named twice")(quotedExcerpt(hosts[i])),
                 .remedy = Phrase::tr("name it once: a subcluster takes as many of its processors "
                                      "as it needs")});
        }
    }
    if (hosts.size() > limits::mostHosts) {
        add({.subcluster = index,
             .field = TopologyField::Hosts,
             .host = limits::mostHosts,
             .message = Phrase::tr("more than %1 hosts")(limits::mostHosts),
             .remedy = Phrase::tr("make several subclusters of it")});
    }
}

void FaultFinder::checkSum()
{
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < m_topology.subclusters.size(); ++i) {
        sum += m_topology.subclusters[i].processors();
        if (sum <= limits::mostProcessors)
            continue;
        add({.subcluster = i,
             .field = std::nullopt,
             .message = Phrase::tr("up to here the subclusters need %1 processors")(sum),
             .remedy = Phrase::tr("expected at most %1 in all")(limits::mostProcessors)});
        return;
    }
}

} // namespace

Phrase processorCount(std::uint64_t count)
{
    return (count == 1 ? Phrase::tr("%1 processor") : Phrase::tr("%1 processors"))(count);
}

std::string_view fieldKey(TopologyField field) { return entryOf(field).key; }

const WholeRule* ruleOf(TopologyField field) { return entryOf(field).rule; }

std::string_view policyWord(DownPolicy policy)
{
    switch (policy) {
    case DownPolicy::Continue: return "continue";
    case DownPolicy::Restart: return "restart";
    case DownPolicy::Stop: return "stop";
    }
    return {};
}

std::optional<DownPolicy> policyFromWord(std::string_view word)
{
    const auto found = std::ranges::find(policies, word, policyWord);
    return found == policies.end() ? std::nullopt : std::optional(*found);
}

std::optional<Phrase> subclusterNameFault(std::string_view name)
{
    if (name.empty())
        return Phrase::tr("is empty");
    if (name.size() > limits::longestSubclusterName)
        return Phrase::tr("is longer than %1 characters")(limits::longestSubclusterName);
    constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyz"
                                         "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    const std::size_t wrong = name.find_first_not_of(allowed);
    if (wrong == std::string_view::npos)
        return std::nullopt;
    constexpr char firstVisible = '!';
    constexpr char lastVisible = '~';
    if (name[wrong] == ' ')
        return Phrase::tr("has a blank in it");
    if (name[wrong] < firstVisible || name[wrong] > lastVisible)
        return Phrase::tr("has another character than those in it");
    return Phrase::tr("has a %1 in it")(name.substr(wrong, 1));
}

std::vector<TopologyFault> topologyFaults(const Topology& topology)
{
    return FaultFinder(topology).find();
}

} // namespace tasuki::config
