// SPDX-License-Identifier: GPL-3.0-or-later
#include "topologyreader.h"

#include "domain/nearest.h"
#include "domain/shellword.h"
#include "tomltable.h"

#include <algorithm>
#include <array>
#include <set>

namespace tasuki::config {

namespace {

using namespace std::string_view_literals;

constexpr std::array topKeys{"system"sv, "subcluster"sv};
constexpr std::array systemKeys{"heartbeat_ms"sv, "suspect_after"sv, "lost_after"sv, "policy"sv,
                                "rejoin"sv};
constexpr std::array subclusterKeys{
    "name"sv,  "active"sv,   "standby"sv,          "io"sv,   "minimum"sv, "hosts"sv,
    "units"sv, "restarts"sv, "dedicated_master"sv, "world"sv};
constexpr std::array worldKeys{"command"sv,    "cwd"sv,           "env"sv,
                               "deadline_s"sv, "deterministic"sv, "log_mb"sv};
constexpr std::array restartKeys{"count"sv, "within_s"sv};
constexpr std::array elsewhereThanTop{KeysElsewhere{systemKeys, "[system]"},
                                      KeysElsewhere{subclusterKeys, "[[subcluster]]"}};
constexpr std::array elsewhereThanSystem{KeysElsewhere{subclusterKeys, "[[subcluster]]"}};
constexpr std::array elsewhereThanSubcluster{KeysElsewhere{systemKeys, "[system]"},
                                             KeysElsewhere{restartKeys, "restarts = { ... }"},
                                             KeysElsewhere{worldKeys, "world = { ... }"}};

/// Reads one file; each part tells what is wrong in it and keeps its default.
class TopologyReader {
public:
    TopologyReader(TomlFile& file, const toml::table& root, DiagnosticSink& sink,
                   TopologyPlaces& places)
        : m_file(file), m_root(root), m_sink(sink), m_places(places)
    {}

    Topology read();

private:
    /// What has been told of a table, so that nothing is told twice.
    using Told = std::set<TopologyField>;

    void readSystem();
    void readPolicy(TomlTable& table, Told& told);
    void readSubcluster(const toml::table& source);
    void readName(TomlTable& table, SubclusterSpec& spec, Told& told);
    void readHosts(TomlTable& table, SubclusterSpec& spec, TopologyPlaces::Table& places,
                   Told& told);
    void readRestarts(TomlTable& table, SubclusterSpec& spec, TopologyPlaces::Table& places,
                      Told& told);
    void readWorld(TomlTable& table, SubclusterSpec& spec, TopologyPlaces::Table& places,
                   Told& told);
    void readEnvironment(TomlTable& world, WorldSpec& spec);
    /// @return the number; `otherwise` when it is missing or wrong, which has been told
    template <class Number>
    Number readNumber(TomlTable& table, TopologyField field, Number otherwise,
                      TopologyPlaces::Table& places, Told& told);
    void tellFaults();
    void tell(const TopologyFault& fault);
    [[nodiscard]] TopologyPlaces::Spot spot(const toml::source_region& source) const
    {
        return {source.begin.line, m_file.byteColumn(source.begin)};
    }

