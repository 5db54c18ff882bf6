// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include <sys/types.h>

namespace tasuki {

/// What Open MPI keeps in files for the ranks of one launch on this host, and leaves there when mpirun is
/// killed: a segment of shared memory for each rank (4 MiB), and mpirun's session directory. Which they
/// are is told by what the ranks have mapped, so that nobody else's are ever touched.
class MpiRemains {
public:
    /// Notes what a process has mapped. One that has gone, or may not be looked at, has nothing.
    void note(pid_t process);
    /// @param maps  content of /proc/PID/maps
    void noteMaps(std::string_view maps);
    /// Whether anything is noted: the ranks of a launch share directory and names.
    [[nodiscard]] bool any() const { return !m_segments.empty() || !m_sessions.empty(); }
    /// Removes what is there of it and belongs to this user. For when mpirun, who does that at its end,
    /// was killed: the ranks end then, too.
    void remove() const;

private:
    std::set<std::string> m_segments; ///< paths up to the number of the rank
    std::set<std::filesystem::path> m_sessions;
};

} // namespace tasuki
