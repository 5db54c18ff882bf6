// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "decisions.h"
#include "membershipview.h"

#include "domain/clock.h"

#include <functional>
#include <string>
#include <utility>

namespace tasuki::hierarchy {

/// Writes the decisions of one membership agent as lines of a log that tests/model replays:
///
///     TRUE OWN PROCESSOR WHAT WORD...
///
/// TRUE is the time by one clock for all, OWN by that of the processor, in microseconds as all times in it;
/// only stamps are in milliseconds. A version is TERM.REVISION.
class DecisionWriter final : public DecisionListener {
public:
    /// Takes a line, or some, with its end.
    using Write = std::function<void(const std::string&)>;

    /// @param trueClock, own  outlive this
    DecisionWriter(Write write, const Clock& trueClock, const Clock& own, ProcessorId self)
        : m_write(std::move(write)), m_true(trueClock), m_own(own), m_self(self)
    {}

    void stamped(const Stamp& stamp) override;
    void acknowledged(const Stamp& stamp, SteadyTime made, bool alone) override;
    void renounced(const Stamp& upTo) override;
    void counted(const Words& words) override;
    void countsAsEnded(ProcessorId processor, SteadyTime since) override;
    void became(Part part, Standing standing) override;
    void wrote(const SystemTable& table) override;
    void wrote(const ClusterTable& table) override;
    void adopted(const SystemTable& table) override;
    void adopted(const ClusterTable& table) override;
    void holds(const std::optional<Holding>& holding) override;
    void beganLife(Life life) override;

    /// The process is no more.
    void ended();
    /// @return the head of a log: everybody, and the tables of the beginning
    static std::string head(const MembershipView& view,
                            const std::function<std::uint32_t(ProcessorId)>& hostOf);

private:
    void say(const std::string& what);

    Write m_write;
    const Clock& m_true;
    const Clock& m_own;
    ProcessorId m_self;
};

} // namespace tasuki::hierarchy
