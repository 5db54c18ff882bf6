// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "allocation.h"
#include "allocationcount.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

namespace tasuki::plan {

/// All allocations of tasks to the slots of nodes, one of each set that only swaps interchangeable
/// nodes: of these the one is taken that begins to use them in their order.
class Enumeration {
public:
    /// The environment must outlive this object.
    Enumeration(const Environment& environment, std::uint32_t tasks);

    /// How many allocations begin with these nodes for the first tasks.
    /// Takes milliseconds for hundreds of tasks and slots, seconds for ten thousands.
    /// @return nothing when it was to stop
    [[nodiscard]] std::optional<AllocationCount> count(const Allocation& begin = {},
                                                       const std::stop_token& stop = {}) const;

    /// Beginnings, at least so many where there are, for dealing the work out.
    [[nodiscard]] std::vector<Allocation> beginnings(std::size_t atLeast) const;

    /// Calls a function with all allocations that begin so, in lexical order of their nodes.
    /// @param visit  returns whether to go on
    /// @return whether all were visited
    bool visit(const Allocation& begin, const std::function<bool(const Allocation&)>& visit) const;

private:
    [[nodiscard]] bool mayFollow(const std::vector<std::uint32_t>& used, std::uint32_t node) const;
    [[nodiscard]] std::vector<std::uint32_t> usedBy(const Allocation& begin) const;
    bool visitFrom(Allocation& allocation, std::vector<std::uint32_t>& used,
                   const std::function<bool(const Allocation&)>& visit) const;

    const Environment& m_environment;
    std::uint32_t m_tasks;
    std::vector<std::uint32_t> m_before; ///< [node], the interchangeable node before it, or none
    std::vector<std::uint32_t> m_classes;
};

} // namespace tasuki::plan
