// SPDX-License-Identifier: GPL-3.0-or-later
#include "runrecord.h"

#include <cstdlib>
#include <sqlite3.h>
#include <stdexcept>
#include <string_view>

namespace tasuki::testing {

namespace {

std::filesystem::path makeDirectory()
{
    std::string name = (std::filesystem::temp_directory_path() / "tasuki-record.XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
        throw std::runtime_error("cannot make a directory for the copy of a run file");
    }
    return name;
}

struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

} // namespace

void RunRecord::Close::operator()(sqlite3* database) const { sqlite3_close(database); }

RunRecord::RunRecord(const std::filesystem::path& file) : m_directory(makeDirectory())
{
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path copy = m_directory / "record.tasuki";
    fs::copy_file(file, copy, error);
    // What was committed last may stand in the write-ahead log alone.
    fs::path log = file;
    log += "-wal";
    if (!error && fs::exists(log)) {
        fs::path copiedLog = copy;
        copiedLog += "-wal";
        fs::copy_file(log, copiedLog, error);
    }
    sqlite3* database = nullptr;
    if (!error) {
        const int status = sqlite3_open_v2(copy.c_str(), &database, SQLITE_OPEN_READWRITE, nullptr);
        m_database.reset(database);
        if (status == SQLITE_OK) {
            return;
        }
    }
    fs::remove_all(m_directory, error);
    throw std::runtime_error("cannot read the run file " + file.string());
}

RunRecord::~RunRecord()
{
    m_database.reset();
    std::error_code ignored;
    std::filesystem::remove_all(m_directory, ignored);
}

std::vector<RunRecord::Row> RunRecord::query(const std::string& sql) const
{
    sqlite3_stmt* raw = nullptr;
    int status = sqlite3_prepare_v2(m_database.get(), sql.c_str(), -1, &raw, nullptr);
    const std::unique_ptr<sqlite3_stmt, Finalize> statement(raw);
    std::vector<Row> rows;
    while (status == SQLITE_OK || status == SQLITE_ROW) {
        status = sqlite3_step(raw);
        if (status != SQLITE_ROW) {
            break;
        }
        Row row;
        for (int column = 0; column < sqlite3_column_count(raw); ++column) {
            const void* bytes = sqlite3_column_blob(raw, column);
            const auto size = static_cast<std::size_t>(sqlite3_column_bytes(raw, column));
            row.emplace_back(bytes == nullptr
                                 ? std::string_view()
                                 : std::string_view(static_cast<const char*>(bytes), size));
        }
        rows.push_back(std::move(row));
    }
    if (status != SQLITE_DONE) {
        throw std::runtime_error(std::string(sqlite3_errmsg(m_database.get())) + " in: " + sql);
    }
    return rows;
}

std::string RunRecord::value(const std::string& sql) const
{
    const auto rows = query(sql);
    return rows.empty() || rows.front().empty() ? std::string() : rows.front().front();
}

long long RunRecord::number(const std::string& sql) const
{
    const std::string text = value(sql);
    return text.empty() ? 0 : std::stoll(text);
}

} // namespace tasuki::testing
