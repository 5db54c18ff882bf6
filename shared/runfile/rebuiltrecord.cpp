// SPDX-License-Identifier: GPL-3.0-or-later
#include "rebuiltrecord.h"

#include "recordmarks.h"
#include "schema.h"

#include <utility>

namespace tasuki {

Result<RebuiltRecord> RebuiltRecord::begin(Database& database, const ShipmentOpening& opening)
{
    if (auto made = createSchema(database, opening.run); !made)
        return made.error();
    if (opening.copyOf) {
        if (auto told = writeCopyOf(database, *opening.copyOf); !told)
            return told.error();
    }
    if (opening.owner.writer.epoch != Epoch()) {
        if (auto told = writeToken(database, opening.owner.writer); !told)
            return told.error();
    }
    return goOn(database, opening, {});
}

Result<RebuiltRecord> RebuiltRecord::goOn(Database& database, const ShipmentOpening& opening,
                                          EventId last)
{
    auto inserts = RowInserts::prepare(database);
    if (!inserts)
        return inserts.error();
    RebuiltRecord rebuilt(std::move(*inserts));
    rebuilt.m_token = opening.owner.token;
    rebuilt.m_last = last;
    return rebuilt;
}

Result<void> RebuiltRecord::takeAll(Database& database, ShipmentReader& reader, RecordAge& age)
{
    if (m_place.offset != 0)
        reader.goTo(m_place);
    age.writer = reader.opening().owner.words();
    if (auto begun = database.execute("BEGIN"); !begun)
        return begun;
    auto done = take(database, reader, age);
    if (done)
        done = database.execute("COMMIT");
    if (!done) {
        database.rollBack();
        return done;
    }
    m_place = reader.place();
    age.asOf = m_place.at;
    return {};
}

Result<void> RebuiltRecord::take(Database& database, ShipmentReader& reader, RecordAge& age)
{
    ShipmentFrame frame;
    std::string content;
    while (reader.next(frame, content)) {
        age.closed = frame.kind == ShipmentKind::Closed;
        if (frame.kind != ShipmentKind::Rows)
            continue;
        const auto rows = shippedRowsOf(content);
        if (!rows)
            return rowsDoNotFollow();
        if (rows->last <= m_last)
            continue;
        if (rows->after != m_last)
            return rowsDoNotFollow();
        if (auto inserted = m_inserts.insert(database, *rows); !inserted)
            return inserted;
        m_last = rows->last;
    }
    return {};
}

} // namespace tasuki
