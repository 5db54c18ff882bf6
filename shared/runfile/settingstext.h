// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "database.h"
#include "domain/task.h"

#include <string>
#include <string_view>

namespace tasuki {

/// How settings are written in the run file.

/// Columns: id, the four retry budgets, timeout_ms, directory, environment. Parameter: the greatest
/// id that is left out.
inline constexpr std::string_view selectSettingsSql =
    "SELECT id, retries_exit, retries_signal, retries_timeout, retries_processor_lost, timeout_ms, "
    "directory, environment FROM settings WHERE id > ?1 ORDER BY id";

/// @return the settings in the current row of selectSettingsSql, or an Error of kind Damaged
Result<TaskSettings> settingsOfRow(const Statement& row);

/// @return bytes that are equal for equal settings alone
std::string contentOf(const TaskSettings& settings);

/// @return "name NUL value NUL ...". Names and values hold no NUL: the system could not pass it on. What the
///         table has no column for stands there, too, under names that no variable has: "#time" in
///         milliseconds, "#warn" as SIGNAL@MILLISECONDS, "#seat" as WORLD:RANK, "#log" in MiB.
std::string environmentBytes(const TaskSettings& settings);

} // namespace tasuki
