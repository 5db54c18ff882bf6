// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agentlock.h"
#include "database.h"
#include "domain/ids.h"
#include "writertoken.h"

#include <filesystem>

namespace tasuki {

// FULL: a commit waits until the log is on the disk. Workers forget a result once it is committed,
// so a power cut must not take it back; NORMAL would let it. Group commit makes it cheap: one
// synchronisation for all that has gathered.
// The checkpoint threshold trades disk space (16 MiB of log) against fewer pauses.
inline constexpr const char* writerPragmas =
    "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4096; "
    "PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY";

/// Of a record that is shipped: what a power cut takes from it the shipment has. The file stays whole.
inline constexpr const char* shippedPragmas =
    "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4096; "
    "PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY";

/// A run file that is open to be written, with the right to do so.
struct WritableRunFile {
    // In this order: the lock is given back when the file is at rest.
    AgentLock lock;
    Database database;
    RunId run;
};

/// Opens a run file that exists. Nothing is written yet.
/// @return an Error of kind InUse, Foreign, Damaged (all leave the file as it is), System
Result<WritableRunFile> openToWrite(const std::filesystem::path& path);
/// The same whoever has its lock, to succeed an agent that may write no more. Gives up soon while somebody has
/// SQLite's locks.
/// @return as openToWrite(); of another run, or one that is beyond what is wanted, the lock is left alone: Foreign
Result<WritableRunFile> openToSucceed(const std::filesystem::path& path, const RunId& run,
                                      const TokenWish& wish);

/// A record that is to be gone on with is another run's.
Error recordOfAnother(const RunId& found, const RunId& wanted, const std::filesystem::path& path);

/// Opens one that nobody writes, without any lock or memory map.
/// @return an Error of kind Foreign, Damaged or System
Result<Database> openAtRest(const std::filesystem::path& path);

/// Opens one for reading, also while it is written.
/// @return an Error of kind Foreign, Damaged or System
Result<Database> openToRead(const std::filesystem::path& path);

} // namespace tasuki
