// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "process/shellenvironment.h"

#include <optional>

#include <sys/types.h>

namespace tasuki {

/// The environment for tasks: that of the user's shell, or of the allocation, as far as it can be told.
/// Call it before MPI is started, which adds to the environment of the process.
///
/// On the host of `launch` or mpirun it is known what they were started with. On other hosts it is
/// what their daemons give, without what launchers are known to set, but for what `launch` has told.
///
/// @param supervisor  `launch`, when it is on this host
EnvironmentEntries userShell(std::optional<pid_t> supervisor);

} // namespace tasuki
