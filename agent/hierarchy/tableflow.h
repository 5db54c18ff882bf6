// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "membershipview.h"
#include "messages.h"

#include <map>
#include <optional>

namespace tasuki::hierarchy {

/// Which tables have changed since they were last passed on, and who brought them: a processor is
/// not told what it has said.
class TableFlow {
public:
    /// @param origin  who brought it; none: it was made here
    void changed(SubclusterId subcluster, std::optional<ProcessorId> origin)
    {
        m_clusters[subcluster] = origin;
    }
    void systemChanged(std::optional<ProcessorId> origin)
    {
        m_system = true;
        m_systemOrigin = origin;
    }
    [[nodiscard]] bool empty() const { return m_clusters.empty() && !m_system; }
    /// @return what a processor is to be told; nothing in it: nothing
    [[nodiscard]] Tables tablesFor(ProcessorId to, const MembershipView& view) const;
    void clear()
    {
        m_clusters.clear();
        m_system = false;
    }

private:
    std::map<SubclusterId, std::optional<ProcessorId>> m_clusters;
    bool m_system = false;
    std::optional<ProcessorId> m_systemOrigin;
};

/// @return what is newer in the view than what somebody has
Tables newerThan(const Versions& have, const MembershipView& view);
inline bool isEmpty(const Tables& tables)
{
    return tables.clusters.empty() && tables.system == nullptr;
}

} // namespace tasuki::hierarchy
