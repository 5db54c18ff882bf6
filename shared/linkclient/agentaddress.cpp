// SPDX-License-Identifier: GPL-3.0-or-later
#include "agentaddress.h"

#include "host/hostidentity.h"

#include <algorithm>
#include <utility>

namespace tasuki {

AgentAddress::AgentAddress(std::filesystem::path accessFile)
    : m_path(std::move(accessFile)), m_hostKey(hostIdentity().key)
{}

Result<void> AgentAddress::choose()
{
    if (isKnown()) {
        // A resumed run has a new agent, which wrote a file of its own.
        const auto listing = link::listAccessFiles(m_path.parent_path());
        const link::AccessListing::Entry* best = nullptr;
        for (const auto& entry : listing.agents) {
            const bool better = !best || entry.access.epoch > best->access.epoch;
            if (entry.access.run == m_run && better && !link::isStale(entry.access, m_hostKey))
                best = &entry;
        }
        if (best)
            m_path = best->path;
    }
    auto access = link::readAccessFile(m_path);
    if (!access)
        return access.error();
    m_run = access->run;
    m_access = std::move(*access);
    return {};
}

bool AgentAddress::hasSuccessor() const
{
    const auto listing = link::listAccessFiles(m_path.parent_path());
    return isKnown() && std::ranges::any_of(listing.agents, [this](const auto& entry) {
               return entry.access.run == m_run
                   && (!m_access || entry.access.token != m_access->token)
                   && !link::isStale(entry.access, m_hostKey);
           });
}

bool AgentAddress::isGone() const { return m_access && link::isStale(*m_access, m_hostKey); }

} // namespace tasuki
