// SPDX-License-Identifier: GPL-3.0-or-later
#include "rankstart.h"

#include "exitcode.h"
#include "ranksignals.h"

#include "host/hostidentity.h"
#include "transport/mpi/mpiruntime.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <string>

#include <unistd.h>

namespace tasuki {

namespace {

void holdSignals(int how)
{
    sigset_t set;
    ::sigemptyset(&set);
    for (const int number : rankSignals)
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
    return ::sigpending(&waiting) == 0 && std::ranges::any_of(rankSignals, [&waiting](int number) {
               return ::sigismember(&waiting, number) == 1;
           });
}

void RankStart::releaseSignals() { holdSignals(SIG_UNBLOCK); }

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
