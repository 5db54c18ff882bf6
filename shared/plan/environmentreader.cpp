// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/tomltable.h"
#include "domain/nearest.h"
#include "environmentfile.h"

#include <algorithm>
#include <array>
#include <map>

namespace tasuki::plan {

namespace {

using namespace std::string_view_literals;
using config::tomlDescription;
using config::tomlExcerpt;
using config::TomlFile;
using config::TomlTable;

constexpr std::array topKeys{"trace_speed"sv, "eager_bytes"sv,  "send_buffer_bytes"sv,
                             "node"sv,        "link_default"sv, "link_inside"sv,
                             "link"sv};
constexpr std::array nodeKeys{"name"sv,
                              "speed"sv,
                              "speed_ci95"sv,
                              "slots"sv,
                              "cores"sv,
                              "egress_us_per_byte"sv,
                              "ingress_us_per_byte"sv};
constexpr std::array figureKeys{"a0_us"sv, "a1_us_per_byte"sv, "burst_bytes"sv, "a0_ci95_us"sv,
                                "a1_ci95_us_per_byte"sv};
constexpr std::array linkKeys{
    "between"sv,        "from"sv,        "to"sv,         "a0_us"sv,
    "a1_us_per_byte"sv, "burst_bytes"sv, "a0_ci95_us"sv, "a1_ci95_us_per_byte"sv};

/// Reads one file; each part tells what is wrong in it and leaves it out.
class EnvironmentReader {
public:
    EnvironmentReader(TomlFile& file, const toml::table& root)
        : m_file(file), m_root(root), m_top(file, root, "")
    {}

    Environment read();

private:
    void readNode(const toml::table& table);
    std::optional<std::string> readName(TomlTable& table);
    LinkSpec readFigures(TomlTable& table);
    void readSingleLink(std::string_view key, LinkSpec& link);
    void readLink(const toml::table& table);
    std::optional<std::uint32_t> readEnd(const toml::node& value);
    std::optional<std::pair<std::uint32_t, std::uint32_t>> readBetween(const toml::node& value);
    void setLink(const toml::table& table, std::uint32_t from, std::uint32_t to, bool bothWays,
                 const LinkSpec& link);
    void checkComplete();

