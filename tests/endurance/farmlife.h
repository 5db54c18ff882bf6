// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "processes.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tasuki::testing {

/// How a life of the farm is started.
enum class Starter { Mpirun, Launch };

/// One life of a farm: a started launcher and everything below it. Its processes are recognised by
/// a variable in their environment that no other life has. Kills what is left on destruction.
class FarmLife {
public:
    /// @param directory  in which the farm runs; its output is added to files there
    /// @param arguments  from the subcommand on
    /// @param launcherOptions  more options of mpirun
    FarmLife(Starter starter, int ranks, const std::filesystem::path& directory,
             const std::vector<std::string>& arguments,
             const std::vector<std::string>& launcherOptions = {});
    ~FarmLife();
    FarmLife(const FarmLife&) = delete;
    FarmLife& operator=(const FarmLife&) = delete;

    struct Processes {
        std::vector<pid_t> launch; ///< tasuki-agent launch
        std::vector<pid_t> mpirun;
        std::vector<pid_t> ranks; ///< in no order
        pid_t rankZero = 0;       ///< 0: does not live
        std::vector<pid_t> guardians;
        std::vector<ProcessInfo> tasks;
    };
    [[nodiscard]] Processes processes() const;
    [[nodiscard]] std::vector<ProcessInfo> all() const;
    /// @return the agents of the processors that live, by their numbers in the launch
    [[nodiscard]] std::map<int, pid_t> agents() const;

    /// Takes the started process's end, if it has ended.
    /// @return exit code, 128 + signal, or nothing while it lives
    std::optional<int> ended();
    /// Interrupts the started process, as Ctrl-C does.
    void interrupt() const;
    /// Waits for the end of the started process and of everything below it.
    /// @return false after the time limit
    bool waitForEverything(std::chrono::milliseconds limit);

private:
    std::string m_mark;
    pid_t m_pid = -1;
    std::optional<int> m_status;
};

} // namespace tasuki::testing
