// SPDX-License-Identifier: GPL-3.0-or-later
#include "rankstart.h"

#include "allocation.h"
#include "commandline.h"
#include "exitcode.h"
#include "ranksignals.h"

#include "host/hostidentity.h"
#include "transport/mpi/mpiruntime.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include <unistd.h>

namespace tasuki {

namespace {

void holdSignals(int how)
{
    sigset_t set;
    ::sigemptyset(&set);
    for (const int number : rankSignals())
        ::sigaddset(&set, number);
    ::pthread_sigmask(how, &set, nullptr);
}

} // namespace

RankStart::RankStart(const LaunchEnvironment& launch)
{
    holdSignals(SIG_BLOCK);
    // Only `launch` starts ranks that are its launcher's own children for certain; where it did not,
    // and without recovery, mpirun ends the others itself.
    if (launch.daemon && !launch.exitReportToken.empty())
        m_watch.emplace(*launch.daemon, launch.ranksOnHost, toInt(ExitCode::NoReport));
}

bool RankStart::signalWaits()
{
    sigset_t waiting;
    return ::sigpending(&waiting) == 0
        && std::ranges::any_of(rankSignals(), [&waiting](int number) {
               return ::sigismember(&waiting, number) == 1;
           });
}

void RankStart::releaseSignals() { holdSignals(SIG_UNBLOCK); }

int endWithOptions(const LaunchEnvironment& launch, const std::optional<Error>& wrong,
                   const std::function<std::string()>& helpText)
{
    if (launch.rank != 0)
        return toInt(ExitCode::Success);
    if (wrong) {
        printError(*wrong);
        leaveQuietly(launch, toInt(ExitCode::BadInput));
    }
    std::fputs(helpText().c_str(), stdout);
    return toInt(ExitCode::Success);
}

std::unique_ptr<MpiRuntime> startMpi(int& argc, char**& argv)
{
    if (const unsigned count = strayedProcesses(); count > 1) {
        const char* const rank = std::getenv("SLURM_PROCID");
        if (rank == nullptr || std::string_view(rank) == "0")
            printError({.kind = ErrorKind::System,
                        .message = "srun has started " + std::to_string(count)
                            + " processes that MPI cannot bring together",
                        .remedy = "use tasuki-agent launch in the job, or srun --mpi=pmix"});
        return nullptr;
    }
    Result<std::unique_ptr<MpiRuntime>> mpi = MpiRuntime::start(argc, argv);
    if (mpi)
        return std::move(*mpi);
    printError(mpi.error());
    return nullptr;
}

int leaveUnready(MpiRuntime& mpi, const LaunchEnvironment& launch, int code)
{
    const bool first = mpi.self() == ProcessorId(0);
    // A code of another rank than 0 would make mpirun talk.
    const int own = first ? code : toInt(ExitCode::Success);
    mpi.leave(LeaveMode::Together, own);
    if (first)
        leaveQuietly(launch, own);
    return own;
}

std::optional<pid_t> masterOnThisHost(MpiRuntime& mpi)
{
    const std::string key = hostIdentity().key;
    const std::string told = mpi.broadcast(std::to_string(::getpid()) + ' ' + key, ProcessorId(0));
    const std::size_t blank = told.find(' ');
    pid_t pid = 0;
    const auto [end, fault] = std::from_chars(told.data(), told.data() + told.size(), pid);
    if (mpi.self() == ProcessorId(0) || fault != std::errc() || blank == std::string::npos
        || told.substr(blank + 1) != key)
        return std::nullopt;
    return pid;
}

} // namespace tasuki
