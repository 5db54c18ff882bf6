// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"
#include "domain/ids.h"
#include "domain/recordrows.h"
#include "recordowner.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tasuki {

/// A shipment is what stands under a run file's name while the record is written elsewhere: a file that
/// only grows, of frames. It begins with shipmentMagic and the frame Opening. A reader takes the frames
/// that are whole and in sequence; what comes behind them is not there yet, or not any more.
///
///   frame:  mark 4 | kind 4 | bytes of the content 8 | number 8 | time 8 | check sum 8 | content
///
/// Numbers count from 0, have their low byte first; the time is in microseconds since 1970, by the clock of
/// the writer; the check sum is XXH3 over the content, seeded with that of what stands before it.
inline constexpr std::string_view shipmentMagic("Tasuki shipment\0", 16);
inline constexpr std::size_t shipmentFrameHead = 40;
/// Longer frames are damaged ones.
inline constexpr std::uint64_t shipmentFrameLimit = std::uint64_t{1} << 31U;

enum class ShipmentKind : std::uint32_t {
    Opening = 1, ///< run, owner, and of what the record is a copy
    Rows = 2,    ///< rows of a record, as RecordRows
    Beat = 3,    ///< the writer lives
    Closed = 4, ///< the writer has ended in order; an SQLite file is about to take this one's place
};

struct ShipmentFrame {
    ShipmentKind kind = ShipmentKind::Beat;
    std::uint64_t number = 0;
    WallTime at{};
    std::uint64_t bytes = 0; ///< of the content
    std::uint64_t checkSum = 0;
};

/// What the frame Opening says.
struct ShipmentOpening {
    RunId run;
    RecordOwner owner;
    std::optional<RecordPlace> copyOf = {};
};

/// @return the head of a frame with this content; the frame's own size and check sum do not matter
std::string shipmentHead(const ShipmentFrame& frame, std::string_view content);
/// @return none: not a frame's head. Precondition: shipmentFrameHead bytes
std::optional<ShipmentFrame> shipmentFrameOf(std::string_view head);
bool isWhole(std::string_view head, const ShipmentFrame& frame, std::string_view content);

std::string textOf(const ShipmentOpening& opening);
std::optional<ShipmentOpening> shipmentOpeningOf(std::string_view text);
std::string textOf(const RecordRows& rows);
std::optional<RecordRows> shippedRowsOf(std::string_view text);

} // namespace tasuki
