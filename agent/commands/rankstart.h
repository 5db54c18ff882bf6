// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launchenvironment.h"
#include "startupwatch.h"

#include <optional>

#include <sys/types.h>

namespace tasuki {

class MpiRuntime;

/// What every command that works under mpirun does around the start of MPI: signals wait until the
/// command handles them, so that an interrupt is neither lost nor fatal, and a rank that dies does
/// not leave the others waiting for it.
class RankStart {
public:
    explicit RankStart(const LaunchEnvironment& launch);
    /// All ranks have agreed on whether to begin. No rank may end before.
    void over() { m_watch.reset(); }
    /// Whether a signal has come that waits to be handled.
    [[nodiscard]] static bool signalWaits();
    /// Signals are handled from now on.
    static void releaseSignals();

private:
    std::optional<StartupWatch> m_watch;
};

/// @return rank 0's process, if it is another one on this host; all ranks call this together
std::optional<pid_t> masterOnThisHost(MpiRuntime& mpi);

} // namespace tasuki