    TomlFile& m_file;
    const toml::table& m_root;
    TomlTable m_top;
    Environment m_environment;
    struct NamedNode {
        std::uint32_t index;
        std::uint64_t line;
    };
    std::map<std::string, NamedNode, std::less<>> m_named;
    std::map<std::size_t, std::uint64_t> m_linkLines; ///< of links by index
    bool m_namesKnown = true; ///< else a link to an unknown node may be right
};

Environment EnvironmentReader::read()
{
    m_top.allowKeys(topKeys);
    if (const auto speed = m_top.number("trace_speed", rules::speed))
        m_environment.traceSpeed = *speed;
    if (const auto bytes = m_top.whole("eager_bytes", rules::eagerBytes))
        m_environment.eagerBytes = *bytes;
    m_environment.sendBufferBytes = m_top.number("send_buffer_bytes", rules::bytes).value_or(0.0);
    for (const toml::table* const table : m_top.tables("node"))
        readNode(*table);
    const std::size_t count = m_environment.nodes.size();
    m_environment.links.resize(count * count);
    readSingleLink("link_default", m_environment.linkDefault);
    readSingleLink("link_inside", m_environment.linkInside);
    for (const toml::table* const table : m_top.tables("link"))
        readLink(*table);
    checkComplete();
    return std::move(m_environment);
}

std::optional<std::string> EnvironmentReader::readName(TomlTable& table)
{
    const toml::node* const found = table.node("name");
    if (found == nullptr) {
        m_namesKnown = false;
        table.missing("name", "name = \"grid00\"");
        return std::nullopt;
    }
    const auto* const text = found->as_string();
    if (text == nullptr) {
        m_namesKnown = false;
        table.wrong(*found, "name is " + tomlDescription(*found).text(),
                    "expected a host's name between quotation marks, e.g. name = \"grid00\"");
        return std::nullopt;
    }
    if (const auto fault = nameFault(text->get())) {
        m_namesKnown = false;
        table.wrong(*found, "name " + tomlExcerpt(text->get()) + ' ' + fault->text(),
                    "write the name that mpirun knows the computer by, e.g. name = \"grid00\"");
        return std::nullopt;
    }
    const std::uint64_t line = found->source().begin.line;
    const auto index = static_cast<std::uint32_t>(m_environment.nodes.size());
    const auto [place, fresh] = m_named.try_emplace(text->get(), NamedNode{index, line});
    if (!fresh) {
        table.wrong(*found,
                    "two nodes have the name " + tomlExcerpt(text->get()) + ", the first in line "
                        + std::to_string(place->second.line),
                    "give each computer one [[node]]; slots says how many tasks it takes");
        return std::nullopt;
    }
    return text->get();
}

void EnvironmentReader::readNode(const toml::table& source)
{
    TomlTable table(m_file, source, "[[node]]");
    if (m_environment.nodes.size() == limits::mostNodes) {
        m_file.error(source.source(), "more than " + std::to_string(limits::mostNodes) + " nodes",
                     "leave out those that take no task");
        m_namesKnown = false;
        return;
    }
    table.allowKeys(nodeKeys);
    NodeSpec node;
    const std::optional<std::string> name = readName(table);
    node.speed = table.number("speed", rules::speed).value_or(node.speed);
    node.speedConfidence = table.number("speed_ci95", rules::speedInterval);
    node.slots = static_cast<std::uint32_t>(
        table.whole("slots", rules::slots).value_or(node.slots));
    node.cores = static_cast<std::uint32_t>(
        table.whole("cores", rules::cores).value_or(node.cores));
    node.egressUsPerByte = table.number("egress_us_per_byte", rules::usPerByte).value_or(0.0);
    node.ingressUsPerByte = table.number("ingress_us_per_byte", rules::usPerByte).value_or(0.0);
    if (!name)
        return;
    node.name = *name;
    m_environment.nodes.push_back(std::move(node));
}

LinkSpec EnvironmentReader::readFigures(TomlTable& table)
{
    LinkSpec link;
    if (!table.has("a0_us"))
        table.missing("a0_us", "a0_us = 60.0, what a message without content takes");
    if (!table.has("a1_us_per_byte"))
        table.missing("a1_us_per_byte", "a1_us_per_byte = 0.08, what each byte adds");
    link.a0Us = table.number("a0_us", rules::us).value_or(0.0);
    link.a1UsPerByte = table.number("a1_us_per_byte", rules::usPerByte).value_or(0.0);
    link.burstBytes = table.number("burst_bytes", rules::bytes).value_or(0.0);
    link.a0Confidence = table.number("a0_ci95_us", rules::us);
    link.a1Confidence = table.number("a1_ci95_us_per_byte", rules::usPerByte);
    return link;
}

void EnvironmentReader::readSingleLink(std::string_view key, LinkSpec& link)
{
    const toml::node* const found = m_top.node(key);
    if (found == nullptr)
        return;
    const std::string name = '[' + std::string(key) + ']';
    if (!found->is_table()) {
        m_top.wrong(*found, std::string(key) + " is " + tomlDescription(*found).text(),
                    "write " + name + ", and under it a0_us and a1_us_per_byte");
        return;
    }
    TomlTable table(m_file, *found->as_table(), name);
    table.allowKeys(figureKeys);
    link = readFigures(table);
}

std::optional<std::uint32_t> EnvironmentReader::readEnd(const toml::node& value)
{
    const auto* const text = value.as_string();
    if (text == nullptr) {
        m_file.error(value.source(), "a link's end is " + tomlDescription(value).text(),
                     "expected a node's name between quotation marks");
        return std::nullopt;
    }
    const auto node = m_named.find(text->get());
    if (node != m_named.end())
        return node->second.index;
    if (!m_namesKnown || m_named.empty())
        return std::nullopt; // that a node has no proper name has been told
    std::vector<std::string_view> names;
    for (const auto& [name, index] : m_named)
        names.push_back(name);
    m_file.error(value.source(), "there is no node " + tomlExcerpt(text->get()),
                 "did you mean " + tomlExcerpt(nearestName(text->get(), names))
                     + "? Else add a [[node]] of that name");
    return std::nullopt;
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> EnvironmentReader::readBetween(
    const toml::node& value)
{
    const toml::array* const array = value.as_array();
    if (array == nullptr || array->size() != 2) {
        m_file.error(value.source(),
                     array == nullptr ? "between is " + tomlDescription(value).text()
                                      : "between has " + std::to_string(array->size()) + " names",
                     "expected the names of two nodes, e.g. between = [\"grid00\", \"grid01\"]");
        return std::nullopt;
    }
    const auto first = readEnd(*array->get(0));
    const auto second = readEnd(*array->get(1));
    if (!first || !second)
        return std::nullopt;
    return std::pair(*first, *second);
}

void EnvironmentReader::readLink(const toml::table& source)
{
    TomlTable table(m_file, source, "[[link]]");
    table.allowKeys(linkKeys);
    const LinkSpec link = readFigures(table);
    const bool bothWays = table.has("between");
    if (bothWays && (table.has("from") || table.has("to"))) {
        const toml::node* const other = table.node(table.has("from") ? "from" : "to");
        table.wrong(*other, "[[link]] has both between and from or to",
                    "between is for both directions, from and to are for one: keep one of them");
        return;
    }
    if (bothWays) {
        if (const auto ends = readBetween(*table.node("between")))
            setLink(source, ends->first, ends->second, true, link);
        return;
    }
    if (!table.has("from") && !table.has("to")) {
        table.missing("between", "between = [\"grid00\", \"grid01\"], or from and to");
        return;
    }
    for (const auto& [key, example] :
         {std::pair("from"sv, "from = \"grid00\""sv), std::pair("to"sv, "to = \"grid01\""sv)}) {
        if (!table.has(key))
            table.missing(key, example);
    }
    const auto from = table.has("from") ? readEnd(*table.node("from")) : std::nullopt;
    const auto to = table.has("to") ? readEnd(*table.node("to")) : std::nullopt;
    if (from && to)
        setLink(source, *from, *to, false, link);
}

void EnvironmentReader::setLink(const toml::table& source, std::uint32_t from, std::uint32_t to,
                                bool bothWays, const LinkSpec& link)
{
    const std::uint64_t line = source.source().begin.line;
    const auto set = [&](std::uint32_t a, std::uint32_t b) {
        const std::size_t index = m_environment.indexOf(Node(a), Node(b));
        const auto [place, fresh] = m_linkLines.try_emplace(index, line);
        if (fresh) {
            m_environment.links[index] = link;
            return true;
        }
        m_file.error(source.source(),
                     "the link from " + tomlExcerpt(m_environment.nodes[a].name) + " to "
                         + tomlExcerpt(m_environment.nodes[b].name)
                         + " is given twice, first in line " + std::to_string(place->second),
                     "keep one of the two");
        return false;
    };
    if (set(from, to) && bothWays && from != to)
        set(to, from);
}

void EnvironmentReader::checkComplete()
{
    const auto& nodes = m_environment.nodes;
    const toml::node* const given = m_root.get("node");
    if (given == nullptr || (given->is_array() && given->as_array()->empty())) {
        m_file.error(given == nullptr ? m_root.source() : given->source(), "there are no nodes",
                     "write, for each computer, [[node]] and under it name = \"...\"");
    }
    if (m_root.contains("link_default"))
        return;
    for (std::uint32_t from = 0; from < nodes.size(); ++from) {
        for (std::uint32_t to = 0; to < nodes.size(); ++to) {
            if (from == to || m_environment.links[m_environment.indexOf(Node(from), Node(to))])
                continue;
            m_file.warning(m_root.source(),
                           "there is neither a link from " + tomlExcerpt(nodes[from].name) + " to "
                               + tomlExcerpt(nodes[to].name)
                               + " nor [link_default]: its messages are taken to need no time",
                           "write [link_default], and under it a0_us and a1_us_per_byte");
            return;
        }
    }
}

} // namespace

EnvironmentReading readEnvironmentText(std::string_view text, const std::string& file)
{
    DiagnosticSink sink(file);
    TomlFile toml(text, sink, Phrase::tr("%1 or %2")("[[node]]", "[[link]]"));
    EnvironmentReading reading;
    if (const std::optional<toml::table> root = toml.parse())
        reading.environment = EnvironmentReader(toml, *root).read();
    reading.diagnostics = sink.take();
    if (std::ranges::any_of(reading.diagnostics, &Diagnostic::isError))
        reading.environment.reset();
    return reading;
}

} // namespace tasuki::plan
