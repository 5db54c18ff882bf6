// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/streamcapture.h"

#include <algorithm>
#include <utility>

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
    return {std::exchange(m_head, {}), std::exchange(m_ring, {}), m_total};
}

OutputPiece StreamCapture::piece(std::uint64_t from, std::size_t limit) const
{
    OutputPiece piece{.offset = from, .bytes = {}, .totalBytes = m_total};
    if (from < m_head.size()) {
        piece.bytes = m_head.substr(from, limit);
        return piece;
    }
    const std::uint64_t ringStart = m_total - m_ring.size();
    piece.offset = std::min(std::max(from, ringStart), m_total);
    const auto skip = static_cast<std::size_t>(piece.offset - ringStart);
    const std::size_t count = std::min(m_ring.size() - skip, limit);
    for (std::size_t i = 0; i < count;) {
        const std::size_t at = (m_ringBegin + skip + i) % m_ring.size();
        const std::size_t run = std::min(count - i, m_ring.size() - at);
        piece.bytes.append(m_ring, at, run);
        i += run;
    }
    return piece;
}

} // namespace tasuki::guardian
