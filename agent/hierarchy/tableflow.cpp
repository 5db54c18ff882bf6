// SPDX-License-Identifier: GPL-3.0-or-later
#include "tableflow.h"

namespace tasuki::hierarchy {

Tables TableFlow::tablesFor(ProcessorId to, const MembershipView& view) const
{
    Tables tables;
    for (const auto& [subcluster, origin] : m_clusters) {
        if (origin != to)
            tables.clusters.push_back(view.clusterPtr(subcluster));
    }
    if (m_system && m_systemOrigin != to)
        tables.system = view.systemPtr();
    return tables;
}

Tables newerThan(const Versions& have, const MembershipView& view)
{
    Tables tables;
    for (std::uint32_t number = 0; number < view.clusterCount(); ++number) {
        const ClusterTablePtr& table = view.clusterPtr(SubclusterId(number));
        if (number >= have.clusters.size() || have.clusters[number] < table->version)
            tables.clusters.push_back(table);
    }
    if (have.system < view.system().version)
        tables.system = view.systemPtr();
    return tables;
}

} // namespace tasuki::hierarchy
