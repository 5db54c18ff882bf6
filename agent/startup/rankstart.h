// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launchenvironment.h"
#include "startupwatch.h"

#include "domain/result.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

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

/// Tells, on the first rank alone, what is wrong with the options, or the help that was asked for.
/// Where options are wrong, the first rank ends here as leaveQuietly() does.
/// @param helpText  makes its text
/// @return the exit code of a command that ends with this; none: it goes on
template <class Options>
std::optional<int> endsWithOptions(const LaunchEnvironment& launch, const Result<Options>& options,
                                   const std::function<std::string()>& helpText)
{
    if (options && !options->help)
        return std::nullopt;
    return endWithOptions(launch, options ? std::nullopt : std::optional(options.error()),
                          helpText);
}
int endWithOptions(const LaunchEnvironment& launch, const std::optional<Error>& wrong,
                   const std::function<std::string()>& helpText);

/// Starts MPI. @return null: it could not be started, which has been told
std::unique_ptr<MpiRuntime> startMpi(int& argc, char**& argv);

/// Leaves MPI together with all ranks when one of them cannot begin; on the first rank this does not
/// return under a plain mpirun.
/// @param code  of the first rank
/// @return this rank's exit code
int leaveUnready(MpiRuntime& mpi, const LaunchEnvironment& launch, int code);

/// @return rank 0's process, if it is another one on this host; all ranks call this together
std::optional<pid_t> masterOnThisHost(MpiRuntime& mpi);

} // namespace tasuki
