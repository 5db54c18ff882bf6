// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "plan/launchbundle.h"

namespace tasuki::planner {

struct BundleOutcome {
    QString problem;  ///< why it was not written, for people; empty: it was
    QString script;   ///< path of what starts the program
    QString warnings; ///< for people; may be empty
};

/// Writes a bundle's files into a folder: rankfile, machinefile and the executable script `run`.
BundleOutcome writeBundleFiles(const QString& folder, const plan::LaunchBundle& bundle);

} // namespace tasuki::planner
