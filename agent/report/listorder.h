// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ids.h"
#include "domain/runstate.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace tasuki {

/// Whose turn it is when tasks are told in list order.
class ListOrder {
public:
    /// @param state  outlives this
    explicit ListOrder(const RunState& state) : m_state(state) {}

    /// Tasks were added, or stand elsewhere in the list.
    void changed() { m_stale = true; }
    /// @return whether each task before this one has its final outcome, or is not in the list
    bool isTurnOf(TaskId task);

private:
    using Place = std::pair<std::uint32_t, TaskId>;

    [[nodiscard]] Place placeOf(TaskId task) const;

    const RunState& m_state;
    std::vector<Place> m_places; ///< ascending
    std::size_t m_next = 0;      ///< the first that is not settled
    bool m_stale = true;
};

} // namespace tasuki
