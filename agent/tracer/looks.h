// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "states.h"

#include <cstdint>
#include <optional>

namespace tasuki::tracer {

/// The looks of one thread whether something has come or is done (MPI_Test, MPI_Iprobe, ...) that found
/// nothing, one after the other. They are waiting, with what is between them, as long as the thread uses the
/// processor for a moment at most between two of them, or sleeps for most of the time; what finds something
/// ends the run and is part of it. A thread that computes in between, or calls MPI for something else, has
/// ended it before.
class Looks {
public:
    /// So much of the processor between two looks is still waiting.
    static constexpr std::int64_t momentNs = 20'000;
    /// Or such a part of a longer time: to sleep and to wake up costs something too.
    static constexpr std::int64_t sleepingPart = 10;
    /// A shorter run that found nothing is not worth a place in the log, and counts as computation.
    static constexpr std::int64_t shortestNs = 10'000;

    /// A run that found nothing.
    struct Run {
        State state = State::Test; ///< of its first look
        std::int64_t beginNs = 0;
        std::int64_t endNs = 0;
        bool operator==(const Run&) const = default;
    };
    using ProcessorTime =
        std::int64_t (*)(); ///< nanoseconds that the thread has used the processor

    explicit constexpr Looks(ProcessorTime used) noexcept : m_used(used) {}

    [[nodiscard]] bool underWay() const { return m_underWay; }

    /// @return whether a look belongs to the run that is under way; without one, false. To be asked before
    ///         the look; if not, the run is over
    [[nodiscard]] bool waitsSince(std::int64_t beginNs);
    [[nodiscard]] std::int64_t beginNs() const { return m_run.beginNs; }

    /// A look found nothing: goes on with the run, or begins one.
    void inVain(State state, std::int64_t beginNs, std::int64_t endNs);
    /// A look of the run found something.
    void found() { m_underWay = false; }
    /// The thread does something else.
    /// @return the run, if it is worth to be logged
    std::optional<Run> interrupt();

private:
    ProcessorTime m_used;
    Run m_run;
    bool m_underWay = false;
    // To read the processor's time takes longer than a look: it is read when a run begins, and at gaps.
    bool m_read = false;
    std::int64_t m_readNs = 0; ///< when
    std::int64_t m_usedNs = 0; ///< by then
};

} // namespace tasuki::tracer
