// SPDX-License-Identifier: GPL-3.0-or-later
#include "recordmarks.h"

#include "schema.h"

#include <sqlite3.h>

#include <algorithm>
#include <limits>

namespace tasuki {

namespace {

constexpr std::string_view hostOfOriginal = "original_host";
constexpr std::string_view pathOfOriginal = "original_path";

Result<std::optional<std::string>> readMeta(Database& database, std::string_view name)
{
    auto meta = database.prepare("SELECT CAST(value AS BLOB) FROM meta WHERE name = ?1");
    if (!meta)
        return meta.error();
    meta->bindText(1, name);
    const int code = meta->step();
    if (code == SQLITE_DONE)
        return std::optional<std::string>();
    if (code != SQLITE_ROW)
        return database.lastError("cannot be read");
    return std::optional<std::string>(meta->bytes(0));
}

} // namespace

Result<std::optional<RecordMark>> markAtOrBefore(Database& database, std::int64_t row)
{
    auto query = database.prepare("SELECT id, wall_us, mono_ns FROM event WHERE id <= ?1 AND id "
                                  ">= 0 ORDER BY id DESC LIMIT 1");
    if (!query)
        return query.error();
    query->bind(1, row);
    const int code = query->step();
    if (code == SQLITE_DONE)
        return std::optional<RecordMark>();
    if (code != SQLITE_ROW)
        return database.lastError("cannot be read");
    return std::optional(
        RecordMark{.id = eventIdOf(query->integer(0)),
                   .wallTime = WallTime(std::chrono::microseconds(query->integer(1))),
                   .monotonic = std::chrono::nanoseconds(query->integer(2))});
}

Result<std::optional<RecordMark>> latestMark(Database& database)
{
    return markAtOrBefore(database, std::numeric_limits<std::int64_t>::max());
}

Result<std::vector<RecordMark>> ladderOfMarks(Database& database)
{
    std::vector<RecordMark> marks;
    const auto first = database.integer("SELECT min(id) FROM event");
    if (!first)
        return first.error();
    std::int64_t row = std::numeric_limits<std::int64_t>::max();
    for (std::int64_t step = 1; marks.empty() || row >= *first; step *= 2) {
        const auto mark = markAtOrBefore(database, row);
        if (!mark)
            return mark.error();
        if (!*mark)
            return marks;
        marks.push_back(**mark);
        const std::int64_t at = rowIdOf((*mark)->id);
        row = at == *first ? -1 : std::max(at - step, *first);
    }
    return marks;
}

Result<void> writeCopyOf(Database& database, const RecordPlace& original)
{
    auto meta = database.prepare("INSERT OR REPLACE INTO meta VALUES(?1, ?2)");
    if (!meta)
        return meta.error();
    for (const auto& [name, value] :
         {std::pair{hostOfOriginal, &original.host}, {pathOfOriginal, &original.path}}) {
        meta->bindText(1, name);
        meta->bindText(2, *value);
        if (meta->run() != SQLITE_DONE)
            return database.lastError("cannot be written");
    }
    return {};
}

Result<std::optional<RecordPlace>> readCopyOf(Database& database)
{
    auto host = readMeta(database, hostOfOriginal);
    auto path = readMeta(database, pathOfOriginal);
    if (!host || !path)
        return !host ? host.error() : path.error();
    if (!*path)
        return std::optional<RecordPlace>();
    return std::optional(
        RecordPlace{.host = host->value_or(std::string()), .path = std::move(**path)});
}

} // namespace tasuki
