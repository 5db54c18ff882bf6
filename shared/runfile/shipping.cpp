// SPDX-License-Identifier: GPL-3.0-or-later
#include "shipping.h"

#include "openfile.h"
#include "recordmarks.h"
#include "recordsave.h"
#include "schema.h"
#include "shipmentreader.h"

#include <ctime>
#include <utility>

namespace tasuki {

namespace {

constexpr std::size_t frameBytes = std::size_t{1} << 20U;
/// A writer that stood still may have been succeeded: it looks before it goes on.
constexpr std::chrono::seconds ownerCheckPause{1};

std::chrono::nanoseconds timeSinceBoot()
{
    timespec now{};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

std::optional<RunId> runUnder(const std::filesystem::path& named)
{
    if (const auto shipment = ShipmentReader::open(named))
        return shipment->opening().run;
    auto database = openAtRest(named);
    const auto run = database ? readRunId(*database) : Result<RunId>(database.error());
    return run ? std::optional(*run) : std::nullopt;
}

} // namespace

Shipping::Shipping(OwnerClaim claim, LocalPlace place, ShipmentWriter shipment, RowQueries rows,
                   RunId run)
    : m_claim(std::move(claim)),
      m_place(std::move(place)),
      m_shipment(std::move(shipment)),
      m_rows(std::move(rows)),
      m_run(std::move(run)),
      m_told(std::chrono::steady_clock::now()),
      m_checked(timeSinceBoot())
{}

Result<Shipping> Shipping::begin(OwnerClaim claim, LocalPlace place,
                                 const std::filesystem::path& named, Database& record,
                                 const RunId& run)
{
    auto rows = RowQueries::prepare(record);
    if (!rows)
        return rows.error();
    auto copyOf = readCopyOf(record);
    if (!copyOf)
        return copyOf.error();
    auto shipment = ShipmentWriter::create(
        named, {.run = run, .owner = claim.owner(), .copyOf = std::move(*copyOf)});
    if (!shipment)
        return shipment.error();
    Shipping shipping(std::move(claim), std::move(place), std::move(*shipment), std::move(*rows),
                      run);
    if (auto shipped = shipping.addRows(record, {}); !shipped)
        return shipped.error();
    // Before it is published: who finds the shipment finds the live record too.
    if (auto told = shipping.m_place.tellOrigin(
            {.token = shipping.m_claim.owner().token, .named = named.native()});
        !told)
        return told.error();
    if (auto published = shipping.m_shipment.publish(); !published)
        return published.error();
    return shipping;
}

Result<void> Shipping::addRows(Database& record, EventId after)
{
    for (;;) {
        const auto rows = m_rows.read(record, after, frameBytes);
        if (!rows)
            return rows.error();
        if (rows->empty())
            return {};
        if (auto added = m_shipment.add(ShipmentKind::Rows, textOf(*rows)); !added)
            return added;
        after = rows->last;
    }
}

Result<void> Shipping::ship(Database& record, EventId after)
{
    m_before = m_shipment.mark();
    if (timeSinceBoot() - m_checked > ownerCheckPause) {
        if (auto mine = checkOwner(); !mine)
            return mine;
    }
    auto shipped = addRows(record, after);
    if (shipped)
        shipped = m_shipment.sync();
    if (!shipped)
        takeBack();
    else
        m_told = std::chrono::steady_clock::now();
    return shipped;
}

void Shipping::takeBack() { m_shipment.takeBack(m_before); }

Result<void> Shipping::beat()
{
    const auto now = std::chrono::steady_clock::now();
    if (now - m_told < shipmentBeat)
        return {};
    m_told = now;
    if (auto added = m_shipment.add(ShipmentKind::Beat, {}); !added)
        return added;
    return m_shipment.sync();
}

Result<void> Shipping::checkOwner()
{
    auto mine = m_claim.check();
    if (mine) {
        m_checked = timeSinceBoot();
        return mine;
    }
    Error error = mine.error();
    // Somebody may have deleted the file and begun another run under its name.
    if (runUnder(m_shipment.path()).value_or(m_run) != m_run)
        error.kind = ErrorKind::Foreign;
    return error;
}

Result<void> Shipping::close(Database& record)
{
    if (auto added = m_shipment.add(ShipmentKind::Closed, {}); !added)
        return added;
    if (auto synced = m_shipment.sync(); !synced)
        return synced;
    if (auto saved = saveRecord(record, m_shipment.path()); !saved)
        return saved;
    m_place.remove();
    return {};
}

} // namespace tasuki
