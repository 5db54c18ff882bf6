// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <functional>
#include <utility>

namespace tasuki::farm {

/// What is said to somebody who may do nothing for a while: it is kept, and taken in order afterwards.
/// One thread.
class HoldQueue {
public:
    explicit HoldQueue(bool held = false) : m_held(held) {}

    [[nodiscard]] bool held() const { return m_held; }
    /// Takes it now, or when nothing is held any more.
    template <class Work>
    void take(Work&& work)
    {
        if (m_held)
            m_later.emplace_back(std::forward<Work>(work));
        else
            std::forward<Work>(work)();
    }
    /// What was kept is taken as soon as nothing is held, unless it is held again meanwhile.
    void hold(bool held)
    {
        m_held = held;
        while (!m_held && !m_later.empty()) {
            const std::function<void()> work = std::move(m_later.front());
            m_later.pop_front();
            work();
        }
    }
    /// What was kept is of no use any more.
    void clear() { m_later.clear(); }

private:
    bool m_held;
    std::deque<std::function<void()>> m_later;
};

} // namespace tasuki::farm
