// SPDX-License-Identifier: GPL-3.0-or-later
#include "fileheader.h"

#include "schema.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <string>
#include <system_error>

namespace tasuki {

namespace {

// The database header of the SQLite file format, all numbers big-endian.
constexpr std::size_t headerSize = 100;
constexpr std::string_view magic("SQLite format 3\0", 16);
constexpr std::size_t pageSizeAt = 16;
constexpr std::size_t changeCounterAt = 24;
constexpr std::size_t pageCountAt = 28;
constexpr std::size_t userVersionAt = 60;
constexpr std::size_t applicationIdAt = 68;
constexpr std::size_t pageCountValidForAt = 92;

using Header = std::array<unsigned char, headerSize>;

std::uint32_t number(const Header& header, std::size_t at, std::size_t bytes)
{
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i)
        value = value << 8U | header[at + i];
    return value;
}

struct Opened {
    Header header{};
    std::uint64_t size = 0;
};

Result<Opened> readHeader(const Database& database)
{
    sqlite3_file* file = nullptr;
    const int found = sqlite3_file_control(database.handle(), "main", SQLITE_FCNTL_FILE_POINTER,
                                           &file);
    sqlite3_int64 size = 0;
    if (found != SQLITE_OK || !file || !file->pMethods
        || file->pMethods->xFileSize(file, &size) != SQLITE_OK)
        return about(database.path(), ErrorKind::System, "cannot be read");
    Opened opened{.size = static_cast<std::uint64_t>(size)};
    const auto length = std::min<sqlite3_int64>(size, headerSize);
    if (file->pMethods->xRead(file, opened.header.data(), static_cast<int>(length), 0) != SQLITE_OK)
        return about(database.path(), ErrorKind::System, "cannot be read");
    return opened;
}

} // namespace

Result<std::filesystem::path> locateRunFile(const std::filesystem::path& path)
{
    std::error_code error;
    auto real = std::filesystem::canonical(path, error);
    const auto status = error ? std::filesystem::file_status()
                              : std::filesystem::status(real, error);
    if (error)
        return about(path, systemError("cannot be opened", error.value()));
    if (std::filesystem::is_directory(status))
        return about(path, ErrorKind::Input, "is a directory", "name a run file (NAME.tasuki)");
    if (!std::filesystem::is_regular_file(status))
        return about(path, ErrorKind::Input, "is not a regular file");
    if (std::filesystem::file_size(real, error) == 0 && !error)
        return about(path, ErrorKind::Foreign, "is empty, not a run file",
                     "remove it to start a new run under this name");
    return real;
}

Result<void> checkHeader(const Database& database)
{
    const auto opened = readHeader(database);
    if (!opened)
        return opened.error();
    const Header& header = opened->header;
    const auto& path = database.path();
    const std::size_t known = std::min<std::size_t>(opened->size, magic.size());
    // SQLite takes a file of one byte for empty.
    if (known == 0
        || !std::equal(magic.begin(), magic.begin() + static_cast<std::ptrdiff_t>(known),
                       header.begin(),
                       [](char a, unsigned char b) { return static_cast<unsigned char>(a) == b; }))
        return about(path, ErrorKind::Foreign, "is not a run file of Tasuki");
    if (opened->size < headerSize)
        return about(path, ErrorKind::Damaged,
                     "is truncated: " + std::to_string(opened->size) + " bytes are left");
    if (number(header, applicationIdAt, 4) != runFileApplicationId)
        return about(path, ErrorKind::Foreign,
                     "is an SQLite database of another program, not a "
                     "run file of Tasuki");
    const std::uint32_t version = number(header, userVersionAt, 4);
    if (version != runFileVersion)
        return about(path, ErrorKind::Foreign,
                     "has format version " + std::to_string(version) + ", this program knows "
                         + std::to_string(runFileVersion),
                     "use the version of Tasuki that wrote it");
    return {};
}

Result<void> checkSize(const Database& database)
{
    const auto opened = readHeader(database);
    if (!opened)
        return opened.error();
    const Header& header = opened->header;
    // 1 stands for 65536, which two bytes cannot hold.
    const std::uint32_t field = number(header, pageSizeAt, 2);
    const std::uint64_t pageSize = field == 1 ? 65536 : field;
    const std::uint64_t pages = number(header, pageCountAt, 4);
    const bool counted = number(header, changeCounterAt, 4)
        == number(header, pageCountValidForAt, 4);
    const bool whole = pageSize != 0 && opened->size % pageSize == 0
        && (!counted || pages * pageSize <= opened->size);
    // A checkpoint that is under way or was cut off leaves such a file too; its log completes it.
    if (whole || hasWriteAheadLog(database.path()))
        return {};
    return about(database.path(), ErrorKind::Damaged,
                 "is truncated: " + std::to_string(opened->size) + " of "
                     + std::to_string(pages * pageSize) + " bytes are left",
                 "restore it from a copy");
}

bool hasWriteAheadLog(const std::filesystem::path& path)
{
    std::filesystem::path log = path;
    log += "-wal";
    std::error_code error;
    const auto size = std::filesystem::file_size(log, error);
    return !error && size > 0;
}

} // namespace tasuki
