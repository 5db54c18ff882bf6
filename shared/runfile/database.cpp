// SPDX-License-Identifier: GPL-3.0-or-later
#include "database.h"

#include "files/recordmode.h"

#include <sqlite3.h>

#include <algorithm>
#include <cerrno>

namespace tasuki {

namespace {

/// The path as a URI: every byte that could mean something there is escaped.
std::string uriOf(const std::filesystem::path& path, std::string_view query)
{
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                       "0123456789/._-~";
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string uri = "file:";
    for (const char c : path.native()) {
        if (plain.find(c) != std::string_view::npos) {
            uri += c;
        } else {
            const auto byte = static_cast<unsigned char>(c);
            uri += {'%', digits[byte >> 4U], digits[byte & 0xFU]};
        }
    }
    uri += query;
    return uri;
}

/// errno of the latest failure of an input or output, as far as SQLite kept it; else 0.
int systemErrorOf(sqlite3* handle)
{
    // The connection keeps it for some failures, the file that is concerned for the others.
    if (const int number = sqlite3_system_errno(handle); number != 0)
        return number;
    for (const int which : {SQLITE_FCNTL_JOURNAL_POINTER, SQLITE_FCNTL_FILE_POINTER}) {
        sqlite3_file* file = nullptr;
        int number = 0;
        if (sqlite3_file_control(handle, "main", which, &file) == SQLITE_OK && file
            && file->pMethods
            && file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &number) == SQLITE_OK
            && number != 0)
            return number;
    }
    return 0;
}

/// SQLite quotes names that stand in the file: in a damaged one they can be any bytes, and neither
/// end the line nor drive a terminal.
std::string oneLine(std::string text)
{
    std::replace_if(
        text.begin(), text.end(),
        [](char c) { return static_cast<unsigned char>(c) < 0x20U || c == '\x7f'; }, '?');
    return text;
}

Error errorOf(sqlite3* handle, const std::filesystem::path& path, std::string_view what)
{
    const int code = handle ? sqlite3_extended_errcode(handle) : SQLITE_NOMEM;
    const int primary = code & 0xFF;
    Error error{.message = std::string(what) + ": "
                    + oneLine(handle ? sqlite3_errmsg(handle) : sqlite3_errstr(code)),
                .place = SourcePlace{.file = path.native()}};
    const bool input = primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN;
    const int systemError = handle && input ? systemErrorOf(handle) : 0;
    if (primary == SQLITE_FULL || systemError == ENOSPC || systemError == EDQUOT
        || systemError == EFBIG) {
        error.kind = ErrorKind::NoSpace;
        error.remedy = "free space on the disk, or raise the quota or file size limit";
    } else if (primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB
               || code == SQLITE_IOERR_SHORT_READ) {
        error.kind = ErrorKind::Damaged;
    } else if (primary == SQLITE_BUSY || primary == SQLITE_LOCKED) {
        error.kind = ErrorKind::InUse;
        error.remedy = "end the program that holds it";
    } else {
        error.kind = ErrorKind::System;
        if (systemError != 0)
            error.message = tasuki::systemError(error.message, systemError).message;
    }
    return error;
}

/// SQLite's own way to files, but for the journals of strangers, which are not there: what stands in one
/// that was not finished would be written into the database.
const char* vfsName()
{
    constexpr auto name = "tasuki";
    static const bool made = [] {
        static sqlite3_vfs* const usual = sqlite3_vfs_find(nullptr);
        static sqlite3_vfs own;
        if (usual == nullptr)
            return false;
        own = *usual;
        own.zName = name;
        own.pNext = nullptr;
        own.xAccess = [](sqlite3_vfs*, const char* path, int flags, int* result) {
            constexpr std::string_view journal = "-journal";
            if (flags == SQLITE_ACCESS_EXISTS && std::string_view(path).ends_with(journal)
                && isOfStranger(path)) {
                *result = 0;
                return SQLITE_OK;
            }
            return usual->xAccess(usual, path, flags, result);
        };
        return sqlite3_vfs_register(&own, 0) == SQLITE_OK;
    }();
    return made ? name : nullptr;
}

} // namespace

void Statement::Finalize::operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }

void Statement::bind(int parameter, std::int64_t value)
{
    m_bindStatus |= sqlite3_bind_int64(m_handle.get(), parameter, value);
}

void Statement::bindNull(int parameter)
{
    m_bindStatus |= sqlite3_bind_null(m_handle.get(), parameter);
}

