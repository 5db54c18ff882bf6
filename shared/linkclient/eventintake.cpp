// SPDX-License-Identifier: GPL-3.0-or-later
#include "eventintake.h"

#include <utility>

namespace tasuki {

namespace {

/// @return whether nothing lies between two events
bool follows(EventId event, EventId last)
{
    if (event.epoch == last.epoch)
        return event.sequence == last.sequence.next();
    return event.epoch > last.epoch && event.sequence == Sequence(1);
}

std::optional<TaskId> definedTask(const Event& event)
{
    if (const auto* added = std::get_if<TaskAdded>(&event.payload))
        return added->id;
    if (const auto* changed = std::get_if<TaskChanged>(&event.payload))
        return changed->id;
    return std::nullopt;
}

} // namespace

link::Subscribe EventIntake::subscription(const RunId& run)
{
    if (std::exchange(m_fromStart, false))
        return {};
    return {.run = run, .after = m_last};
}

EventIntake::Begin EventIntake::begin(const link::SnapshotBegin& message)
{
    if (message.reset || message.after == EventId{}) {
        m_last = {};
        return Begin::Restarts;
    }
    return message.after == m_last ? Begin::GoesOn : Begin::Wrong;
}

std::uint64_t EventIntake::toCome(EventId upTo) const
{
    const bool countable = upTo.epoch == m_last.epoch
        || (m_last == EventId{} && upTo.epoch == Epoch(1));
    const auto to = upTo.sequence.value();
    const auto from = m_last.sequence.value();
    return countable && to > from ? to - from : 0;
}

std::shared_ptr<EventBatch> EventIntake::take(link::Events&& message)
{
    auto batch = std::make_shared<EventBatch>();
    for (const Event& event : message.events) {
        if (!follows(event.id, m_last))
            return nullptr;
        m_last = event.id;
    }
    for (const link::ShortenedCommand& command : message.shortened) {
        const auto task = command.index < message.events.size()
            ? definedTask(message.events[command.index])
            : std::nullopt;
        if (task)
            batch->shortened.push_back({.task = *task, .bytes = command.commandBytes});
    }
    batch->events = std::move(message.events);
    return batch;
}

} // namespace tasuki