    TomlFile& m_file;
    const toml::table& m_root;
    DiagnosticSink& m_sink;
    TopologyPlaces& m_places;
    Topology m_topology;
    Told m_toldOfSystem;
    std::vector<Told> m_toldOfSubclusters;
    bool m_subclustersKnown = true; ///< else there may be some that were not understood
};

Topology TopologyReader::read()
{
    TomlTable top(m_file, m_root, "");
    m_places.system.begin = spot(m_root.source());
    const std::size_t before = m_sink.count();
    top.allowKeys(topKeys, elsewhereThanTop);
    const std::vector<const toml::table*> tables = top.tables("subcluster");
    m_subclustersKnown = m_sink.count() == before;
    readSystem();
    for (const toml::table* const table : tables) {
        if (m_topology.subclusters.size() > limits::mostSubclusters)
            break; // one more than allowed, which is told
        readSubcluster(*table);
    }
    tellFaults();
    return std::move(m_topology);
}

template <class Number>
Number TopologyReader::readNumber(TomlTable& table, TopologyField field, Number otherwise,
                                  TopologyPlaces::Table& places, Told& told)
{
    const std::string_view key = fieldKey(field);
    const toml::node* const found = table.node(key);
    if (found == nullptr)
        return otherwise;
    places.fields[field] = spot(found->source());
    const auto value = table.whole(key, *ruleOf(field));
    if (!value) {
        told.insert(field);
        return otherwise;
    }
    return static_cast<Number>(*value);
}

void TopologyReader::readSystem()
{
    const toml::node* const found = m_root.get("system");
    if (found == nullptr)
        return;
    if (!found->is_table()) {
        m_file.error(found->source(), Phrase::tr("%1 is %2")("system", tomlDescription(*found)),
                     Phrase::tr("write [system], once, and under it heartbeat_ms = %1 and the "
                                "like")(rules::heartbeatMs.example));
        return;
    }
    TomlTable table(m_file, *found->as_table(), "[system]");
    TopologyPlaces::Table& places = m_places.system;
    places.begin = spot(table.source());
    table.allowKeys(systemKeys, elsewhereThanSystem);
    const auto number = [&]<class Number>(TopologyField field, Number otherwise) {
        return readNumber(table, field, otherwise, places, m_toldOfSystem);
    };
    m_topology.heartbeat = std::chrono::milliseconds(
        number(TopologyField::HeartbeatMs, m_topology.heartbeat.count()));
    m_topology.suspectAfter = number(TopologyField::SuspectAfter, m_topology.suspectAfter);
    m_topology.lostAfter = number(TopologyField::LostAfter, m_topology.lostAfter);
    readPolicy(table, m_toldOfSystem);
    if (const toml::node* const flag = table.node("rejoin")) {
        places.fields[TopologyField::Rejoin] = spot(flag->source());
        m_topology.rejoin = table.flag("rejoin", "true").value_or(m_topology.rejoin);
    }
}

void TopologyReader::readPolicy(TomlTable& table, Told& told)
{
    const toml::node* const found = table.node("policy");
    if (found == nullptr)
        return;
    m_places.system.fields[TopologyField::Policy] = spot(found->source());
    const Phrase expected = Phrase::tr("%1, %2 or %3")(R"("continue")", R"("restart")",
                                                       R"("stop")");
    const auto word = table.text("policy", expected, R"("restart")");
    const auto policy = word ? policyFromWord(*word) : std::nullopt;
    if (policy) {
        m_topology.policy = *policy;
        return;
    }
    told.insert(TopologyField::Policy);
    if (!word)
        return;
    std::array<std::string_view, policies.size()> words{};
    std::ranges::transform(policies, words.begin(), policyWord);
    table.wrong(*found, Phrase::tr("%1 is %2")("policy", tomlExcerpt(*word)),
                Phrase::tr("did you mean %1? Expected %2")(tomlExcerpt(nearestName(*word, words)),
                                                           expected));
}

void TopologyReader::readSubcluster(const toml::table& source)
{
    TomlTable table(m_file, source, "[[subcluster]]");
    TopologyPlaces::Table& places = m_places.subclusters.emplace_back();
    Told& told = m_toldOfSubclusters.emplace_back();
    places.begin = spot(source.source());
    table.allowKeys(subclusterKeys, elsewhereThanSubcluster);
    SubclusterSpec spec;
    const auto number = [&](TopologyField field, std::uint32_t otherwise) {
        return readNumber(table, field, otherwise, places, told);
    };
    readName(table, spec, told);
    if (!table.has("active")) {
        table.missing("active", Phrase::tr("active = %1, how many processors hold a rank")(4));
        told.insert(TopologyField::Active);
    }
    spec.active = number(TopologyField::Active, spec.active);
    spec.standby = number(TopologyField::Standby, spec.standby);
    spec.io = number(TopologyField::Io, spec.io);
    spec.minimum = number(TopologyField::Minimum, spec.minimum);
    readHosts(table, spec, places, told);
    if (table.has("units")) {
        const std::uint32_t units = number(TopologyField::Units, 0);
        spec.units = units != 0 ? std::optional(units) : std::nullopt;
    }
    readRestarts(table, spec, places, told);
    if (const toml::node* const found = table.node("dedicated_master")) {
        places.fields[TopologyField::DedicatedMaster] = spot(found->source());
        spec.dedicatedMaster = table.flag("dedicated_master", "true").value_or(false);
    }
    readWorld(table, spec, places, told);
    m_topology.subclusters.push_back(std::move(spec));
}

void TopologyReader::readName(TomlTable& table, SubclusterSpec& spec, Told& told)
{
    const toml::node* const found = table.node("name");
    if (found == nullptr) {
        table.missing("name", "name = \"antenna\"");
        told.insert(TopologyField::Name);
        return;
    }
    m_places.subclusters.back().fields[TopologyField::Name] = spot(found->source());
    const auto text = table.text("name", Phrase::tr("a name between quotation marks"),
                                 "\"antenna\"");
    if (text)
        spec.name = *text;
    else
        told.insert(TopologyField::Name);
}

void TopologyReader::readHosts(TomlTable& table, SubclusterSpec& spec,
                               TopologyPlaces::Table& places, Told& told)
{
    const toml::node* const found = table.node("hosts");
    if (found == nullptr)
        return;
    places.fields[TopologyField::Hosts] = spot(found->source());
    const toml::array* const array = found->as_array();
    const Phrase example = Phrase::tr(
        "write their names between quotation marks, e.g. hosts = [%1, %2]")(R"("node0")",
                                                                            R"("node1")");
    if (array == nullptr) {
        table.wrong(*found, Phrase::tr("%1 is %2")("hosts", tomlDescription(*found)), example);
        told.insert(TopologyField::Hosts);
        return;
    }
    if (array->empty()) {
        table.wrong(*found, Phrase::tr("hosts is empty"),
                    Phrase::tr("name a host, or leave hosts out to take what others leave"));
        return;
    }
    for (const toml::node& element : *array) {
        if (spec.hosts.size() > limits::mostHosts)
            return; // one more than allowed, which is told
        if (const auto* const text = element.as_string()) {
            spec.hosts.push_back(text->get());
            places.hosts.push_back(spot(element.source()));
        } else {
            table.wrong(element,
                        Phrase::tr("%1 has %2 among its names")("hosts", tomlDescription(element)),
                        example);
        }
    }
}

void TopologyReader::readRestarts(TomlTable& table, SubclusterSpec& spec,
                                  TopologyPlaces::Table& places, Told& told)
{
    const toml::node* const found = table.node("restarts");
    if (found == nullptr)
        return;
    if (!found->is_table()) {
        table.wrong(*found, Phrase::tr("%1 is %2")("restarts", tomlDescription(*found)),
                    Phrase::tr("write how many in how many seconds, restarts = { count = %1, "
                               "within_s = %2 }")(rules::restartCount.example,
                                                  rules::restartWithinS.example));
        return;
    }
    TomlTable restarts(m_file, *found->as_table(), "restarts");
    restarts.allowKeys(restartKeys);
    spec.restarts.count = readNumber(restarts, TopologyField::RestartCount, spec.restarts.count,
                                     places, told);
    spec.restarts.within = std::chrono::seconds(readNumber(
        restarts, TopologyField::RestartWithinS, spec.restarts.within.count(), places, told));
}

void TopologyReader::readWorld(TomlTable& table, SubclusterSpec& spec,
                               TopologyPlaces::Table& places, Told& told)
{
    const toml::node* const found = table.node("world");
    if (found == nullptr)
        return;
    places.fields[TopologyField::WorldCommand] = spot(found->source());
    if (!found->is_table()) {
        table.wrong(*found, Phrase::tr("%1 is %2")("world", tomlDescription(*found)),
                    Phrase::tr("write what is to run as each rank, world = { command = %1 }")(
                        R"("./solver")"));
        return;
    }
    TomlTable world(m_file, *found->as_table(), "world");
    world.allowKeys(worldKeys);
    spec.world.emplace();
    if (const toml::node* const command = world.node("command"))
        places.fields[TopologyField::WorldCommand] = spot(command->source());
    if (!world.has("command")) {
        world.missing(
            "command",
            Phrase::tr("command = %1, what the shell is to run as each rank")(R"("./solver")"));
        told.insert(TopologyField::WorldCommand);
    } else if (const auto command = world.text(
                   "command", Phrase::tr("a command between quotation marks"), R"("./solver")")) {
        spec.world->command = *command;
    } else {
        told.insert(TopologyField::WorldCommand);
    }
    if (const auto directory = world.text("cwd", Phrase::tr("a path between quotation marks"),
                                          R"("/data")"))
        spec.world->directory = *directory;
    if (world.has("deadline_s"))
        spec.world->deadline = std::chrono::seconds(
            readNumber(world, TopologyField::WorldDeadlineS, std::int64_t{1}, places, told));
    if (world.has("log_mb"))
        spec.world->logMb = readNumber(world, TopologyField::WorldLogMb, std::uint32_t{0}, places,
                                       told);
    if (const auto deterministic = world.flag("deterministic", "false"))
        spec.world->deterministic = *deterministic;
    readEnvironment(world, *spec.world);
}

void TopologyReader::readEnvironment(TomlTable& world, WorldSpec& spec)
{
    const toml::node* const found = world.node("env");
    if (found == nullptr)
        return;
    const Phrase example = Phrase::tr("write names and values, env = { %1 = %2 }")(
        "OMP_NUM_THREADS", R"("4")");
    const toml::table* const table = found->as_table();
    if (table == nullptr) {
        world.wrong(*found, Phrase::tr("%1 is %2")("env", tomlDescription(*found)), example);
        return;
    }
    for (const auto& [key, value] : *table) {
        const auto* const text = value.as_string();
        if (!isVariableName(key.str()))
            world.wrong(value, Phrase::tr("%1 is no name of a variable")(tomlExcerpt(key.str())),
                        Phrase::tr("expected letters, digits and _, not a digit first"));
        else if (text == nullptr || text->get().find('\0') != std::string::npos)
            world.wrong(value, Phrase::tr("%1 is %2")(key.str(), tomlDescription(value)), example);
        else
            spec.environment.emplace_back(key.str(), text->get());
    }
}

void TopologyReader::tellFaults()
{
    for (const TopologyFault& fault : topologyFaults(m_topology)) {
        const Told& told = fault.subcluster && *fault.subcluster < m_toldOfSubclusters.size()
            ? m_toldOfSubclusters[*fault.subcluster]
            : m_toldOfSystem;
        const bool known = (fault.field && told.contains(*fault.field))
            || (fault.with && told.contains(*fault.with))
            || (fault.with == TopologyField::Active && fault.field != TopologyField::Minimum
                && (told.contains(TopologyField::Standby) || told.contains(TopologyField::Io)))
            || (m_topology.subclusters.empty() && !m_subclustersKnown && !fault.field);
        if (!known)
            tell(fault);
    }
}

void TopologyReader::tell(const TopologyFault& fault)
{
    SourcePlace place = m_places.of(fault.subcluster, fault.field, fault.host);
    const TopologyPlaces::Table& table = fault.subcluster ? m_places.subclusters[*fault.subcluster]
                                                          : m_places.system;
    // A default that does not go with what is given is told there.
    if (fault.with && fault.field && !table.fields.contains(*fault.field))
        place = m_places.of(fault.subcluster, fault.with);
    Phrase message = fault.message;
    if (fault.same) {
        const SourcePlace first = m_places.of(*fault.same, fault.field);
        message = Phrase::tr("%1, the first in line %2")(fault.message, first.line);
    }
    m_sink.error(place.line, place.column, std::move(message), fault.remedy);
}

} // namespace

SourcePlace TopologyPlaces::of(std::optional<std::size_t> subcluster,
                               std::optional<TopologyField> field,
                               std::optional<std::size_t> host) const
{
    SourcePlace place{.file = file};
    if (subcluster && *subcluster >= subclusters.size())
        return place;
    const Table& table = subcluster ? subclusters[*subcluster] : system;
    Spot at = table.begin;
    if (field) {
        const auto found = table.fields.find(*field);
        if (found != table.fields.end())
            at = found->second;
    }
    if (host && *host < table.hosts.size())
        at = table.hosts[*host];
    place.line = at.line;
    place.column = at.column;
    return place;
}

TopologyReading readTopologyText(std::string_view text, const std::string& file)
{
    DiagnosticSink sink(file);
    TomlFile toml(text, sink, Phrase::tr("%1 or %2")("[system]", "[[subcluster]]"));
    TopologyReading reading;
    reading.places.file = file;
    if (const std::optional<toml::table> root = toml.parse())
        reading.topology = TopologyReader(toml, *root, sink, reading.places).read();
    reading.diagnostics = sink.take();
    if (std::ranges::any_of(reading.diagnostics, &Diagnostic::isError))
        reading.topology.reset();
    return reading;
}

} // namespace tasuki::config
