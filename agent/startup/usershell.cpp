// SPDX-License-Identifier: GPL-3.0-or-later
#include "usershell.h"

#include "files/streamtext.h"
#include "launch/launchvariables.h"
#include "process/processtable.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>

#include <unistd.h>

namespace tasuki {

namespace {

/// What people call; names as the system shows them, with 15 characters at most.
constexpr std::array<std::string_view, 5> launchers{"mpirun", "orterun", "mpiexec", "prterun",
                                                    "mpiexec.hydra"};
/// What these start on each host; how they were started tells nothing of the user.
constexpr std::array<std::string_view, 6> daemons{
    "orted", "prted", "prte", "hydra_pmi_proxy", "hydra_bstrap_pr", "slurmstepd"};
constexpr int mostAncestors = 64;

std::string processFile(pid_t pid, const char* name)
{
    std::ifstream file("/proc/" + std::to_string(pid) + '/' + name, std::ios::binary);
    return textOf(file); // nothing, when it ends meanwhile
}

bool named(const ProcessEntry& process, std::span<const std::string_view> names)
{
    return std::ranges::find(names, std::string_view(process.name)) != names.end();
}

/// @return the first of the launcher's processes that this one descends from, if it is on this host
std::optional<pid_t> launcherAbove()
{
    std::optional<pid_t> found;
    pid_t pid = ::getppid();
    for (int level = 0; level < mostAncestors && pid > 1; ++level) {
        const std::optional<ProcessEntry> process = parseProcessStat(processFile(pid, "stat"));
        if (!process)
            return std::nullopt;
        if (named(*process, daemons))
            return std::nullopt;
        if (named(*process, launchers))
            found = pid;
        else if (found) // before that there may be the user's own script
            return found;
        pid = process->parent;
    }
    return found;
}

/// @return where a launcher was told, or takes it, that Open MPI is installed
std::string installationOf(pid_t launcher)
{
    const EnvironmentEntries words = parseEnvironment(processFile(launcher, "cmdline"));
    for (std::size_t i = 1; i + 1 < words.size(); ++i) {
        if (words[i] == "--prefix" || words[i] == "-prefix")
            return words[i + 1];
    }
    // Called by its path, it takes that for the place of its installation.
    const std::string path = words.empty() ? std::string() : words.front();
    const auto programs = path.rfind("/bin/");
    return path.starts_with('/') && programs != std::string::npos ? path.substr(0, programs)
                                                                  : std::string();
}

} // namespace

EnvironmentEntries userShell(std::optional<pid_t> supervisor)
{
    ShellSources sources{.own = ownEnvironment(), .internal = launchVariables};
    for (const char* rank : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"})
        sources.underLauncher = sources.underLauncher || std::getenv(rank) != nullptr;
    if (!sources.underLauncher)
        return shellEnvironment(sources);
    const std::optional<pid_t> launcher = launcherAbove();
    if (launcher)
        sources.installed = installationOf(*launcher);
    if (const std::optional<pid_t> first = supervisor ? supervisor : launcher) {
        EnvironmentEntries shell = parseEnvironment(processFile(*first, "environ"));
        if (!shell.empty())
            sources.shell = std::move(shell);
    }
    if (const char* const told = std::getenv(userSettingsVariable))
        sources.userSettings = parseUserSettings(told);
    return shellEnvironment(sources);
}

} // namespace tasuki
