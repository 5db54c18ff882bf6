// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace tasuki::guardian {

/// Forks. This process becomes the watcher: it only waits for the guardian, kills whatever that leaves
/// below it, and ends. So the tasks die with agent and guardian even when both are killed at once. On
/// SIGTERM it kills the guardian first. It holds none of this process's descriptors.
///
/// To be called with signals as a guardian has them, SIGCHLD blocked, by a process without threads.
///
/// @param name  argv[0], which is written over
/// @return in the child, which is the guardian and dies with the watcher; false: it could not be forked,
///         with errno
bool forkGuardian(char* name);

} // namespace tasuki::guardian
