// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "database.h"
#include "domain/result.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace tasuki {

/// Tables of which rows travel, with the number of their columns.
enum class RowTable : std::uint8_t { Settings = 1, Event = 2, Output = 3, Detail = 4 };
struct RowShape {
    RowTable table;
    int columns;
    const char* insert; ///< with a parameter for each column
};
/// Settings are told again when another record had others under that number, which no event that
/// both have refers to.
inline constexpr std::array rowShapes{
    RowShape{RowTable::Settings, 8,
             "INSERT OR REPLACE INTO settings(id, retries_exit, retries_signal, retries_timeout, "
             "retries_processor_lost, timeout_ms, directory, environment) "
             "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"},
    RowShape{RowTable::Event, 23,
             "INSERT INTO event(id, wall_us, mono_ns, kind, task, attempt, rank, slot, outcome, "
             "code, disposition, started_us, elapsed_us, user_us, system_us, max_rss_kib, "
             "settings, stage, position, line, label, prerequisites, command) VALUES(?1, ?2, ?3, "
             "?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, "
             "?22, ?23)"},
    RowShape{RowTable::Output, 7, "INSERT INTO output VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)"},
    RowShape{RowTable::Detail, 3, "INSERT INTO detail VALUES(?1, ?2, ?3)"},
};

/// Adds the row on which a statement stands, with as many columns as its table's rows have.
void addRow(std::string& out, RowTable table, const Statement& row);

/// Reads what addRow() wrote; anything else is an Error of kind Protocol.
class RowTextReader {
public:
    /// @param text  outlives the reader
    explicit RowTextReader(std::string_view text) : m_rest(text) {}

    [[nodiscard]] bool atEnd() const { return m_rest.empty(); }
    /// @return the shape of the next row
    Result<const RowShape*> next();
    /// Binds the columns of the row that next() has told, all of them. Bytes are not copied.
    /// @return its first column, 0 unless that is a number
    Result<std::int64_t> bind(const RowShape& shape, Statement& insert);

private:
    bool takeNumber(std::uint64_t& value);
    bool takeBytes(std::string_view& bytes);
    std::string_view m_rest;
};

} // namespace tasuki
