// SPDX-License-Identifier: GPL-3.0-or-later
#include "feed.h"

#include "wire/framing.h"
#include "wire/linkcodec.h"

#include <utility>

namespace tasuki::link {

SharedFrame framed(const AgentMessage& message)
{
    auto bytes = frame(encode(message));
    return std::make_shared<const std::string>(std::move(bytes).value());
}

Result<void> Feed::subscribe(const Subscribe& wish)
{
    bool known = false;
    if (wish.run == m_history.run() && wish.after <= m_recent.last()) {
        auto found = m_history.contains(wish.after);
        if (!found)
            return found.error();
        known = *found;
    }
    beginSnapshot(known ? wish.after : EventId{}, !known);
    return {};
}

void Feed::beginSnapshot(EventId after, bool reset)
{
    m_state = State::Snapshot;
    m_delivered = after;
    m_upTo = m_recent.last();
    m_place = m_recent.end();
    m_reset = reset;
    m_begun = false;
}

Result<std::vector<SharedFrame>> Feed::next(std::size_t bytes)
{
    std::vector<SharedFrame> frames;
    if (m_state == State::Live && !m_recent.holds(m_place)) {
        frames.push_back(framed(Gap{m_delivered}));
        beginSnapshot(m_delivered, false);
    }
    if (m_state == State::Snapshot) {
        if (auto read = nextOfSnapshot(frames); !read)
            return read.error();
    } else if (m_state == State::Live) {
        nextOfRecent(bytes, frames);
    }
    return frames;
}

Result<void> Feed::nextOfSnapshot(std::vector<SharedFrame>& frames)
{
    if (!std::exchange(m_begun, true))
        frames.push_back(
            framed(SnapshotBegin{.reset = m_reset, .after = m_delivered, .upTo = m_upTo}));
    if (m_delivered < m_upTo) {
        auto chunk = m_history.after(m_delivered, m_upTo, m_chunkBytes);
        if (!chunk)
            return chunk.error();
        m_delivered = chunk->last;
        frames.push_back(std::make_shared<const std::string>(std::move(chunk->frame)));
    }
    if (m_delivered >= m_upTo) {
        frames.push_back(framed(SnapshotEnd{m_upTo}));
        m_state = State::Live;
    }
    return {};
}

void Feed::nextOfRecent(std::size_t bytes, std::vector<SharedFrame>& frames)
{
    std::size_t taken = 0;
    for (; m_place < m_recent.end() && taken < bytes; ++m_place) {
        const RecentEvents::Frame& recent = m_recent.at(m_place);
        taken += recent.bytes->size();
        m_delivered = recent.last;
        frames.push_back(recent.bytes);
    }
}

} // namespace tasuki::link
