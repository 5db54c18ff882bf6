// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/streamcapture.h"

#include <algorithm>

namespace tasuki::guardian {

void StreamCapture::append(std::string_view bytes)
{
    m_total += bytes.size();
    if (m_head.size() < m_headLimit) {
        const std::size_t count = std::min(bytes.size(), m_headLimit - m_head.size());
        m_head.append(bytes.substr(0, count));
        bytes.remove_prefix(count);
    }
    if (m_tailLimit == 0)
        return;
    if (bytes.size() > m_tailLimit)
        bytes.remove_prefix(bytes.size() - m_tailLimit);
    if (m_ring.size() < m_tailLimit) {
        const std::size_t count = std::min(bytes.size(), m_tailLimit - m_ring.size());
        m_ring.append(bytes.substr(0, count));
        bytes.remove_prefix(count);
    }
    while (!bytes.empty()) {
        const std::size_t count = std::min(bytes.size(), m_tailLimit - m_ringBegin);
        bytes.copy(m_ring.data() + m_ringBegin, count);
        m_ringBegin = (m_ringBegin + count) % m_tailLimit;
        bytes.remove_prefix(count);
    }
}

CapturedStream StreamCapture::take()
{
    std::rotate(m_ring.begin(), m_ring.begin() + static_cast<std::ptrdiff_t>(m_ringBegin),
                m_ring.end());
    if (m_head.size() + m_ring.size() == m_total) {
        m_head += m_ring;
        m_ring.clear();
    }
    return {std::move(m_head), std::move(m_ring), m_total};
}

} // namespace tasuki::guardian
