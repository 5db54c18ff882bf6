// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "openfile.h"
#include "ownerwaiting.h"
#include "shipping.h"

#include <chrono>
#include <filesystem>
#include <optional>

namespace tasuki {

/// A record that is open to be written, wherever it lies.
struct OpenedRecord {
    WritableRunFile file;
    std::filesystem::path named;      ///< the user's name of it, without links
    std::optional<Shipping> shipping; ///< none: it lies there
    WriterToken token;                ///< of this writer
};

/// How a record is to be opened.
struct RecordWish {
    TokenWish token = TokenWish::resume();
    /// None: whatever run it is.
    std::optional<RunId> run = {};
    /// How long an owner on another host must be silent to count as dead.
    std::chrono::milliseconds patience = ownerPatience;
    OwnerWaiting waiting = {};
    /// Whoever has the record may write no more, and is not waited for; needs a run. A file that is locked is
    /// gone on with as a shipment, made of a copy: the other one keeps an old file, and its log.
    bool breaks = false;
};

/// Begins a record under a name.
/// @param path  as RunFileWriter::create()
Result<OpenedRecord> createRecord(const std::filesystem::path& path, const RunId& run);

/// Opens one to go on with it: the best of what is left of it.
///
///   under the name stands | on this node there is                 | goes on with
///   ----------------------+---------------------------------------+------------------------------------
///   a shipment            | the live record of that shipment      | that, and what only the shipment has
///   a shipment            | none, or one of an earlier life       | the shipment
///   an SQLite file        | a live record that goes on behind it  | that
///   an SQLite file        |                                       | the file
///   nothing, or damage    | the live record of that name          | that
///
Result<OpenedRecord> openRecord(const std::filesystem::path& path, const RecordWish& wish);

/// Goes on with an open record under another name, which is free.
Result<OpenedRecord> moveRecord(OpenedRecord& from, const std::filesystem::path& to);

} // namespace tasuki
