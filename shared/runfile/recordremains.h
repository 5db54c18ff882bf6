// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "openfile.h"
#include "recordsite.h"

#include <filesystem>

namespace tasuki {

/// Makes an empty place of this node for a record, whatever there was.
Result<void> makePlace(const LocalPlace& place);

/// Opens the best of what is left of a record that is claimed, in a place of this node: see openRecord().
/// @param held  of this run, and by somebody who may write no more: its locks are no obstacle. Null: they are
Result<WritableRunFile> whatIsLeftOf(const std::filesystem::path& named,
                                     const std::filesystem::path& localRecords, const RunId* held);

} // namespace tasuki
