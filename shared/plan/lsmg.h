// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "callsequence.h"
#include "lanes.h"
#include "predictor.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace tasuki::plan {

/// A trace prepared for the paper's procedure (section 3.3, steps 3a to 4e).
struct LsmgProgram {
    /// A moment of a task after step 3: computation until then, divided by the node's speed, and
    /// time inside of calls, as traced.
    struct Moment {
        double computedUs = 0.0;
        double calledUs = 0.0;
    };
    /// A send and its receive, in the order of the sends in the log (4a, 4e).
    struct Step {
        std::uint32_t pair = 0;
        double bytes = 0.0;
        Moment start;                 ///< time_start: MPI_Send is called
        std::uint32_t startPlace = 0; ///< which event of its task that is, counted from 1
        Moment end;                   ///< time_end: MPI_Recv is over
        std::uint32_t endPlace = 0;
    };
    std::uint32_t tasks = 0;
    std::vector<Pair> pairs;
    std::vector<Step> steps;
    std::vector<Moment> ends;              ///< the last event of each task
    std::vector<std::uint32_t> lastPlaces; ///< and which one it is: the number of its events
};

LsmgProgram lsmgProgram(const trace::Trace& trace);

/// The paper's own model `lsmg`, to the letter: the gap between the predicted and the shifted time of
/// a message moves the end of its receive and all later events of that task, wherever that leads. The
/// runtime is the latest of the tasks' last events. Time that does not count by LoggedPart, of which
/// the paper knows nothing, is cut out first: later events of its task move to the left.
class Lsmg final : public Predictor {
public:
    Lsmg(std::shared_ptr<const LsmgProgram> program,
         std::shared_ptr<const Environment> environment);
    Lsmg(const Lsmg& other) : Lsmg(other.m_program, other.m_environment) {}
    Lsmg& operator=(const Lsmg&) = delete;

    void predict(std::span<const Allocation> allocations, std::span<double> timesUs) override;
    [[nodiscard]] std::size_t lanes() const override { return laneCount; }
    [[nodiscard]] std::unique_ptr<Predictor> clone() const override;

    /// When the receive of each step is over under one allocation, once all steps are done.
    [[nodiscard]] std::vector<double> receiveEndsUs(const Allocation& allocation);

private:
    void pass();
    [[nodiscard]] Lanes timeOf(std::uint32_t task, const LsmgProgram::Moment& moment,
                               std::uint32_t place) const;
    void shift(std::uint32_t task, std::uint32_t place, const Lanes& gap);

    std::shared_ptr<const LsmgProgram> m_program;
    std::shared_ptr<const Environment> m_environment;
    LaneParameters m_parameters;
    /// Shifts of each task as a Fenwick tree over its events: adding one to all later events and
    /// asking for the sum at one event take logarithmic time.
    std::vector<std::vector<Lanes>> m_shifts;
};

} // namespace tasuki::plan
