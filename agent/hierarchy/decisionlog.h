// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "decisions.h"
#include "electorate.h"
#include "lease.h"
#include "supportbook.h"

#include <optional>
#include <set>

namespace tasuki::hierarchy {

/// Tells what a membership agent decides to whoever listens, each thing once, and nothing that is not new.
class DecisionLog {
public:
    /// @param listener  outlives this; null: nobody listens
    explicit DecisionLog(DecisionListener* listener) : m_listener(listener) {}

    /// The newest stamp of who is followed was made here.
    void stamped(const SupportBook& support);
    /// It was acknowledged here, unless it was not.
    void acknowledged(const SupportBook& support);
    /// By which words the membership agent goes.
    /// @param at  where it stands; says nothing before the start
    void counted(const Situation& at, const Lease& lease, const Electorate& electorate,
                 const SupportBook& support);
    void became(Part part, Standing standing);
    void renounced(const Stamp& upTo);
    void adopted(const SystemTable& table);
    void adopted(const ClusterTable& table);
    void wrote(const SystemTable& table);
    void wrote(const ClusterTable& table);
    void holds(const std::optional<Holding>& holding);
    void beganLife(Life life);
    /// All tables are other ones: who has ended is said anew.
    void forgetEnded() { m_ended.clear(); }

private:
    DecisionListener* m_listener;
    std::optional<Stamp> m_stamp;
    std::optional<std::pair<Stamp, bool>> m_acknowledged;
    std::optional<SteadyTime> m_acknowledgedMade;
    Words m_words;
    std::set<ProcessorId> m_ended;
    std::optional<Part> m_part;
    std::optional<Holding> m_holding;
    Standing m_standing = Standing::Valid;
};

} // namespace tasuki::hierarchy
