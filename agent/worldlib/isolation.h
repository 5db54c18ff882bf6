// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <csignal>
#include <cstdlib>

/// How Open MPI is initialised for a process alone, and quickly.
namespace tasuki::world {

/// Lets Open MPI be initialised for this process alone. What a launcher has set is about its own processes.
/// It makes no files: all that are initialised like this have the same name, and would take them from each other.
void isolateOpenMpi();

/// While it lives, hwloc looks for no graphics cards, which takes longer than all else in MPI_Init.
class WithoutHwlocPlugins {
public:
    WithoutHwlocPlugins() : m_users(std::getenv(variable) != nullptr)
    {
        if (!m_users)
            ::setenv(variable, "/nonexistent", 1);
    }
    WithoutHwlocPlugins(const WithoutHwlocPlugins&) = delete;
    WithoutHwlocPlugins& operator=(const WithoutHwlocPlugins&) = delete;
    ~WithoutHwlocPlugins()
    {
        if (!m_users)
            ::unsetenv(variable);
    }

private:
    static constexpr const char* variable = "HWLOC_PLUGINS_PATH";
    bool m_users; ///< it is the user's
};

/// While it lives, a pipe that is closed at the other end does not end the process: Open MPI's threads may still write to their
/// own when they are stopped.
class PipesMayBreak {
public:
    PipesMayBreak()
    {
        struct sigaction ignore {};
        ignore.sa_handler = SIG_IGN;
        ::sigaction(SIGPIPE, nullptr, &m_before);
        if (m_before.sa_handler == SIG_DFL)
            ::sigaction(SIGPIPE, &ignore, nullptr);
    }
    PipesMayBreak(const PipesMayBreak&) = delete;
    PipesMayBreak& operator=(const PipesMayBreak&) = delete;
    ~PipesMayBreak() { ::sigaction(SIGPIPE, &m_before, nullptr); }

private:
    struct sigaction m_before {};
};

} // namespace tasuki::world
