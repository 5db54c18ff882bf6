// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ids.h"
#include "domain/result.h"
#include "views/preferences.h"
#include "views/runpage.h"

#include <QSize>
#include <QString>
#include <QStringList>

#include <optional>

namespace tasuki {

/// What the command line asks for.
struct Options {
    enum class Wanted : std::uint8_t { Window, Help, Version };

    Wanted wanted = Wanted::Window;
    QString target;       ///< agent, run, trace, environment or topology; empty: the start page
    QString environment;  ///< for a trace; empty: none
    QString measurements; ///< measured runtimes, for a trace; empty: none
    RunView view = RunView::Overview;
    QString screenshot; ///< file; empty: none
    QSize size;         ///< of the window; not valid: the last one
    std::optional<ThemeChoice> theme;
    QString language; ///< empty: as chosen in the settings
    std::optional<TaskId> task;
};

/// Needs no application object.
/// @param arguments  the program's name first
/// @return an Error of kind Input that says what to do
Result<Options> parseOptions(const QStringList& arguments);

/// What --help prints.
QString helpText();
/// What --version prints.
QString versionText();

} // namespace tasuki
