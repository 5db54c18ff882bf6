// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "probe/computekernel.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

namespace tasuki::probe {

/// The same work, time after time, on this rank.
class SpeedRun {
public:
    /// @return how many times a second the kernel's work is done here, by a short look
    double calibrate();

    struct Task {
        std::uint64_t work = 1; ///< of the kernel, each time
        std::chrono::microseconds span{0};
        std::uint64_t fewest = 1; ///< times, even if they take longer than the span
    };
    /// Works until told to stop, also when it has enough: others are being measured still, and what
    /// shares a core with them must not become faster for that.
    /// @param enough  called once, with the microseconds that each time took
    /// @param stop    asked between times
    void run(const Task& task, const std::function<void(const std::vector<double>&)>& enough,
             const std::function<bool()>& stop);

private:
    ComputeKernel m_kernel;
    /// Keeps the results, so that the work must be done.
    volatile double m_result = 0.0;
};

} // namespace tasuki::probe
