// SPDX-License-Identifier: GPL-3.0-or-later
#include "shipping.h"

#include "recordmarks.h"
#include "recordsave.h"
#include "writercheck.h"

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

} // namespace

Shipping::Shipping(OwnerClaim claim, LocalPlace place, ShipmentWriter shipment, RowQueries rows,
                   RunId run, WriterToken token)
    : m_claim(std::move(claim)),
      m_place(std::move(place)),
      m_shipment(std::move(shipment)),
      m_rows(std::move(rows)),
      m_run(std::move(run)),
      m_token(token),
      m_told(std::chrono::steady_clock::now()),
      m_checked(timeSinceBoot())
{}

Result<Shipping> Shipping::begin(OwnerClaim claim, LocalPlace place,
                                 const std::filesystem::path& named, Database& record,
                                 const RunId& run, WriterToken token)
{
    auto rows = RowQueries::prepare(record);
    if (!rows)
        return rows.error();
    auto copyOf = readCopyOf(record);
    if (!copyOf)
        return copyOf.error();
    RecordOwner owner = claim.owner();
    owner.writer = token;
    auto shipment = ShipmentWriter::create(
        named, {.run = run, .owner = std::move(owner), .copyOf = std::move(*copyOf)});
    if (!shipment)
        return shipment.error();
    Shipping shipping(std::move(claim), std::move(place), std::move(*shipment), std::move(*rows),
                      run, token);
    if (auto shipped = shipping.addRows(record, {}); !shipped)
        return shipped.error();
    // Before it is published: who finds the shipment finds the live record too.
    if (auto told = shipping.m_place.tellOrigin(
            {.token = shipping.m_claim.owner().token, .named = named.native()});
        !told)
        return told.error();
    if (auto mine = shipping.m_claim.check(); !mine)
        return mine.error();
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
    // Behind it: who has succeeded until now may have read the shipment before these rows were there.
    if (shipped)
        shipped = checkOwner();
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
    // In this order: a claim that is given back by now has left a newer record under the name.
    if (mine) {
        mine = checkName();
        if (mine)
            m_checked = timeSinceBoot();
        return mine;
    }
    Error error = mine.error();
    // Somebody may have deleted the file and begun another run under its name.
    const auto there = recordUnder(m_shipment.path());
    if (there && there->run != m_run)
        error.kind = ErrorKind::Foreign;
    return error;
}

/// Anything else that stands under the name than a newer record of the run is no reason to give it up.
Result<void> Shipping::checkName() const
{
    if (m_shipment.name() != ShipmentWriter::Name::Others)
        return {};
    const auto there = recordUnder(m_shipment.path());
    if (!there || there->run != m_run || there->token < m_token)
        return {};
    return goesOnElsewhere(there->token, m_shipment.path());
}

Result<void> Shipping::close(Database& record)
{
    if (auto added = m_shipment.add(ShipmentKind::Closed, {}); !added)
        return added;
    if (auto synced = m_shipment.sync(); !synced)
        return synced;
    if (auto saved = publishRecord(
            record, m_shipment.path(),
            {.mark = m_claim.owner().token, .allowed = [this] { return checkOwner(); }});
        !saved)
        return saved;
    m_place.remove();
    return {};
}

} // namespace tasuki
