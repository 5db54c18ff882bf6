// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

struct sqlite3;

namespace tasuki::testing {

/// What a run file holds, read with plain SQL as a user would read it, not with Tasuki's own
/// reader: a test that used it would not notice if reader and writer were wrong together.
///
/// Reads a copy, so that looking does not change what the next agent finds. For files that nobody
/// writes at the moment. Throws std::runtime_error when the file cannot be read or a statement is
/// wrong.
class RunRecord {
public:
    using Row = std::vector<std::string>;

    explicit RunRecord(const std::filesystem::path& file);
    ~RunRecord();
    RunRecord(const RunRecord&) = delete;
    RunRecord& operator=(const RunRecord&) = delete;

    /// @return the rows, values as text, NULL as an empty text
    [[nodiscard]] std::vector<Row> query(const std::string& sql) const;
    /// @return the first value of the first row; empty when there is none
    [[nodiscard]] std::string value(const std::string& sql) const;
    /// @return the first value of the first row as a number; 0 when there is none
    [[nodiscard]] long long number(const std::string& sql) const;

private:
    struct Close {
        void operator()(sqlite3* database) const;
    };
    std::filesystem::path m_directory;
    std::unique_ptr<sqlite3, Close> m_database;
};

} // namespace tasuki::testing
