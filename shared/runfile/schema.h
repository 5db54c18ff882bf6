// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "database.h"
#include "domain/event.h"

#include <cstdint>

namespace tasuki {

/// SQLite's application_id of a run file: "Tasu" in ASCII.
inline constexpr std::uint32_t runFileApplicationId = 0x54617375;
/// SQLite's user_version of a run file. One more with every change that older programs cannot
/// read; programs refuse all versions but their own.
inline constexpr std::uint32_t runFileVersion = 1;

/// Bits of event.id that hold the sequence; the epoch stands above them.
inline constexpr unsigned sequenceBits = 40;
inline constexpr std::uint64_t sequenceLimit = std::uint64_t{1} << sequenceBits;
inline constexpr std::uint32_t epochLimit = std::uint32_t{1} << (63 - sequenceBits);

/// @return the value of event.id. Precondition: both parts are below their limits.
constexpr std::int64_t rowIdOf(EventId id)
{
    return static_cast<std::int64_t>(std::uint64_t{id.epoch.value()} << sequenceBits
                                     | id.sequence.value());
}

/// @return the event whose row has that id. Precondition: not negative.
constexpr EventId eventIdOf(std::int64_t rowId)
{
    const auto bits = static_cast<std::uint64_t>(rowId);
    return {Epoch(static_cast<std::uint32_t>(bits >> sequenceBits)),
            Sequence(bits & (sequenceLimit - 1))};
}

/// The numbers in event.kind: the places in EventPayload, of the kinds that are not described (domain/eventfields.h).
/// Programs that do not know a kind say that the file is damaged when they meet it: its number means nothing to them.
enum class EventKind : std::uint8_t {
    RunOpened = 0,
    TaskAdded = 1,
    TaskChanged = 2,
    TaskRemoved = 3,
    TaskReopened = 4,
    TaskSkipped = 5,
    ProcessorJoined = 6,
    ProcessorLost = 7,
    AttemptStarted = 8,
    AttemptFinished = 9,
    Notice = 10,
    RunClosed = 11,
    TaskHeld = 12,
    TaskReleased = 13,
    TaskCancelled = 14,
    TaskCancelling = 24,
};

/// Keeps people's SQL from deleting events.
inline constexpr const char* deletionTrigger = R"sql(
CREATE TRIGGER event_is_not_deleted BEFORE DELETE ON event
BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
)sql";

/// Who writes the file: see WriterToken.
inline constexpr const char* writerTable = R"sql(
CREATE TABLE IF NOT EXISTS writer( -- one row: the newest writer; older ones record nothing any more
  one INTEGER PRIMARY KEY CHECK (one = 1),
  epoch INTEGER NOT NULL,
  term INTEGER NOT NULL      -- how often another processor has gone on with the epoch
) STRICT;
)sql";

/// Makes the tables, triggers and views of a run file in an empty database and marks it as one.
/// Its first writer is that of epoch 1.
Result<void> createSchema(Database& database, const RunId& run);

/// Adds the words and views that a run file lacks because an older program made it.
Result<void> completeSchema(Database& database);

/// @return the identity that createSchema() wrote, or an Error of kind Damaged
Result<RunId> readRunId(Database& database);

} // namespace tasuki
