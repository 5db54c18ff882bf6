// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lease.h"
#include "lookout.h"
#include "messages.h"
#include "situation.h"
#include "succession.h"
#include "tableflow.h"
#include "tablewriter.h"

#include "domain/clock.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace tasuki::hierarchy {

/// Messages to be sent, in this order.
using Mail = std::vector<std::pair<ProcessorId, ControlMessage>>;

/// The cluster configuration tables that are written here, and what of all tables is to be passed on. While
/// this processor is its cluster master, the table of its own subcluster; while it is the system master, also
/// those whose cluster masters are being replaced. Sends nothing.
class TableDesk {
public:
    /// All outlive this.
    TableDesk(const Situation& at, const Lease& lease, const Succession& succession)
        : m_at(at),
          m_lease(lease),
          m_succession(succession),
          m_adoptedAt(at.view.clusterCount(), at.clock.now())
    {}

    // ---- which are written here
    /// @return who decides here about a subcluster; null: somebody else does
    [[nodiscard]] TableWriter* writerOf(SubclusterId subcluster);
    /// Writes a table from now on, if this processor may.
    void begin(SubclusterId subcluster);
    /// Writes those that the place in the tree implies, and no others.
    void takePlace();
    /// Whether a subcluster has, by the tables, no cluster master that will write its own. A
    /// successor of one that was taken for unreachable may wait for the tables: a candidate that
    /// comes before that successor writes them.
    [[nodiscard]] bool lacksMaster(SubclusterId subcluster) const;
    /// @return whom to tell what was seen of a processor; none: nobody, or nobody who does not see it
    [[nodiscard]] std::optional<ProcessorId> whoDecides(ProcessorId about) const;
    /// What was decided and not published counts no more.
    void stopWriting() { m_writing.clear(); }
    /// @return those that are written in an earlier generation than that
    [[nodiscard]] std::vector<SubclusterId> before(Generation generation) const;
    /// Writes a table from its published state on, in a generation.
    void renew(SubclusterId subcluster, Generation generation);

    // ---- what is decided
    /// @return the next state of each table that has changed
    [[nodiscard]] std::vector<ClusterTablePtr> publish(SteadyTime now, WallTime wall);
    /// @return whom to tell such a state at once
    [[nodiscard]] std::vector<ProcessorId> concerned(const ClusterTablePtr& table);
    /// Whether somebody is condemned.
    [[nodiscard]] bool condemns() const;
    [[nodiscard]] std::vector<ProcessorId> condemned() const;
    /// @return the first in a processor's unit, which is on one host, who can kill it; none: nobody
    [[nodiscard]] std::optional<ProcessorId> executioner(const MemberRow& condemned,
                                                         const Lookout& lookout) const;
    /// Processors that were let in again are trusted in time.
    /// @return those that cannot be killed and whose lease has been waited for long enough
    [[nodiscard]] std::vector<ProcessorId> leasesOver(SteadyTime now);
    /// Makes the processors follow that may have got seats from the former writer of a table: tells
    /// them the table as it is now, whereupon they beat, and asks until they say that they have it.
    /// Children say so anyway.
    [[nodiscard]] Mail resync();
    /// Whether a table is written here newly, and nobody was told.
    [[nodiscard]] bool resyncsNewly() const { return m_resync; }

    // ---- what comes, and is passed on
    /// A cluster table is another one from now on.
    /// @param origin  who brought it; none: it was made here
    void changed(const ClusterTable& table, std::optional<ProcessorId> origin);
    void systemChanged(std::optional<ProcessorId> origin) { m_flow.systemChanged(origin); }
    /// @return when the table that is known of a subcluster came
    [[nodiscard]] SteadyTime adoptedAt(SubclusterId subcluster) const
    {
        return m_adoptedAt[subcluster.value()];
    }
    /// @return the tables that have changed, for the neighbours in the tree
    [[nodiscard]] Mail toPass();
    void beginAnew(SteadyTime now);

private:
    [[nodiscard]] std::optional<TableTerm> nextTerm(SubclusterId subcluster) const;

    const Situation& m_at;
    const Lease& m_lease;
    const Succession& m_succession;
    std::map<SubclusterId, TableWriter> m_writing;
    std::vector<SteadyTime> m_adoptedAt; ///< by subcluster
    TableFlow m_flow;
    bool m_resync = false; ///< a table is written here newly
};

} // namespace tasuki::hierarchy
