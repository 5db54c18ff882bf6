// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/event.h"
#include "domain/runstate.h"
#include "models/processortreemodel.h"
#include "models/systemtree.h"
#include "preferences.h"

#include <QColor>
#include <QFont>
#include <QPalette>

/// Colours of the window. Those of states are those of the timeline; every state has a shape too,
/// see icons.h.
namespace tasuki::theme {

/// Gives the application style and palette. A desktop's own palette tells what the system wants.
void apply(ThemeChoice choice);

[[nodiscard]] QPalette light();
[[nodiscard]] QPalette dark();
[[nodiscard]] bool isDark(const QPalette& palette);

/// Readable as text and as a shape on the palette's base and window colours.
[[nodiscard]] QColor state(TaskState state, const QPalette& palette);
[[nodiscard]] QColor health(ProcessorTreeModel::Health health, const QPalette& palette);
[[nodiscard]] QColor condition(Condition condition, const QPalette& palette);
[[nodiscard]] QColor severity(Severity severity, const QPalette& palette);

/// Backgrounds that carry the palette's text colour.
enum class Tint : std::uint8_t { Information, Warning, Failure, Edited, Conflict };
[[nodiscard]] QColor tint(Tint tint, const QPalette& palette);
/// Outline of what is wrong.
[[nodiscard]] QColor wrong(const QPalette& palette);
/// Text that explains.
[[nodiscard]] QColor dim(const QPalette& palette);

/// For commands and output.
[[nodiscard]] QFont monospace();

} // namespace tasuki::theme
