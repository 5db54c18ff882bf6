// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <string>

namespace tasuki {

/// @return how a task list is called in messages: its path, or "standard input" for "-"
std::string taskListName(const std::string& path);

/// Reads a whole file, or standard input when the path is "-". Waits for the writer of a FIFO.
/// @return an Error, placed in the file, that says what to do when it is missing, may not be read,
///         is a directory or a device, or does not fit in memory
Result<std::string> readWholeFile(const std::string& path);

} // namespace tasuki
