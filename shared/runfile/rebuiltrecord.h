// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "database.h"
#include "readablerecord.h"
#include "rowqueries.h"
#include "shipmentreader.h"

#include <string>

namespace tasuki {

/// Fills a database with what a shipment has. The database is the caller's, always the same one.
class RebuiltRecord {
public:
    /// Makes the tables. @param database  empty
    static Result<RebuiltRecord> begin(Database& database, const ShipmentOpening& opening);
    /// Goes on with one that has a part of the rows already.
    /// @param last  latest event in it
    static Result<RebuiltRecord> goOn(Database& database, const ShipmentOpening& opening,
                                      EventId last);

    /// Takes all frames that have come, in one transaction.
    /// @param age  gets what they say of it
    Result<void> takeAll(Database& database, ShipmentReader& reader, RecordAge& age);

    [[nodiscard]] const std::string& token() const { return m_token; }
    [[nodiscard]] EventId last() const { return m_last; }

private:
    explicit RebuiltRecord(RowInserts inserts) : m_inserts(std::move(inserts)) {}
    Result<void> take(Database& database, ShipmentReader& reader, RecordAge& age);

    RowInserts m_inserts;
    std::string m_token;
    EventId m_last;
    ShipmentReader::Place m_place; ///< offset 0: nothing has been read yet
};

} // namespace tasuki
