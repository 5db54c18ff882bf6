// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/event.h"
#include "domain/runstate.h"
#include "models/processortreemodel.h"
#include "models/systemtree.h"

#include <QIcon>
#include <QString>

/// Icons of the window. They are drawn in the colours of the palette that holds when they are
/// painted, so that one icon serves all themes.
namespace tasuki::icons {

/// @param name  of a file in resources/icons, without extension
QIcon named(const QString& name);
/// Each state has its own shape and colour.
QIcon state(TaskState state);
QIcon health(ProcessorTreeModel::Health health);
QIcon condition(Condition condition);
QIcon severity(Severity severity);
/// The program's own.
QIcon application();

} // namespace tasuki::icons
