// SPDX-License-Identifier: GPL-3.0-or-later
#include "layout.h"

#include "domain/diagnosticsink.h"
#include "layouthosts.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace tasuki::config {

namespace {

/// Makes the layout of one launch, step by step.
class LayoutMaker {
public:
    LayoutMaker(const Topology& topology, std::span<const std::string> hosts,
                const TopologyPlaces& places)
        : m_topology(topology),
          m_places(places),
          m_launch(hosts.size()),
          m_hosts(hosts),
          m_sink(places.file),
          m_members(topology.subclusters.size())
    {}

    LayoutReading make() &&;

private:
    void checkSum();
    void takeNamed(std::size_t index);
    std::vector<LaunchHosts::Index> hostsOf(std::size_t index);
    void tellUnused(std::size_t index);
    void tellTooFew(std::size_t index, std::span<const LaunchHosts::Index> hosts, std::size_t room);
    void placeKinds(std::size_t index);
    void placeUnits(std::size_t index);
    void addUnit(std::size_t index, std::string name, std::string_view host,
                 std::span<const std::uint32_t> numbers);
    void placeSeats();
    void error(const SourcePlace& place, Phrase message, Phrase remedy);
    [[nodiscard]] const SubclusterSpec& spec(std::size_t index) const
    {
        return m_topology.subclusters[index];
    }

    const Topology& m_topology;
    const TopologyPlaces& m_places;
    std::size_t m_launch; ///< how many processors it has
    LaunchHosts m_hosts;
    DiagnosticSink m_sink;
    std::vector<std::vector<std::uint32_t>> m_members; ///< by subcluster; by number
    bool m_wrong = false;
    Layout m_layout;
};

LayoutReading LayoutMaker::make() &&
{
    checkSum();
    if (!m_wrong) {
        for (std::size_t i = 0; i < m_members.size(); ++i) {
            if (!spec(i).hosts.empty())
                takeNamed(i);
        }
    }
    if (!m_wrong) {
        m_layout.processors.resize(m_launch);
        for (std::size_t i = 0; i < m_members.size(); ++i) {
            if (spec(i).hosts.empty())
                m_members[i] = m_hosts.take(spec(i).processors());
            placeKinds(i);
            placeUnits(i);
        }
        placeSeats();
    }
    LayoutReading reading;
    reading.diagnostics = m_sink.take();
    if (!m_wrong)
        reading.layout = std::move(m_layout);
    return reading;
}

void LayoutMaker::error(const SourcePlace& place, Phrase message, Phrase remedy)
{
    m_wrong = true;
    m_sink.error(place.line, place.column, std::move(message), std::move(remedy));
}

void LayoutMaker::checkSum()
{
    const std::uint64_t needed = m_topology.processors();
    if (needed == m_launch)
        return;
    constexpr std::size_t most = 8;
    const std::size_t count = m_topology.subclusters.size();
    std::string parts;
    for (std::size_t i = 0; i < std::min(most, count); ++i)
        parts += (i == 0 ? "" : ", ") + spec(i).name + ' ' + std::to_string(spec(i).processors());
    if (count > most)
        parts += ", ...";
    Phrase remedy = Phrase::tr("start with -n %1, or change active, standby and io to %2 in all")(
        needed, m_launch);
    const std::uint64_t active = spec(0).active + std::uint64_t{m_launch} - needed;
    const bool enough = spec(0).active + std::uint64_t{m_launch} > needed;
    if (count == 1 && enough && active >= spec(0).minimum)
        remedy = Phrase::tr("start with -n %1, or write active = %2")(needed, active);
    error(m_places.of(0),
          Phrase::tr("needs %1 (%2), the launch has %3")(processorCount(needed), parts, m_launch),
          std::move(remedy));
}

std::vector<LaunchHosts::Index> LayoutMaker::hostsOf(std::size_t index)
{
    std::vector<LaunchHosts::Index> all;
    const std::vector<std::string>& names = spec(index).hosts;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::vector<LaunchHosts::Index> meant = m_hosts.meant(names[i]);
        const SourcePlace place = m_places.of(index, TopologyField::Hosts, i);
        if (meant.empty()) {
            error(place, Phrase::tr("there is no host \"%1\" in the launch")(names[i]),
                  Phrase::tr("did you mean \"%1\"? There are %2")(m_hosts.nearest(names[i]),
                                                                  m_hosts.listed()));
        } else if (meant.size() > 1) {
            error(place,
                  Phrase::tr("host \"%1\" may be \"%2\" or \"%3\"")(
                      names[i], m_hosts.name(meant[0]), m_hosts.name(meant[1])),
                  Phrase::tr("write the whole name"));
        } else if (std::ranges::find(all, meant[0]) == all.end()) {
            all.push_back(meant[0]);
        }
    }
    return all;
}

