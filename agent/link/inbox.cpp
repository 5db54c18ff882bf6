// SPDX-License-Identifier: GPL-3.0-or-later
#include "inbox.h"

#include <utility>

namespace tasuki::link {

namespace {

/// The parts of an event that can be large.
std::size_t largeParts(const Event& event)
{
    if (const auto* added = std::get_if<TaskAdded>(&event.payload))
        return added->task.command.size();
    if (const auto* changed = std::get_if<TaskChanged>(&event.payload))
        return changed->task.command.size();
    const auto* finished = std::get_if<AttemptFinished>(&event.payload);
    if (!finished)
        return 0;
    const CapturedStream& output = finished->result.standardOutput;
    const CapturedStream& error = finished->result.standardError;
    return output.head.size() + output.tail.size() + error.head.size() + error.tail.size();
}

} // namespace

bool Inbox::isEmpty() const
{
    return !m_content.forgotten && m_content.batches.empty() && !m_content.status;
}

bool Inbox::put(Batch batch)
{
    if (!batch || batch->empty())
        return false;
    std::size_t bytes = 0;
    for (const Event& event : *batch)
        bytes += largeParts(event);
    const std::lock_guard lock(m_mutex);
    const bool first = isEmpty();
    m_events += batch->size();
    m_bytes += bytes;
    if (m_events > m_maxEvents || m_bytes > m_maxBytes) {
        m_content.forgotten = batch->back().id;
        m_content.batches.clear();
        m_events = 0;
        m_bytes = 0;
    } else {
        m_content.batches.push_back(std::move(batch));
    }
    return first;
}

bool Inbox::put(const Status& status)
{
    const std::lock_guard lock(m_mutex);
    const bool first = isEmpty();
    m_content.status = status;
    return first;
}

Inbox::Content Inbox::take()
{
    const std::lock_guard lock(m_mutex);
    m_events = 0;
    m_bytes = 0;
    return std::exchange(m_content, {});
}

} // namespace tasuki::link
