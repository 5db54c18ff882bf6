// SPDX-License-Identifier: GPL-3.0-or-later
#include "writertoken.h"

#include "schema.h"

#include <sqlite3.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace tasuki {

namespace {

constexpr std::string_view tokenQuery = "SELECT epoch, term FROM writer WHERE one = 1";

Error damagedToken(const Database& database)
{
    return about(database.path(), ErrorKind::Damaged,
                 "is damaged: what it says of its writer is no epoch and term");
}

/// @return none: there is no row
Result<std::optional<WriterToken>> tokenOf(Database& database, Statement& query)
{
    const int code = query.step();
    if (code == SQLITE_DONE) {
        query.reset();
        return std::optional<WriterToken>();
    }
    if (code != SQLITE_ROW) {
        Error error = database.lastError("cannot be read");
        query.reset();
        return error;
    }
    const std::int64_t epoch = query.integer(0);
    const std::int64_t term = query.integer(1);
    query.reset();
    if (epoch < 0 || epoch >= epochLimit || term < 0
        || term >= std::numeric_limits<std::uint32_t>::max())
        return damagedToken(database);
    return std::optional(WriterToken{Epoch(static_cast<std::uint32_t>(epoch)),
                                     Term(static_cast<std::uint32_t>(term))});
}

Result<WriterToken> raise(Database& database, const TokenWish& wish, WriterToken known)
{
    if (auto begun = database.execute("BEGIN IMMEDIATE"); !begun)
        return begun.error();
    const auto present = readToken(database);
    if (!present)
        return present;
    const auto token = wish.after(std::max(*present, known));
    if (!token)
        return about(database.path(), token.error());
    if (auto written = writeToken(database, *token); !written)
        return written.error();
    if (auto done = database.execute("COMMIT"); !done)
        return done.error();
    return *token;
}

} // namespace

std::string wordsOf(WriterToken token)
{
    return "epoch " + std::to_string(token.epoch.value()) + ", term "
        + std::to_string(token.term.value());
}

Error goesOnElsewhere(WriterToken newer, const std::string& file)
{
    return about(file, ErrorKind::InUse, "this run goes on elsewhere as " + wordsOf(newer),
                 "leave the run to that writer");
}

Result<WriterToken> TokenWish::after(WriterToken present) const
{
    if (m_kept) {
        if (present > *m_kept)
            return goesOnElsewhere(present, {});
        return *m_kept;
    }
    if (!m_epoch)
        return WriterToken{present.epoch.next(), {}};
    if (present.epoch > *m_epoch)
        return Error{.kind = ErrorKind::Foreign,
                     .message = "is in epoch " + std::to_string(present.epoch.value())
                         + " by now, not " + std::to_string(m_epoch->value())
                         + ": somebody has resumed the run",
                     .remedy = "leave the run to that launch"};
    return WriterToken{*m_epoch, present.epoch == *m_epoch ? present.term.next() : Term(1)};
}

Result<WriterToken> readToken(Database& database)
{
    const auto there = database.integer(
        "SELECT count(*) FROM sqlite_schema WHERE name = 'writer' AND type = 'table'");
    if (!there)
        return there.error();
    const auto last = database.integer("SELECT max(id) FROM event");
    if (!last)
        return last.error();
    const WriterToken byEvents{eventIdOf(std::max<std::int64_t>(*last, 0)).epoch, {}};
    if (*there == 0)
        return byEvents;
    auto query = database.prepare(tokenQuery);
    if (!query)
        return query.error();
    const auto token = tokenOf(database, *query);
    if (!token)
        return token.error();
    return std::max(token->value_or(byEvents), byEvents);
}

Result<WriterToken> raiseToken(Database& database, const TokenWish& wish, WriterToken known)
{
    auto token = raise(database, wish, known);
    if (!token)
        database.rollBack();
    return token;
}

Result<void> writeToken(Database& database, WriterToken token)
{
    if (auto made = database.execute(writerTable); !made)
        return made;
    auto row = database.prepare("INSERT OR REPLACE INTO writer VALUES(1, ?1, ?2)");
    if (!row)
        return row.error();
    row->bind(1, token.epoch.value());
    row->bind(2, token.term.value());
    return row->run() == SQLITE_DONE ? Result<void>() : database.lastError("cannot be written");
}

Result<TokenFence> TokenFence::prepare(Database& database, WriterToken token)
{
    // Written anew by each commit: whatever becomes of the row, a file says by whom it was written last.
    auto write = database.prepare(
        "UPDATE writer SET epoch = ?1, term = ?2 WHERE one = 1 AND (epoch, "
        "term) <= (?1, ?2)");
    if (!write)
        return write.error();
    auto read = database.prepare(tokenQuery);
    if (!read)
        return read.error();
    TokenFence fence;
    fence.m_token = token;
    fence.m_write = std::move(*write);
    fence.m_read = std::move(*read);
    fence.m_write.bind(1, token.epoch.value());
    fence.m_write.bind(2, token.term.value());
    return fence;
}

Result<std::optional<WriterToken>> TokenFence::hold(Database& database)
{
    if (m_write.run() != SQLITE_DONE)
        return database.lastError("cannot be written");
    if (sqlite3_changes(database.handle()) == 1)
        return std::optional<WriterToken>();
    auto newer = tokenOf(database, m_read);
    if (newer && !*newer)
        return damagedToken(database);
    return newer;
}

Result<std::optional<WriterToken>> TokenFence::look(Database& database)
{
    auto now = tokenOf(database, m_read);
    if (now && *now && **now <= m_token)
        return std::optional<WriterToken>();
    return now;
}

} // namespace tasuki
