// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tasuki::config {

/// @return text between quotation marks as TOML reads it back; it must be UTF-8
std::string tomlString(std::string_view text);
/// @return the shortest decimal that reads back as the same number, as TOML writes one
std::string tomlNumber(double value);

/// Makes a TOML file: lines "key = value", some with a comment.
class TomlLines {
public:
    void line(const std::string& text) { m_text += text + '\n'; }
    /// @param value    as TOML has it
    /// @param comment  empty: none
    void put(std::string_view key, const std::string& value, std::string_view comment = {});
    void put(std::string_view key, double value, std::string_view comment = {})
    {
        put(key, tomlNumber(value), comment);
    }
    void put(std::string_view key, std::optional<double> value, std::string_view comment = {})
    {
        if (value)
            put(key, *value, comment);
    }
    [[nodiscard]] std::string take() { return std::move(m_text); }

private:
    std::string m_text;
};

} // namespace tasuki::config
