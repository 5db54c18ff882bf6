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

/// What a master has to do with foremen: it musters crews, and takes what their foremen say, also what they
/// claim beyond the record of another master.
class CrewDesk {
public:
    /// @param master, ranks, operations  outlive this object
    CrewDesk(MasterState& master, RankDesk& ranks, Operations& operations)
        : m_master(master), m_ranks(ranks), m_operations(operations)
    {}

    /// See Master.
    void formed(CrewId crew, std::vector<Rank> ranks);
    void led(CrewId crew, std::optional<ProcessorId> leader);
    /// Takes a message about a crew.
    void receive(ProcessorId from, Envelope envelope);
    /// The scheduler knows what each crew has started by the record of another master. Tasks have been
    /// added to it.
    void adoptRecorded();
    /// What foremen have said too early is answered, where that can be.
    void answerEarly();
    /// See Master.
    [[nodiscard]] bool gathered() const;

private:
    void on(CrewId id, CrewReport&& message);
    void on(CrewId id, const Mustered& message);
    void on(CrewId id, const Returned& message);
    void on(CrewId id, const Withdrawn& message);
    void on(CrewId id, Peeked&& message);
    void on(CrewId, const auto&) {} ///< not for a master of crews
    void answerEarly(CrewId id);
    void greeted(CrewId id, const Leadership& from);
    void callMuster(CrewId id, const Leadership& foreman);
    void takeClaims(CrewId id, const std::vector<AttemptKey>& claimed);
    void crewLost(CrewId id);
    [[nodiscard]] bool leads(CrewId id, Rank rank) const
    {
        return m_master.roster.isLed(rank) && m_master.roster.crewOf(rank) == id;
    }

    MasterState& m_master;
    RankDesk& m_ranks;
    Operations& m_operations;
};

} // namespace tasuki::farm
