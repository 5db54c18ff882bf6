// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "segment.h"

#include <atomic>
#include <functional>
#include <memory>
#include <thread>

namespace tasuki::world {

/// Sleeps at a reader's doorbell on a thread of its own, for another thread that must not sleep.
class BellWatch {
public:
    /// @param segment  lives as long as somebody has it
    /// @param rung     called on the thread: something may be new. Once more after each answer().
    BellWatch(std::shared_ptr<const Segment> segment, Reader reader, std::function<void()> rung);
    BellWatch(const BellWatch&) = delete;
    BellWatch& operator=(const BellWatch&) = delete;
    ~BellWatch();

    /// What was told of is being looked at now: what is new from here on is told again. From any thread.
    void answer() { m_told.store(false, std::memory_order_seq_cst); }

private:
    void run();

    std::shared_ptr<const Segment> m_segment;
    Reader m_reader;
    std::function<void()> m_rung;
    std::atomic<bool> m_told{false};
    std::atomic<bool> m_over{false};
    std::thread m_thread;
};

} // namespace tasuki::world
