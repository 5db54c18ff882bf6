// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace tasuki {

/// @return the width of the terminal on standard error, 0: it is not a terminal
int ownTerminalColumns();

/// As ownTerminalColumns(), for a processor that was started by mpirun, whose standard error is a
/// pipe in any case: asks what `launch` told, or looks at mpirun's own standard error.
int launchTerminalColumns();

} // namespace tasuki
