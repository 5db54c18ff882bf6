// SPDX-License-Identifier: GPL-3.0-or-later
#include "bellwatch.h"

#include <chrono>
#include <utility>

namespace tasuki::world {

namespace {

/// A ring that was missed all the same is made good after so long.
constexpr std::chrono::milliseconds longestSleep{1000};

} // namespace

BellWatch::BellWatch(std::shared_ptr<const Segment> segment, Reader reader,
                     std::function<void()> rung)
    : m_segment(std::move(segment)),
      m_reader(reader),
      m_rung(std::move(rung)),
      m_thread([this] { run(); })
{}

BellWatch::~BellWatch()
{
    m_over = true;
    m_segment->wake(m_reader);
    m_thread.join();
}

/// Who rings before drowse() is seen by who is told after it, who rings later ends the sleep.
void BellWatch::run()
{
    while (!m_over) {
        const std::uint32_t drowsed = m_segment->drowse(m_reader);
        if (!m_told.exchange(true, std::memory_order_seq_cst))
            m_rung();
        if (!m_over)
            m_segment->sleep(m_reader, drowsed, longestSleep);
    }
}

} // namespace tasuki::world