void Statement::bindBlob(int parameter, std::string_view bytes)
{
    // A null pointer would bind NULL.
    m_bindStatus |= sqlite3_bind_blob64(
        m_handle.get(), parameter, bytes.empty() ? "" : bytes.data(), bytes.size(), SQLITE_STATIC);
}

void Statement::bindText(int parameter, std::string_view text)
{
    m_bindStatus |= sqlite3_bind_text64(m_handle.get(), parameter, text.empty() ? "" : text.data(),
                                        text.size(), SQLITE_STATIC, SQLITE_UTF8);
}

int Statement::step()
{
    // SQLITE_TOOBIG is the one failure that input can cause; others mean a wrong parameter number.
    return m_bindStatus == SQLITE_OK ? sqlite3_step(m_handle.get()) : SQLITE_TOOBIG;
}

void Statement::reset()
{
    sqlite3_reset(m_handle.get());
    m_bindStatus = SQLITE_OK;
}

int Statement::run()
{
    const int code = step();
    if (code != SQLITE_DONE && m_bindStatus == SQLITE_OK) {
        // The reset repeats the failure, so that the connection keeps its words.
        const int repeated = sqlite3_reset(m_handle.get());
        return repeated == SQLITE_OK ? SQLITE_MISUSE : repeated;
    }
    if (m_bindStatus != SQLITE_OK) {
        m_bindStatus = SQLITE_OK;
        return code;
    }
    sqlite3_reset(m_handle.get());
    return SQLITE_DONE;
}

bool Statement::isNull(int column) const
{
    return sqlite3_column_type(m_handle.get(), column) == SQLITE_NULL;
}

int Statement::type(int column) const { return sqlite3_column_type(m_handle.get(), column); }

std::int64_t Statement::integer(int column) const
{
    return sqlite3_column_int64(m_handle.get(), column);
}

std::string_view Statement::bytes(int column) const
{
    // The pointer first: asking for it may convert the value and so change its size.
    const void* data = sqlite3_column_blob(m_handle.get(), column);
    const int size = sqlite3_column_bytes(m_handle.get(), column);
    return data ? std::string_view(static_cast<const char*>(data), static_cast<std::size_t>(size))
                : std::string_view();
}

void Database::Close::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }

Result<Database> Database::open(const std::filesystem::path& path, Mode mode)
{
    int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    std::string name = path.native();
    switch (mode) {
    case Mode::Create: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE; break;
    case Mode::ReadWrite: flags |= SQLITE_OPEN_READWRITE; break;
    case Mode::Immutable:
        flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
        name = uriOf(path, "?immutable=1");
        break;
    case Mode::Unshared:
        flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI;
        name = uriOf(path, "?nolock=1");
        break;
    case Mode::Temporary:
        flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
        name.clear();
        break;
    }
    sqlite3* handle = nullptr;
    const int code = sqlite3_open_v2(name.c_str(), &handle, flags, vfsName());
    Database database(handle, path);
    if (code != SQLITE_OK)
        return errorOf(handle, path, "cannot be opened");
    database.setPatience();
    return database;
}

Result<Statement> Database::prepare(std::string_view sql)
{
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v3(m_handle.get(), sql.data(), static_cast<int>(sql.size()),
                           SQLITE_PREPARE_PERSISTENT, &statement, nullptr)
        != SQLITE_OK)
        return lastError("cannot be read");
    return Statement(statement);
}

Result<void> Database::execute(const char* sql)
{
    if (sqlite3_exec(m_handle.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK)
        return lastError("cannot be used");
    return {};
}

Result<std::int64_t> Database::integer(std::string_view sql)
{
    auto statement = prepare(sql);
    if (!statement)
        return statement.error();
    if (statement->step() != SQLITE_ROW)
        return lastError("cannot be read");
    return statement->integer(0);
}

void Database::rollBack()
{
    // SQLite has rolled back by itself after some failures.
    if (sqlite3_get_autocommit(m_handle.get()) == 0)
        sqlite3_exec(m_handle.get(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Database::leaveLog()
{
    sqlite3_db_config(m_handle.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
}

void Database::setPatience(std::chrono::milliseconds patience)
{
    sqlite3_busy_timeout(m_handle.get(), static_cast<int>(patience.count()));
}

Error Database::lastError(std::string_view what) const
{
    return errorOf(m_handle.get(), m_path, what);
}

} // namespace tasuki
