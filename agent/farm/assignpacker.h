// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rankmessages.h"

#include <cstddef>
#include <functional>
#include <utility>

namespace tasuki::farm {

/// Puts attempts into messages of a size that passes quickly.
class AssignPacker {
public:
    explicit AssignPacker(std::function<void(Assign)> send) : m_send(std::move(send)) {}

    void add(AssignedTask task)
    {
        const std::size_t bytes = task.command.size();
        if (!m_message.tasks.empty()
            && (m_bytes + bytes > mostBytes || m_message.tasks.size() >= mostTasks))
            flush();
        m_bytes += bytes;
        m_message.tasks.push_back(std::move(task));
    }
    /// Sends what is left.
    void flush()
    {
        m_bytes = 0;
        if (!m_message.tasks.empty())
            m_send(std::exchange(m_message, {}));
    }

private:
    static constexpr std::size_t mostBytes = 4U << 20U; ///< of commands, about
    static constexpr std::size_t mostTasks = 1'024;

    std::function<void(Assign)> m_send;
    Assign m_message;
    std::size_t m_bytes = 0;
};

} // namespace tasuki::farm
