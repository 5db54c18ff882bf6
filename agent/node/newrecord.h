// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "farmoptions.h"

#include "domain/clock.h"
#include "domain/result.h"
#include "runfile/runfilewriter.h"

#include <string>

namespace tasuki {

/// The record of a run that begins, under the name that it has got.
struct NewRecord {
    RunFileWriter file;
    std::string name; ///< as given, or the usual one, perhaps with the date
};

/// Begins the record of a run: docs/record.md, "The name of a new record".
/// @param now  the date in the name
/// @return an Error of the kinds that RunFileWriter gives; that the name is taken is told as takenName() does
Result<NewRecord> beginRecord(const FarmOptions& options, WallTime now);

/// @param name    of a run file, e.g. "tasks.tasuki"
/// @param number  of those with the same date: from 2 on it stands in the name
/// @return the name with the local time, e.g. "tasks-2026-11-29-103154.tasuki"
std::string datedName(const std::string& name, WallTime at, unsigned number = 1);

/// @return what stands under the name that a run was to be recorded under, and the options by which the same
///         command can be given all the same; of kind Input
Error takenName(const FarmOptions& options, WallTime now);

} // namespace tasuki
