// SPDX-License-Identifier: GPL-3.0-or-later
#include "agentaddress.h"

#include "host/hostidentity.h"

#include <algorithm>
#include <utility>

namespace tasuki {

const link::AccessListing::Entry* newestAgent(
    const link::AccessListing& listing, const std::string& hostKey,
    const std::function<bool(const link::AccessFile&)>& fits)
{
    const link::AccessListing::Entry* best = nullptr;
    for (const auto& entry : listing.agents) {
        const bool better = !best || entry.access.epoch > best->access.epoch;
        if (better && fits(entry.access) && !link::isStale(entry.access, hostKey))
            best = &entry;
    }
    return best;
}

AgentAddress::AgentAddress(std::filesystem::path accessFile)
    : m_path(std::move(accessFile)), m_hostKey(hostIdentity().key)
{}

Result<void> AgentAddress::choose()
{
    if (isKnown()) {
        // A resumed run has a new agent, which wrote a file of its own.
        const auto listing = link::listAccessFiles(m_path.parent_path());
        const auto* const newest = newestAgent(
            listing, m_hostKey,
            [this](const link::AccessFile& access) { return access.run == m_run; });
        if (newest)
            m_path = newest->path;
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
