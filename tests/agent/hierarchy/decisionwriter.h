// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "hierarchy/decisions.h"

#include "domain/clock.h"

#include <functional>
#include <ostream>
#include <string>

namespace tasuki::hierarchy::testing {

/// Writes the decisions of one keeper as lines of a log that tests/model replays:
///
///     TRUE OWN PROCESSOR WHAT WORD...
///
/// TRUE is the time by one clock for all, OWN by that of the processor, in microseconds as all times in it;
/// only stamps are in milliseconds. A version is TERM.REVISION.
class DecisionWriter final : public DecisionListener {
public:
    /// @param out, trueClock, own  outlive this
    DecisionWriter(std::ostream& out, const Clock& trueClock, const Clock& own, ProcessorId self)
        : m_out(out), m_true(trueClock), m_own(own), m_self(self)
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
    void beganLife(std::uint32_t life) override;

    /// The process is no more.
    void ended();
    /// The head of a log: everybody, and the tables of the beginning.
    static void begin(std::ostream& out, const Picture& picture,
                      const std::function<std::uint32_t(ProcessorId)>& hostOf);

private:
    std::ostream& line(const char* what);

    std::ostream& m_out;
    const Clock& m_true;
    const Clock& m_own;
    ProcessorId m_self;
};

} // namespace tasuki::hierarchy::testing
