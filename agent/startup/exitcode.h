// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace tasuki {

/// What a command tells the shell. Documented in docs/guide/options.md and the manual page; scripts rely on it.
enum class ExitCode : int {
    Success = 0,         ///< every task succeeded
    TasksFailed = 1,     ///< a task failed or was skipped
    Wrong = 1,           ///< what was to be checked has errors
    BadInput = 2,        ///< options or the task list are wrong
    RunFileUnusable = 3, ///< exists already, in use, damaged, deleted meanwhile
    Interrupted = 4,     ///< ended early, can be resumed
    NoReport = 5,        ///< everything was killed, or MPI could not be started
    Restart = 6,         ///< a subcluster is down, and the policy is to start again: resume it
    NotSteered = 8, ///< no agent works on the run, or it could not be followed, or gave no answer
    OutputCut = 7,  ///< every task succeeded, not all of their output could be passed on
};

constexpr int toInt(ExitCode code) { return static_cast<int>(code); }

} // namespace tasuki
