// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "messages.h"
#include "standing.h"
#include "tables.h"

#include "domain/clock.h"

#include <cstdint>
#include <optional>

namespace tasuki::hierarchy {

/// What a membership agent is for the others, by itself.
enum class Part : std::uint8_t {
    Member,
    Leads, ///< as a candidate, or as a system master that may not act
    Acts,  ///< as the system master
    Fenced,
    Over,
};

/// The times of the words that a membership agent relies on; on its own clock.
struct Words {
    SteadyTime lease;
    SteadyTime grant;
    SteadyTime alone;                        ///< the same, of a majority that follows alone
    std::optional<ProcessorId> leaseBy = {}; ///< whose answer renewed the lease
    std::optional<ProcessorId> from = {};    ///< who is followed: itself, if it leads
    bool operator==(const Words&) const = default;
};

/// Hears each decision that a membership agent takes by the protocol of docs/membership.md, when it is taken. What
/// is heard is complete: whether all of it was allowed can be found from what all membership agents of a system say.
/// No call may go back into the membership agent.
class DecisionListener {
public:
    DecisionListener() = default;
    DecisionListener(const DecisionListener&) = delete;
    DecisionListener& operator=(const DecisionListener&) = delete;
    virtual ~DecisionListener() = default;

    /// This one made a stamp.
    virtual void stamped(const Stamp& stamp) = 0;
    /// @param made  when the stamp was made, at the latest
    virtual void acknowledged(const Stamp& stamp, SteadyTime made, bool alone) = 0;
    /// Stamps up to this one count no more: its own, or another one's of which it has heard that.
    virtual void renounced(const Stamp& upTo) = 0;
    /// Not before the start: until then all is valid.
    virtual void counted(const Words& words) = 0;
    /// From then on one that has ended counts as such in majorities.
    virtual void countsAsEnded(ProcessorId processor, SteadyTime since) = 0;
    virtual void became(Part part, Standing standing) = 0;
    virtual void wrote(const SystemTable& table) = 0;
    virtual void wrote(const ClusterTable& table) = 0;
    virtual void adopted(const SystemTable& table) = 0;
    virtual void adopted(const ClusterTable& table) = 0;
    virtual void holds(const std::optional<Holding>& holding) = 0;
    /// It asks to be let in, in this life.
    virtual void beganLife(Life life) = 0;
};

} // namespace tasuki::hierarchy