void LayoutMaker::takeNamed(std::size_t index)
{
    const bool wrongBefore = std::exchange(m_wrong, false);
    const std::vector<LaunchHosts::Index> hosts = hostsOf(index);
    std::size_t room = 0;
    for (const LaunchHosts::Index host : hosts)
        room += m_hosts.room(host);
    const std::uint64_t needed = spec(index).processors();
    if (!m_wrong && room < needed)
        tellTooFew(index, hosts, room);
    if (!m_wrong) {
        m_members[index] = m_hosts.take(hosts, needed);
        tellUnused(index);
    }
    m_wrong = m_wrong || wrongBefore;
}

void LayoutMaker::tellUnused(std::size_t index)
{
    std::set<LaunchHosts::Index> used;
    for (const std::uint32_t number : m_members[index])
        used.insert(m_hosts.hostOf(number));
    for (std::size_t i = 0; i < spec(index).hosts.size(); ++i) {
        const std::string& name = spec(index).hosts[i];
        if (used.contains(m_hosts.meant(name).front()))
            continue;
        const SourcePlace place = m_places.of(index, TopologyField::Hosts, i);
        m_sink.warning(place.line, place.column,
                       Phrase::tr("subcluster \"%1\" takes no processor of host \"%2\": the others "
                                  "have enough, or others have taken them")(spec(index).name, name),
                       Phrase::tr("leave the host out, or start fewer processors on the others"));
    }
}

void LayoutMaker::tellTooFew(std::size_t index, std::span<const LaunchHosts::Index> hosts,
                             std::size_t room)
{
    const std::uint64_t needed = spec(index).processors();
    constexpr std::size_t most = 8;
    std::string parts;
    for (std::size_t i = 0; i < std::min(most, hosts.size()); ++i) {
        parts += (i == 0 ? "" : ", ") + std::string(m_hosts.name(hosts[i])) + ' '
            + std::to_string(m_hosts.room(hosts[i]));
    }
    if (hosts.size() > most)
        parts += ", ...";
    const bool shared = std::ranges::any_of(m_members, [&](const auto& members) {
        return std::ranges::any_of(members, [&](std::uint32_t number) {
            return std::ranges::find(hosts, m_hosts.hostOf(number)) != hosts.end();
        });
    });
    error(m_places.of(index, TopologyField::Hosts),
          (shared ? Phrase::tr("subcluster \"%1\" needs %2, its hosts have %3 that subclusters "
                               "above do not take (%4)")
                  : Phrase::tr("subcluster \"%1\" needs %2, its hosts have %3 (%4)"))(
              spec(index).name, processorCount(needed), room, parts),
          Phrase::tr("start %1 more on them, or name more hosts")(needed - room));
}

void LayoutMaker::placeKinds(std::size_t index)
{
    const SubclusterSpec& from = spec(index);
    std::uint64_t left = from.dedicatedMaster ? 1U : 0U;
    ProcessorKind kind = ProcessorKind::DedicatedMaster;
    for (const std::uint32_t number : m_members[index]) {
        while (left == 0 && kind != ProcessorKind::Standby) {
            kind = kind == ProcessorKind::DedicatedMaster ? ProcessorKind::Io
                : kind == ProcessorKind::Io               ? ProcessorKind::Active
                                                          : ProcessorKind::Standby;
            left = kind == ProcessorKind::Io    ? from.io
                : kind == ProcessorKind::Active ? from.active
                                                : from.standby;
        }
        assert(left > 0);
        --left;
        m_layout.processors[number].subcluster = SubclusterId(static_cast<std::uint32_t>(index));
        m_layout.processors[number].kind = kind;
    }
    LayoutSubcluster& to = m_layout.subclusters.emplace_back();
    to.name = from.name;
    to.ranks = from.active;
    for (const std::uint32_t number : m_members[index])
        to.processors.emplace_back(number);
}

