// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"
#include "readablerecord.h"

#include <filesystem>
#include <optional>
#include <string>

namespace tasuki {

/// Whether a process writes a record now, told without changing anything.
/// @param age  of what is read under that name, as ReadableRecord tells
/// @return which one, for people: "process 12 on grid01"; none: nobody is known to
std::optional<std::string> livingWriter(const std::filesystem::path& runFile,
                                        const std::optional<RecordAge>& age, WallTime now);

} // namespace tasuki
