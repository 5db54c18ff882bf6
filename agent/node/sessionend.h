// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

namespace tasuki {

/// How a processor's part in a run ended.
struct SessionEnd {
    int exitCode = 0;
    bool leads = false;     ///< its exit code is that of the run
    bool losses = false;    ///< a processor may not be there any more: do not wait for it
    bool abandoned = false; ///< the run was given up because master or launcher are gone
    bool givenUp = false;   ///< by the other processors, which may go on with the run
    /// Tasks are left: the job in which it runs is to be started again,
    bool requeue = false;
    /// but only if Slurm wants the job's place: the run was interrupted, not its allocation over.
    bool onlyIfPreempted = false;
    /// How long the membership agent is to tell the others that this processor leaves, of its own
    /// accord and with its tasks dead: on other hosts nobody sees its end, and they would wait for
    /// its lease.
    std::chrono::milliseconds farewell{};
};

} // namespace tasuki
