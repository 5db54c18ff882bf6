// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchenvironment.h"

#include "usershell.h"

#include "files/streamtext.h"
#include "host/hostidentity.h"
#include "launch/exitreport.h"
#include "launch/launchvariables.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>

#include <unistd.h>

namespace tasuki {

namespace {

std::string variable(const char* name)
{
    const char* const value = std::getenv(name);
    return value != nullptr ? value : "";
}

std::string parentFile(const char* name)
{
    std::ifstream file("/proc/" + std::to_string(::getppid()) + '/' + name, std::ios::binary);
    return textOf(file); // nothing, when it ends meanwhile
}

/// The names that Open MPI's launcher and its daemons run under.
bool parentIsMpirun()
{
    const std::string name = parentFile("comm");
    return name == "mpirun\n" || name == "orterun\n" || name == "mpiexec\n" || name == "prterun\n";
}

std::optional<pid_t> supervisorOnThisHost()
{
    const std::string text = variable(launcherProcessVariable);
    const auto blank = text.find(' ');
    if (blank == std::string::npos || text.substr(blank + 1) != hostIdentity().key)
        return std::nullopt;
    return static_cast<pid_t>(std::atol(text.c_str()));
}

/// @param line  for `launch`, if that is who started this run
void tell(const LaunchEnvironment& launch, const std::string& line)
{
    if (launch.exitReportToken.empty())
        return;
    std::fputs(line.c_str(), stderr);
    std::fflush(stderr);
}

} // namespace

LaunchEnvironment launchEnvironment()
{
    LaunchEnvironment launch;
    const std::string rank = variable("OMPI_COMM_WORLD_RANK");
    launch.underLauncher = !rank.empty();
    launch.rank = std::atoi(rank.c_str());
    launch.ranksOnHost = std::strtoul(variable("OMPI_COMM_WORLD_LOCAL_SIZE").c_str(), nullptr, 10);
    launch.exitReportToken = variable(exitReportTokenVariable);
    if (launch.underLauncher)
        launch.daemon = ::getppid();
    launch.supervisor = supervisorOnThisHost();
    launch.userShell = userShell(launch.supervisor);
    launch.recoveryRequested = !launch.exitReportToken.empty()
        || variable("OMPI_MCA_orte_enable_recovery") == "1"
        || parentFile("cmdline").find("--enable-recovery") != std::string::npos;
    return launch;
}

void leaveQuietly(const LaunchEnvironment& launch, int exitCode)
{
    std::fflush(nullptr);
    reportExit(launch, exitCode);
    // mpirun hands on what was printed while it runs; a moment is enough for that. When it has seen
    // the exit code, version 5 may drop the rest.
    constexpr std::chrono::milliseconds forOutput{200};
    if (launch.underLauncher)
        std::this_thread::sleep_for(forOutput);
    // Told to survive losses, mpirun would return 0; otherwise it returns the code.
    if (launch.underLauncher && launch.exitReportToken.empty() && launch.recoveryRequested
        && parentIsMpirun()) {
        constexpr std::chrono::seconds forMpirun{3};
        ::kill(::getppid(), SIGTERM);
        std::this_thread::sleep_for(forMpirun);
    }
    ::_exit(exitCode);
}

void reportExit(const LaunchEnvironment& launch, int exitCode)
{
    tell(launch, exitReportLine(launch.exitReportToken, exitCode));
}

void reportGivenUp(const LaunchEnvironment& launch, int exitCode)
{
    tell(launch, givenUpLine(launch.exitReportToken, exitCode));
}

void reportGoingOn(const LaunchEnvironment& launch)
{
    tell(launch, goingOnLine(launch.exitReportToken));
}

void reportRecording(const LaunchEnvironment& launch, const std::string& runFile)
{
    tell(launch, recordingLine(launch.exitReportToken, runFile));
}

void reportRestartTerms(const LaunchEnvironment& launch, const RestartTerms& terms)
{
    tell(launch, restartTermsLine(launch.exitReportToken, terms));
}

} // namespace tasuki
