// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/diagnosticsink.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// The parser has assertions, in release builds assumptions, that wrong files do not keep, "[*]" for
// one: without them it goes on to its error message. The same in every file that includes it.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expr) static_assert(true)
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace tasuki::plan {

/// Tells what is wrong in one TOML file, at lines and columns in bytes (the parser counts
/// characters).
class TomlFile {
public:
    /// @param text, sink  outlive this
    TomlFile(std::string_view text, DiagnosticSink& sink) : m_text(text), m_sink(sink) {}

    /// @return the file's content; none: it is no TOML, which has been told
    std::optional<toml::table> parse();

    void error(const toml::source_region& where, std::string message, std::string remedy);
    void warning(const toml::source_region& where, std::string message, std::string remedy);

private:
    [[nodiscard]] std::uint64_t byteColumn(const toml::source_position& position) const;

    std::string_view m_text;
    DiagnosticSink& m_sink;
};

/// What a number must be.
struct NumberRule {
    double least = 0.0;
    double most = 0.0;
    std::string_view expected; ///< "a number from 0 to 10, e.g. speed = 0.5"
};

/// One table of a file. Who asks for a value that is there and wrong has it told.
class TomlTable {
public:
    /// @param name  as people know it: "[[node]]"; empty: the file's top
    TomlTable(TomlFile& file, const toml::table& table, std::string name)
        : m_file(file), m_table(table), m_name(std::move(name))
    {}

    /// Tells of every key that is not among these.
    void allowKeys(std::span<const std::string_view> known);
    [[nodiscard]] bool has(std::string_view key) const { return m_table.contains(key); }
    /// @return the value's node; nullptr: there is none
    [[nodiscard]] const toml::node* node(std::string_view key) const { return m_table.get(key); }
    /// @return the number if it is there and right
    std::optional<double> number(std::string_view key, const NumberRule& rule);
    /// @return the whole number if it is there and right
    std::optional<std::uint64_t> whole(std::string_view key, std::uint64_t least,
                                       std::uint64_t most, std::string_view expected);
    /// Tells that a key is missing, at the table's begin.
    void missing(std::string_view key, std::string_view example);
    void wrong(const toml::node& at, std::string message, std::string remedy);
    [[nodiscard]] TomlFile& file() const { return m_file; }
    [[nodiscard]] const toml::source_region& source() const { return m_table.source(); }

private:
    TomlFile& m_file;
    const toml::table& m_table;
    std::string m_name;
};

/// @return what a value is, for messages: "3", "the string \"fast\"", "an array"
std::string tomlDescription(const toml::node& node);
/// @return text for messages: shortened, without control characters, between quotation marks
std::string tomlExcerpt(std::string_view text);

} // namespace tasuki::plan
