// SPDX-License-Identifier: GPL-3.0-or-later
#include "tableflow.h"

namespace tasuki::hierarchy {

Tables TableFlow::tablesFor(ProcessorId to, const Picture& picture) const
{
    Tables tables;
    for (const auto& [subcluster, origin] : m_clusters) {
        if (origin != to)
            tables.clusters.push_back(picture.clusterPtr(subcluster));
    }
    if (m_system && m_systemOrigin != to)
        tables.system = picture.systemPtr();
    return tables;
}

Tables newerThan(const Versions& have, const Picture& picture)
{
    Tables tables;
    for (std::uint32_t number = 0; number < picture.clusterCount(); ++number) {
        const ClusterTablePtr& table = picture.clusterPtr(SubclusterId(number));
        if (number >= have.clusters.size() || have.clusters[number] < table->version)
            tables.clusters.push_back(table);
    }
    if (have.system < picture.system().version)
        tables.system = picture.systemPtr();
    return tables;
}

} // namespace tasuki::hierarchy
