// SPDX-License-Identifier: GPL-3.0-or-later
#include "recentevents.h"

#include <utility>

namespace tasuki::link {

void RecentEvents::add(SharedFrame frame, EventId last)
{
    m_bytes += frame->size();
    m_last = last;
    m_frames.push_back({std::move(frame), last});
    while (m_bytes > m_limit && m_frames.size() > 1) {
        m_bytes -= m_frames.front().bytes->size();
        m_frames.pop_front();
        ++m_begin;
    }
}

void RecentEvents::skipTo(EventId last)
{
    m_begin = end() + 1;
    m_frames.clear();
    m_bytes = 0;
    m_last = last;
}

} // namespace tasuki::link
