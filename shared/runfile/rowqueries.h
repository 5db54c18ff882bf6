// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "database.h"
#include "domain/recordrows.h"
#include "rowtext.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace tasuki {

/// Takes rows out of a record for another one.
class RowQueries {
public:
    /// @param database  outlives this, at the same place in memory or moved
    static Result<RowQueries> prepare(Database& database);

    /// The events that come next, with all that belongs to them.
    /// @param bytes  about how much is wanted; one event at least, if there is one
    Result<RecordRows> read(Database& database, EventId after, std::size_t bytes);

private:
    /// One that is missing is told by whoever reads the event.
    void addSettings(std::int64_t id, std::string& out);

    Statement m_settings;
    Statement m_events;
    Statement m_outputs;
    Statement m_details;
};

/// Puts such rows into a record.
class RowInserts {
public:
    static Result<RowInserts> prepare(Database& database);

    /// Within a transaction that is the caller's.
    /// @return an Error of kind Protocol for rows that do not follow each other or are malformed
    Result<void> insert(Database& database, const RecordRows& rows);

private:
    std::array<Statement, rowShapes.size()> m_inserts;
};

/// @return that rows do not begin where those before them end
Error rowsDoNotFollow();

} // namespace tasuki
