// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/orphankiller.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

namespace tasuki {

OrphanKiller::OrphanKiller()
{
    for (const ProcessEntry& process : readProcesses()) {
        if (process.parent == ::getpid())
            m_earlier.emplace(process.pid, process.startTicks);
    }
}

std::vector<ProcessEntry> orphansOf(const std::vector<ProcessEntry>& table, pid_t self,
                                    const std::set<std::pair<pid_t, std::uint64_t>>& earlier)
{
    const auto own = std::find_if(table.begin(), table.end(),
                                  [&](const auto& process) { return process.pid == self; });
    std::vector<ProcessEntry> found;
    if (own == table.end())
        return found;
    for (const ProcessEntry& process : table) {
        if (process.parent != self || process.session == own->session
            || process.name == "tasuki-guardian"
            || earlier.contains({process.pid, process.startTicks}))
            continue;
        found.push_back(process);
        const auto below = descendantsOf(table, process.pid);
        found.insert(found.end(), below.begin(), below.end());
    }
    return found;
}

bool OrphanKiller::killOnce()
{
    const pid_t self = ::getpid();
    const auto orphans = orphansOf(readProcesses(), self, m_earlier);
    for (const ProcessEntry& process : orphans) {
        if (!process.zombie())
            signalProcess(process, SIGKILL);
        else if (process.parent == self)
            ::waitpid(process.pid, nullptr, WNOHANG);
    }
    return orphans.empty();
}

} // namespace tasuki
