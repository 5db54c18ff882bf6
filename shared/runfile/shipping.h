// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "database.h"
#include "ownerclaim.h"
#include "recordsite.h"
#include "rowqueries.h"
#include "shipmentwriter.h"

#include <chrono>
#include <filesystem>
#include <optional>

namespace tasuki {

/// How often a writer that records nothing tells that it lives.
inline constexpr std::chrono::milliseconds shipmentBeat{2'000};

/// The way of a record, which is written on this node, to the name that the user gave. One thread at a time.
class Shipping {
public:
    /// Ships all that the record has, and puts the shipment under its name.
    /// @param claim  on that name
    /// @param token  of this writer
    /// @param place  where the record lies; is told of which shipment it is from now on
    static Result<Shipping> begin(OwnerClaim claim, LocalPlace place,
                                  const std::filesystem::path& named, Database& record,
                                  const RunId& run, WriterToken token);

    /// Ships what comes after an event; within the transaction that adds it, so that nothing is in the
    /// record that is not in the shipment. When it returns that is on the disk, and whoever succeeds this
    /// writer finds it there: it was still the owner afterwards.
    /// @return an Error; nothing was shipped then, or nobody is to be told of it: see checkOwner()
    Result<void> ship(Database& record, EventId after);
    /// Takes back what the latest ship() has done: its transaction has failed.
    void takeBack();
    /// Tells that the writer lives, unless something else has told that lately.
    Result<void> beat();
    /// Looks at the claim, and at what stands under the name.
    /// @return an Error of kind InUse: another one goes on with this run; Foreign: with something else
    Result<void> checkOwner();
    [[nodiscard]] ShipmentWriter::Name name() const { return m_shipment.name(); }
    [[nodiscard]] const LocalPlace& place() const { return m_place; }

    /// Puts the record itself, as a plain SQLite file, into the shipment's place, and removes the one of
    /// this node.
    /// @return an Error: the shipment stays, and has everything
    Result<void> close(Database& record);

private:
    Shipping(OwnerClaim claim, LocalPlace place, ShipmentWriter shipment, RowQueries rows,
             RunId run, WriterToken token);
    Result<void> checkName() const;
    Result<void> addRows(Database& record, EventId after);

    OwnerClaim m_claim; ///< given back last
    LocalPlace m_place;
    ShipmentWriter m_shipment;
    RowQueries m_rows;
    RunId m_run;
    WriterToken m_token;
    ShipmentWriter::Mark m_before; ///< of the latest ship()
    std::chrono::steady_clock::time_point m_told{};
    std::chrono::nanoseconds
        m_checked{}; ///< when the claim was, on a clock that counts suspended time
};

} // namespace tasuki
