// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "masterstate.h"
#include "messages.h"
#include "operations.h"
#include "rankdesk.h"

#include "domain/ids.h"

#include <optional>
#include <vector>

namespace tasuki::farm {

/// What a master has to do with group schedulers: it resynchronises worker groups, and takes what
/// their group schedulers say, also what they claim beyond the record of another master.
class GroupDesk {
public:
    /// @param master, ranks, operations  outlive this object
    GroupDesk(MasterState& master, RankDesk& ranks, Operations& operations)
        : m_master(master), m_ranks(ranks), m_operations(operations)
    {}

    /// See Master.
    void formed(GroupId group, std::vector<Rank> ranks);
    void led(GroupId group, std::optional<ProcessorId> leader);
    /// Takes a message about a worker group.
    void receive(ProcessorId from, Envelope envelope);
    /// The scheduler knows what each worker group has started by the record of another master. Tasks have been
    /// added to it.
    void adoptRecorded();
    /// What group schedulers have said too early is answered, where that can be.
    void answerEarly();
    /// See Master.
    [[nodiscard]] bool gathered() const;

private:
    void on(GroupId id, GroupReport&& message);
    void on(GroupId id, const Resynced& message);
    void on(GroupId id, const Returned& message);
    void on(GroupId id, const Withdrawn& message);
    void on(GroupId id, Peeked&& message);
    void on(GroupId, const auto&) {} ///< not for a master of worker groups
    void answerEarly(GroupId id);
    void greeted(GroupId id, const Leadership& from);
    void callResync(GroupId id, const Leadership& groupScheduler);
    void takeClaims(GroupId id, const std::vector<AttemptKey>& claimed);
    void groupLost(GroupId id);
    [[nodiscard]] bool leads(GroupId id, Rank rank) const
    {
        return m_master.roster.isLed(rank) && m_master.roster.groupOf(rank) == id;
    }

    MasterState& m_master;
    RankDesk& m_ranks;
    Operations& m_operations;
};

} // namespace tasuki::farm
