// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/orphankiller.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <utility>

namespace tasuki {

OrphanKiller::OrphanKiller(RunId run) : m_run(std::move(run))
{
    for (const ProcessEntry& process : readProcesses()) {
        if (process.parent == ::getpid())
            m_earlier.emplace(process.pid, process.startTicks);
    }
}

std::vector<ProcessEntry> orphansOf(const std::vector<ProcessEntry>& table, pid_t self,
                                    const std::function<bool(const ProcessEntry&)>& exempt)
{
    const auto own = std::find_if(table.begin(), table.end(),
                                  [&](const auto& process) { return process.pid == self; });
    std::vector<ProcessEntry> found;
    if (own == table.end())
        return found;
    for (const ProcessEntry& process : table) {
        if (process.parent != self || process.session == own->session || exempt(process))
            continue;
        found.push_back(process);
        const auto below = descendantsOf(table, process.pid);
        found.insert(found.end(), below.begin(), below.end());
    }
    return found;
}

bool OrphanKiller::exempt(const ProcessEntry& process) const
{
    if (m_earlier.contains({process.pid, process.startTicks}))
        return true;
    // What is called a guardian has lost its watcher.
    if (process.name != "tasuki-watcher" || m_killed.contains({process.pid, process.startTicks}))
        return false;
    const auto marker = readProcessMarker(process.pid);
    return !marker || marker->run != m_run.hex;
}

bool OrphanKiller::killOnce()
{
    const pid_t self = ::getpid();
    const auto orphans = orphansOf(readProcesses(), self,
                                   [this](const ProcessEntry& process) { return exempt(process); });
    for (const ProcessEntry& process : orphans) {
        if (!process.zombie()) {
            signalProcess(process, SIGKILL);
            m_killed.emplace(process.pid, process.startTicks);
        } else if (process.parent == self) {
            ::waitpid(process.pid, nullptr, WNOHANG);
        }
    }
    if (orphans.empty())
        m_killed.clear();
    return orphans.empty();
}

} // namespace tasuki
