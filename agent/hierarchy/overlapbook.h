// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "messages.h"

#include "domain/clock.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace tasuki::hierarchy {

/// Finds out whether a processor went on in its place after others had given it up, which happens
/// only when clocks are wrong beyond what is assumed: compares when its own lease was over with how
/// long ago, as another processor says, it was given up. Pure bookkeeping of all three sides: the
/// processor that went on, the one that tells it how long ago it was given up, and the system
/// master, which has people told.
class OverlapBook {
public:
    using Nanoseconds = std::chrono::nanoseconds;

    /// @param self  whose membership agent has this book
    explicit OverlapBook(ProcessorId self) : m_self(self) {}

    // ---- who lost its place

    /// Its lease is over, or it hears that it has lost its place.
    /// @param life   of this processor
    /// @param until  when the lease was over by the own clock, or now
    /// @param wallUntil  the same by the clock that people read
    /// @param held   the lease was not over: it stops as it hears of others that it is to
    void stopped(Life life, std::optional<Holding> holding, bool led, SteadyTime until,
                 WallTime wallUntil, bool held)
    {
        m_stint = {.life = life,
                   .holding = holding,
                   .led = led,
                   .until = until,
                   .wallUntil = wallUntil,
                   .held = held};
    }
    /// It was seen otherwise that another one had its place while its lease held. Told when somebody is heard.
    void prove()
    {
        if (m_stint)
            m_stint->proven = m_stint->held;
    }
    /// What it did before does not count.
    void forgetStint() { m_stint.reset(); }
    /// Somebody says that this processor was given up.
    /// @param now, wall  when this is heard, by both clocks: the one of leases may stand still
    /// @param lostFor   how long ago that was when it was said; 0: not known, before now; none: perhaps it is
    ///                  to be only
    /// @param beat      the time between two beats
    /// @return what it did for too long, once; none: it did not
    std::optional<Overlap> judge(SteadyTime now, WallTime wall, std::optional<Nanoseconds> lostFor,
                                 Nanoseconds beat);
    /// The overlap is to be told, some times. These are counted, not timed: the own clock may stand
    /// still.
    /// @param to  who may know the system master
    void say(const Overlap& overlap, ProcessorId to);
    /// @return what is to be sent with this poll, and to whom; none: nothing
    std::optional<std::pair<ProcessorId, Overlap>> due();

    // ---- who knows of losses

    /// A processor was given up by a table that has come: its lives up to this one are over.
    void lost(ProcessorId processor, Life life, SteadyTime now);
    /// @return how long it is known that a life of a processor is over; none: it is not, or not since when
    [[nodiscard]] std::optional<Nanoseconds> lostFor(ProcessorId processor, Life life,
                                                     SteadyTime now) const;
    /// All tables are other ones.
    void forgetLosses() { m_lost.clear(); }

    // ---- the system master

    /// @return whether that is heard of for the first time
    bool isNew(const Overlap& overlap)
    {
        return m_told.insert({overlap.processor, overlap.life}).second;
    }

private:
    [[nodiscard]] bool wentOn(SteadyTime now, WallTime wall, Nanoseconds lostFor,
                              Nanoseconds beat) const;

    /// What it did last by its lease.
    struct Stint {
        Life life{1};
        std::optional<Holding> holding;
        bool led = false;
        SteadyTime until{};
        WallTime wallUntil{};
        bool held = false;
        bool proven = false;
    };
    struct Loss {
        Life life{1};
        SteadyTime at{};
    };

    ProcessorId m_self;
    std::optional<Stint> m_stint;
    std::optional<std::pair<ProcessorId, Overlap>> m_saying;
    int m_sayAgain = 0;
    std::map<ProcessorId, Loss> m_lost;
    std::set<std::pair<ProcessorId, Life>> m_told;
};

} // namespace tasuki::hierarchy