void LayoutMaker::placeUnits(std::size_t index)
{
    // By host in the order of their first processors here; by number within one.
    std::vector<std::vector<std::uint32_t>> groups;
    std::map<LaunchHosts::Index, std::size_t> groupOf;
    for (const std::uint32_t number : m_members[index]) {
        const auto [at, fresh] = groupOf.try_emplace(m_hosts.hostOf(number), groups.size());
        if (fresh)
            groups.emplace_back();
        groups[at->second].push_back(number);
    }
    const std::size_t count = spec(index).units.value_or(1);
    for (const std::vector<std::uint32_t>& group : groups) {
        const std::string host(m_hosts.name(m_hosts.hostOf(group.front())));
        if (group.size() < count) {
            error(m_places.of(index, TopologyField::Units),
                  Phrase::tr("subcluster \"%1\" has %2 of host \"%3\", too few for %4 units")(
                      spec(index).name, processorCount(group.size()), host, count),
                  Phrase::tr("write units = %1 or less, or give it more processors there")(
                      group.size()));
            continue;
        }
        std::size_t begin = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t size = group.size() / count + (i < group.size() % count ? 1 : 0);
            addUnit(index, count == 1 ? host : host + '/' + std::to_string(i + 1), host,
                    std::span(group).subspan(begin, size));
            begin += size;
        }
    }
}

void LayoutMaker::addUnit(std::size_t index, std::string name, std::string_view host,
                          std::span<const std::uint32_t> numbers)
{
    const UnitId id(static_cast<std::uint32_t>(m_layout.units.size()));
    LayoutUnit& unit = m_layout.units.emplace_back();
    unit.name = std::move(name);
    unit.host = host;
    unit.subcluster = SubclusterId(static_cast<std::uint32_t>(index));
    m_layout.subclusters[index].units.push_back(id);
    for (const std::uint32_t number : numbers) {
        unit.processors.emplace_back(number);
        m_layout.processors[number].unit = id;
    }
}

void LayoutMaker::placeSeats()
{
    struct Round {
        SeatKind seat;
        ProcessorKind holder;
    };
    for (const Round round :
         {Round{SeatKind::Active, ProcessorKind::Active}, Round{SeatKind::Io, ProcessorKind::Io},
          Round{SeatKind::Master, ProcessorKind::DedicatedMaster}}) {
        for (std::size_t i = 0; i < m_members.size(); ++i) {
            if (round.seat == SeatKind::Active)
                m_layout.subclusters[i].firstRank = Rank(
                    static_cast<std::int32_t>(m_layout.seats.size()));
            std::uint32_t next = 0;
            for (const std::uint32_t number : m_members[i]) {
                PlacedProcessor& processor = m_layout.processors[number];
                if (processor.kind != round.holder)
                    continue;
                processor.seat = SeatId(static_cast<std::uint32_t>(m_layout.seats.size()));
                m_layout.seats.push_back({.subcluster = processor.subcluster,
                                          .kind = round.seat,
                                          .index = next++,
                                          .holder = ProcessorId(number)});
            }
        }
    }
}

/// @return the first one in the order of succession: by kind, then by number
ProcessorId firstOf(const Layout& layout, const std::vector<ProcessorId>& processors)
{
    return *std::ranges::min_element(processors, {}, [&layout](ProcessorId processor) {
        return std::tuple(layout.of(processor).kind, processor);
    });
}

} // namespace

LayoutReading layOut(const Topology& topology, std::span<const std::string> hosts,
                     const TopologyPlaces& places)
{
    assert(!topology.subclusters.empty());
    return LayoutMaker(topology, hosts, places).make();
}

Masters firstMasters(const Layout& layout)
{
    assert(!layout.processors.empty());
    Masters masters;
    for (const LayoutUnit& unit : layout.units)
        masters.units.push_back(firstOf(layout, unit.processors));
    for (const LayoutSubcluster& subcluster : layout.subclusters)
        masters.clusters.push_back(firstOf(layout, subcluster.processors));
    masters.system = masters.clusters[layout.processors.front().subcluster.value()];
    return masters;
}

std::vector<std::string> exampleHosts(const Topology& topology)
{
    std::vector<std::string> all;
    std::size_t unnamed = 0;
    for (const SubclusterSpec& spec : topology.subclusters) {
        std::vector<std::string> hosts = spec.hosts;
        if (hosts.empty())
            hosts.push_back("host " + std::to_string(++unnamed));
        const std::uint64_t processors = spec.processors();
        const std::uint64_t count = hosts.size();
        for (std::uint64_t i = 0; i < count; ++i)
            all.insert(all.end(), processors / count + (i < processors % count ? 1 : 0), hosts[i]);
    }
    return all;
}

} // namespace tasuki::config
