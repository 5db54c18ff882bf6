// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "allocation.h"

#include <memory>
#include <span>

namespace tasuki::plan {

/// Predicts how long a program runs under allocations. An object serves one thread at a time;
/// clone() gives another one for another thread.
class Predictor {
public:
    virtual ~Predictor() = default;

    /// @param allocations  each has a node for every task
    /// @param timesUs      receives as many runtimes, in microseconds
    virtual void predict(std::span<const Allocation> allocations, std::span<double> timesUs) = 0;
    /// How many allocations it takes about the same time for as for one.
    [[nodiscard]] virtual std::size_t lanes() const = 0;
    [[nodiscard]] virtual std::unique_ptr<Predictor> clone() const = 0;

protected:
    Predictor() = default;
    Predictor(const Predictor&) = default;
    Predictor& operator=(const Predictor&) = default;
};

/// @return the runtime under one allocation, in microseconds
double predictOne(Predictor& predictor, const Allocation& allocation);

} // namespace tasuki::plan
