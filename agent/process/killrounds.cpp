// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/killrounds.h"

#include <algorithm>
#include <csignal>

namespace tasuki::guardian {

KillRounds::Progress KillRounds::step(std::span<const ProcessEntry> members)
{
    if (members.empty())
        return ++m_emptyLooks >= 2 ? Progress::Gone : Progress::LookAgain;
    m_emptyLooks = 0;
    bool grown = false;
    for (const ProcessEntry& process : members) {
        if (m_stopped.emplace(process.pid, process.startTicks).second) {
            signalProcess(process, SIGSTOP);
            grown = true;
        }
    }
    if (grown)
        return Progress::LookAgain;
    for (const ProcessEntry& process : members)
        signalProcess(process, SIGKILL);
    m_pause = std::min(m_pause * 2, std::chrono::milliseconds(32));
    return Progress::Wait;
}

void killDescendantsOnce(pid_t ancestor)
{
    for (const ProcessEntry& process : descendantsOf(readProcesses(), ancestor)) {
        if (!process.zombie())
            signalProcess(process, SIGKILL);
    }
}

} // namespace tasuki::guardian
