// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ids.h"

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

namespace tasuki::farm {

/// Tasks that may start now, by their position in the list.
class ReadyQueue {
public:
    void push(std::uint32_t position, TaskId id) { m_heap.push({position, id}); }
    /// Precondition: not empty. The task with the lowest position.
    TaskId pop()
    {
        const TaskId id = m_heap.top().id;
        m_heap.pop();
        return id;
    }
    [[nodiscard]] bool empty() const { return m_heap.empty(); }
    [[nodiscard]] std::size_t size() const { return m_heap.size(); }

private:
    struct Item {
        std::uint32_t position;
        TaskId id;
        auto operator<=>(const Item&) const = default;
    };
    std::priority_queue<Item, std::vector<Item>, std::greater<>> m_heap;
};

} // namespace tasuki::farm
