// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace tasuki {

/// A prepared SQL statement. Parameters count from 1, columns from 0, as in SQLite.
/// Failures of the bind functions are told by the next step().
class Statement {
public:
    Statement() = default;
    explicit Statement(sqlite3_stmt* handle) : m_handle(handle) {}

    void bind(int parameter, std::int64_t value);
    void bindNull(int parameter);
    /// Binds bytes without copying: they must stay until the statement is reset. Never NULL, also
    /// when empty.
    void bindBlob(int parameter, std::string_view bytes);
    void bindText(int parameter, std::string_view text);

    /// @return SQLITE_ROW, SQLITE_DONE or an error code; Database::lastError() has the words
    int step();
    /// Makes it ready to be bound and stepped again.
    void reset();
    /// step() and reset() for a statement without rows.
    /// @return SQLITE_DONE or an error code
    int run();

    [[nodiscard]] bool isNull(int column) const;
    /// @return SQLITE_NULL, SQLITE_INTEGER, ...
    [[nodiscard]] int type(int column) const;
    [[nodiscard]] std::int64_t integer(int column) const;
    /// The bytes of a text or blob; valid until the next step() or reset().
    [[nodiscard]] std::string_view bytes(int column) const;

private:
    struct Finalize {
        void operator()(sqlite3_stmt* handle) const;
    };
    std::unique_ptr<sqlite3_stmt, Finalize> m_handle;
    int m_bindStatus = 0;
};

/// A connection to one SQLite file. One thread at a time. Destroy its statements first.
class Database {
public:
    enum class Mode : std::uint8_t {
        Create,    ///< read and write, made when missing
        ReadWrite, ///< read and write; read only when the file's permissions do not allow more
        Immutable, ///< read only, without any lock or side file: nobody may write meanwhile
        Unshared,  ///< as Create, without any lock: nobody else knows of it yet
        Temporary, ///< a database of this connection alone, gone with it; the path is for errors only
    };

    /// Opens without reading anything but the file's first bytes, writes nothing.
    /// @param path  absolute; any bytes but NUL
    static Result<Database> open(const std::filesystem::path& path, Mode mode);

    [[nodiscard]] Result<Statement> prepare(std::string_view sql);
    /// Runs statements that have no parameters and whose rows do not matter.
    [[nodiscard]] Result<void> execute(const char* sql);
    /// @return the one integer that a query yields, e.g. "PRAGMA user_version"; 0 for NULL
    [[nodiscard]] Result<std::int64_t> integer(std::string_view sql);

    /// Ends an open transaction without its changes. What made it necessary is told before:
    /// this overwrites lastError().
    void rollBack();

    /// Closing it leaves file and log as they are, as a kill would.
    void leaveLog();
    /// How long another connection may hold the file before that is an Error of kind InUse.
    void setPatience(std::chrono::milliseconds patience = ordinaryPatience);
    /// Only a person's own SQL can: agents are kept apart by AgentLock.
    static constexpr std::chrono::milliseconds ordinaryPatience{10'000};

    /// The failure of the latest call: NoSpace, Damaged, InUse or System, with SQLite's words.
    [[nodiscard]] Error lastError(std::string_view what) const;
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] sqlite3* handle() const { return m_handle.get(); }

private:
    struct Close {
        void operator()(sqlite3* handle) const;
    };
    Database(sqlite3* handle, std::filesystem::path path)
        : m_handle(handle), m_path(std::move(path))
    {}

    std::unique_ptr<sqlite3, Close> m_handle;
    std::filesystem::path m_path;
};

} // namespace tasuki
