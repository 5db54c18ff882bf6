// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "masterstate.h"
#include "messages.h"
#include "operations.h"

#include "domain/ids.h"

#include <map>
#include <set>

namespace tasuki::farm {

/// What a master has to do with holders of ranks: it welcomes those that have no group scheduler
/// and takes what they say, and records which holders of any rank have joined or are lost. It keeps
/// messages that come before they can be answered, and knows of which holders it was told nothing
/// since the last master died.
class RankDesk {
public:
    /// @param master, operations  outlive this object
    RankDesk(MasterState& master, Operations& operations);

    /// See Master.
    void held(Rank rank, ProcessorId holder, Incarnation incarnation);
    void lost(Rank rank, Incarnation incarnation, LossCause cause);
    void setOpen(Rank rank, bool open);
    void left(ProcessorId processor);
    /// Takes a message about a rank.
    void receive(ProcessorId from, Envelope envelope);
    /// Takes holders of whom nobody has told anything for lost.
    void loseUnconfirmed();

    /// A group scheduler has welcomed the holder of a rank that it leads, or its loss was not known
    /// here. A group scheduler may know of a new holder before this processor does, or of one that
    /// is lost by now.
    void takeJoined(const JoinedRank& joined);
    /// Gives a worker group the slots of those of its ranks that are there and get work.
    void updateSlots(GroupId group);

private:
    void on(Rank from, Report&& message);
    void on(Rank from, const Returned& message);
    void on(Rank from, const Withdrawn& message);
    void on(Rank from, Peeked&& message);
    void on(Rank from, const Broken& message);
    void on(Rank, const auto&) {} ///< those that need no presence; a master's own kinds: not for it
    void keepForLater(ProcessorId from, const Envelope& envelope);
    void welcome(Rank rank, const Hello& hello);
    void recordJoined(Rank rank, const Hello& hello);
    void lose(Rank rank, LossCause cause);

    MasterState& m_master;
    Operations& m_operations;
    struct EarlyHello {
        ProcessorId from;
        Incarnation incarnation;
        Hello hello;
    };
    std::map<Rank, EarlyHello> m_early; ///< the newest of holdings that are not known yet
    /// Ranks that were held by the record and about whom nothing has been told yet.
    std::set<Rank> m_unconfirmed;
};

} // namespace tasuki::farm
