// SPDX-License-Identifier: GPL-3.0-or-later
#include "tomltable.h"

#include "tomlscan.h"

#include "domain/nearest.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>

namespace tasuki::config {

namespace {

/// More than any file of Tasuki has; the parser itself limits how deep values lie in each other.
constexpr std::size_t mostKeyParts = 16;
constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";

/// @return the known key that somebody may have meant: one that begins in the same way, or the
///         nearest one
std::string_view likelyKey(std::string_view word, std::span<const std::string_view> known)
{
    const auto longer = std::ranges::find_if(
        known, [word](std::string_view key) { return !word.empty() && key.starts_with(word); });
    return longer != known.end() ? *longer : nearestName(word, known);
}

std::string floatDescription(double value)
{
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value > 0 ? "inf" : "-inf";
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    std::string text(buffer.data(), end);
    if (text.find_first_not_of("-0123456789") == std::string::npos)
        text += ".0"; // else nobody sees why it is no whole number
    return text;
}

} // namespace

Phrase tomlDescription(const toml::node& node)
{
    switch (node.type()) {
    case toml::node_type::string:
        return Phrase::tr("the string %1")(tomlExcerpt(node.as_string()->get()));
    case toml::node_type::integer: return Phrase(node.as_integer()->get());
    case toml::node_type::floating_point: return floatDescription(node.as_floating_point()->get());
    case toml::node_type::boolean: return node.as_boolean()->get() ? "true" : "false";
    case toml::node_type::array: return Phrase::tr("an array");
    case toml::node_type::table: return Phrase::tr("a table");
    default: return Phrase::tr("a date or time");
    }
}

TomlFile::TomlFile(std::string_view text, DiagnosticSink& sink, Phrase tables)
    : m_text(text), m_sink(sink), m_tables(std::move(tables)), m_lines{0}
{
    for (std::size_t end = text.find('\n'); end != std::string_view::npos;
         end = text.find('\n', end + 1))
        m_lines.push_back(end + 1);
}

std::optional<toml::table> TomlFile::parse()
{
    if (const auto deep = longTomlKey(m_text, mostKeyParts)) {
        const auto line = std::ranges::upper_bound(m_lines, *deep) - m_lines.begin();
        m_sink.error(static_cast<std::uint64_t>(line),
                     *deep - *std::prev(m_lines.begin() + line) + 1,
                     Phrase::tr("a key of more than %1 parts")(mostKeyParts),
                     Phrase::tr("keys here are single words; write %1 above them")(m_tables));
        return std::nullopt;
    }
    try {
        return toml::parse(m_text);
    } catch (const toml::parse_error& wrong) {
        const std::string_view description = wrong.description();
        error(wrong.source(),
              Phrase::tr("no valid TOML: %1")(description.substr(0, description.find('\n'))),
              Phrase::tr("write key = value, text in %1, and %2 above each")(R"("quotation marks")",
                                                                             m_tables));
        return std::nullopt;
    }
}

void TomlFile::error(const toml::source_region& where, Phrase message, Phrase remedy)
{
    m_sink.error(where.begin.line, byteColumn(where.begin), std::move(message), std::move(remedy));
}

void TomlFile::warning(const toml::source_region& where, Phrase message, Phrase remedy)
{
    m_sink.warning(where.begin.line, byteColumn(where.begin), std::move(message),
                   std::move(remedy));
}

std::uint64_t TomlFile::byteColumn(const toml::source_position& position) const
{
    if (position.line == 0 || position.line > m_lines.size())
        return position.column;
    const std::size_t begin = m_lines[position.line - 1];
    std::size_t at = begin;
    if (at == 0 && m_text.starts_with(byteOrderMark))
        at += byteOrderMark.size();
    for (std::uint64_t column = 1; column < position.column && at < m_text.size(); ++column) {
        ++at;
        while (at < m_text.size() && continuesUtf8(m_text[at]))
            ++at;
    }
    return at - begin + 1;
}

void TomlTable::allowKeys(std::span<const std::string_view> known,
                          std::span<const KeysElsewhere> elsewhere)
{
    for (const auto& [key, value] : m_table) {
        const std::string_view word = key.str();
        if (std::ranges::find(known, word) != known.end())
            continue;
        const auto other = std::ranges::find_if(elsewhere, [word](const KeysElsewhere& table) {
            return std::ranges::find(table.keys, word) != table.keys.end();
        });
        if (other != elsewhere.end()) {
            m_file.error(key.source(),
                         (m_name.empty() ? Phrase::tr("there is no %1 at the top of the file")
                                         : Phrase::tr("there is no %1 in %2"))(word, m_name),
                         Phrase::tr("write it under %1")(other->where));
            continue;
        }
        std::string all;
        for (const std::string_view name : known)
            all += (all.empty() ? "" : ", ") + std::string(name);
        m_file.error(key.source(),
                     (m_name.empty()
                          ? Phrase::tr("unknown key %1 at the top of the file")
                          : Phrase::tr("unknown key %1 in %2"))(tomlExcerpt(word), m_name),
                     Phrase::tr("did you mean %1? There are %2")(likelyKey(word, known), all));
    }
}

void TomlTable::unlike(std::string_view key, const toml::node& found, const Phrase& expected,
                       std::string_view example)
{
    wrong(found, Phrase::tr("%1 is %2")(key, tomlDescription(found)),
          Phrase::tr("expected %1, e.g. %2 = %3")(expected, key, example));
}

std::optional<double> TomlTable::number(std::string_view key, const NumberRule& rule)
{
    const toml::node* const found = m_table.get(key);
    if (found == nullptr)
        return std::nullopt;
    const std::optional<double> value = found->is_number() ? found->value<double>() : std::nullopt;
    if (value && rule.allows(*value))
        return value;
    unlike(key, *found, rule.expected(), rule.example);
    return std::nullopt;
}

std::optional<std::uint64_t> TomlTable::whole(std::string_view key, const WholeRule& rule)
{
    const toml::node* const found = m_table.get(key);
    if (found == nullptr)
        return std::nullopt;
    const auto* const integer = found->as_integer();
    if (integer != nullptr && integer->get() >= 0) {
        const auto value = static_cast<std::uint64_t>(integer->get());
        if (rule.allows(value))
            return value;
    }
    unlike(key, *found, rule.expected(), rule.example);
    return std::nullopt;
}

std::optional<std::string> TomlTable::text(std::string_view key, const Phrase& expected,
                                           std::string_view example)
{
    const toml::node* const found = m_table.get(key);
    if (found == nullptr)
        return std::nullopt;
    if (const auto* const string = found->as_string())
        return string->get();
    unlike(key, *found, expected, example);
    return std::nullopt;
}

std::optional<bool> TomlTable::flag(std::string_view key, std::string_view example)
{
    const toml::node* const found = m_table.get(key);
    if (found == nullptr)
        return std::nullopt;
    if (const auto* const boolean = found->as_boolean())
        return boolean->get();
    unlike(key, *found, Phrase::tr("true or false"), example);
    return std::nullopt;
}

std::vector<const toml::table*> TomlTable::tables(std::string_view key)
{
    const toml::node* const found = m_table.get(key);
    if (found == nullptr)
        return {};
    const toml::array* const array = found->as_array();
    if (array == nullptr) {
        wrong(*found, Phrase::tr("%1 is %2")(key, tomlDescription(*found)),
              Phrase::tr("write [[%1]], once for each %2")(key, key));
        return {};
    }
    std::vector<const toml::table*> all;
    for (const toml::node& element : *array) {
        if (const toml::table* const table = element.as_table())
            all.push_back(table);
        else
            wrong(element, Phrase::tr("%1 has %2 among its tables")(key, tomlDescription(element)),
                  Phrase::tr("write [[%1]], once for each")(key));
    }
    return all;
}

void TomlTable::missing(std::string_view key, const Phrase& example)
{
    m_file.error(m_table.source(), Phrase::tr("%1 has no %2")(m_name, key),
                 Phrase::tr("write, for example, %1")(example));
}

void TomlTable::wrong(const toml::node& at, Phrase message, Phrase remedy)
{
    m_file.error(at.source(), std::move(message), std::move(remedy));
}

} // namespace tasuki::config
