// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/sweep.h"

#include "process/processtable.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <set>
#include <string>
#include <thread>

namespace tasuki {
namespace {

bool belongsToUser(pid_t pid, uid_t user)
{
    struct stat information {};
    return ::stat(("/proc/" + std::to_string(pid)).c_str(), &information) == 0
        && information.st_uid == user;
}

} // namespace

Result<std::size_t> sweepLeftovers(const RunId& run, Epoch current, std::chrono::milliseconds limit)
{
    const auto end = std::chrono::steady_clock::now() + limit;
    const uid_t user = ::geteuid();
    std::set<std::pair<pid_t, std::uint64_t>> killed;
    auto pause = std::chrono::milliseconds(1);
    // A process that forks while it is looked at can be missed once, so two empty rounds are wanted.
    for (int emptyRounds = 0; emptyRounds < 2;) {
        std::size_t living = 0;
        for (const ProcessEntry& process : readProcesses()) {
            if (process.zombie() || process.pid == ::getpid() || !belongsToUser(process.pid, user))
                continue;
            const auto marker = readProcessMarker(process.pid);
            if (!marker || marker->run != run.hex || marker->epoch >= current)
                continue;
            ++living;
            if (signalProcess(process, SIGKILL))
                killed.emplace(process.pid, process.startTicks);
        }
        emptyRounds = living == 0 ? emptyRounds + 1 : 0;
        if (living == 0)
            continue;
        if (std::chrono::steady_clock::now() >= end)
            return Error{ErrorKind::System,
                         std::to_string(living)
                             + " processes of an earlier life of this run "
                               "cannot be killed",
                         "look for processes with TASUKI_RUN=" + run.hex + " on this host"};
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, std::chrono::milliseconds(50));
    }
    return killed.size();
}

} // namespace tasuki
