// SPDX-License-Identifier: GPL-3.0-or-later
#include "eventcodec.h"

#include "domain/timerange.h"
#include "domaincodec.h"
#include "eventpayloadcodec.h"

#include "link.pb.h"

#include <cassert>
#include <limits>
#include <unordered_map>

namespace tasuki::link {

namespace {

/// Differences of times go modulo 2^64, so that every pair of times has one.
std::int64_t difference(std::int64_t value, std::int64_t before)
{
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(value)
                                     - static_cast<std::uint64_t>(before));
}

std::int64_t sum(std::int64_t before, std::int64_t difference)
{
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(before)
                                     + static_cast<std::uint64_t>(difference));
}

/// Groups count for so much less than they take: a message that one large group had filled would
/// be sent again with the next event that refers to it.
constexpr std::size_t groupBytesCount = 64;

/// What numbers of the next event are differences to.
struct Base {
    EventId id;
    std::int64_t wallUs = 0;
    std::int64_t monotonicNs = 0;
};

/// @return whether the id exists
bool advance(EventId& id, std::uint32_t epochs, std::uint64_t sequences)
{
    if (epochs > std::numeric_limits<std::uint32_t>::max() - id.epoch.value())
        return false;
    const std::uint64_t from = epochs == 0 ? id.sequence.value() : 0;
    if (sequences >= std::numeric_limits<std::uint64_t>::max() - from)
        return false;
    id = {Epoch(id.epoch.value() + epochs), Sequence(from + sequences + 1)};
    return true;
}

} // namespace

class EventsEncoder::Impl {
public:
    /// @return size of what was added
    std::size_t add(const Event& event);

    wire::link::AgentMessage message;

private:
    std::uint32_t indexOf(const std::shared_ptr<const TaskSettings>& settings);
    std::uint32_t indexOf(const SharedGroup& group);

    Base m_base;
    /// Holds the objects, so that no address is used twice.
    std::unordered_map<std::shared_ptr<const TaskSettings>, std::uint32_t> m_settings;
    std::unordered_map<SharedGroup, std::uint32_t> m_groups;
    std::size_t m_settingsBytes = 0;
    std::size_t m_groupBytes = 0;
};

std::size_t EventsEncoder::Impl::add(const Event& event)
{
    assert(event.id > m_base.id);
    wire::link::Event& out = *message.mutable_events()->add_events();
    const std::uint32_t epochs = event.id.epoch.value() - m_base.id.epoch.value();
    const std::uint64_t from = epochs == 0 ? m_base.id.sequence.value() : 0;
    out.set_epoch(epochs);
    out.set_sequence(event.id.sequence.value() - from - 1);
    const std::int64_t wallUs = event.wallTime.time_since_epoch().count();
    out.set_wall_us(difference(wallUs, m_base.wallUs));
    out.set_monotonic_ns(difference(event.monotonic.count(), m_base.monotonicNs));
    m_base = {event.id, wallUs, event.monotonic.count()};
    const std::size_t besideBefore = m_settingsBytes + m_groupBytes / groupBytesCount;
    encodePayload(
        event.payload, wallUs, [this](const auto& settings) { return indexOf(settings); },
        [this](const auto& group) { return indexOf(group); }, out);
    constexpr std::size_t tagAndLength = 4;
    return out.ByteSizeLong() + tagAndLength + m_settingsBytes + m_groupBytes / groupBytesCount
        - besideBefore;
}

std::uint32_t EventsEncoder::Impl::indexOf(const SharedGroup& group)
{
    const auto [place, isNew] = m_groups.try_emplace(group,
                                                     static_cast<std::uint32_t>(m_groups.size()));
    if (isNew) {
        wire::link::TaskGroup& out = *message.mutable_events()->add_groups();
        encodeGroup(*group, out);
        m_groupBytes += out.ByteSizeLong();
    }
    return place->second;
}

std::uint32_t EventsEncoder::Impl::indexOf(const std::shared_ptr<const TaskSettings>& settings)
{
    const auto [place, isNew] = m_settings.try_emplace(
        settings, static_cast<std::uint32_t>(m_settings.size()));
    if (isNew) {
        wire::TaskSettings& out = *message.mutable_events()->add_settings();
        wire::encode(*settings, out);
        m_settingsBytes += out.ByteSizeLong();
    }
    return place->second;
}

EventsEncoder::EventsEncoder() : m_impl(std::make_unique<Impl>()) {}
EventsEncoder::EventsEncoder(EventsEncoder&&) noexcept = default;
EventsEncoder& EventsEncoder::operator=(EventsEncoder&&) noexcept = default;
EventsEncoder::~EventsEncoder() = default;

void EventsEncoder::add(const Event& event)
{
    m_bytes += m_impl->add(event);
    m_last = event.id;
}

std::size_t EventsEncoder::count() const
{
    return static_cast<std::size_t>(m_impl->message.events().events_size());
}

std::string EventsEncoder::take()
{
    m_impl->message.mutable_events();
    std::string bytes = m_impl->message.SerializeAsString();
    *this = EventsEncoder();
    return bytes;
}

Result<Events> decodeEvents(wire::link::Events&& message)
{
    if (static_cast<std::size_t>(message.events_size()) > eventsPerMessage)
        return malformed("more than " + std::to_string(eventsPerMessage) + " events at once");
    SettingsTable settings;
    for (const wire::TaskSettings& item : message.settings()) {
        auto decoded = wire::decode(item);
        if (!decoded)
            return decoded.error();
        settings.push_back(std::make_shared<const TaskSettings>(std::move(*decoded)));
    }
    GroupTable groups;
    std::uint64_t grouped = 0;
    for (const wire::link::TaskGroup& item : message.groups()) {
        auto decoded = decodeGroup(item, mostGroupedTasks - grouped);
        if (!decoded)
            return decoded.error();
        grouped += decoded->size();
        groups.push_back(std::make_shared<const TaskGroup>(std::move(*decoded)));
    }
    Events out;
    out.events.reserve(static_cast<std::size_t>(message.events_size()));
    Base base;
    for (wire::link::Event& item : *message.mutable_events()) {
        if (!advance(base.id, item.epoch(), item.sequence()))
            return malformed("an event's id is out of range");
        base.wallUs = sum(base.wallUs, item.wall_us());
        base.monotonicNs = sum(base.monotonicNs, item.monotonic_ns());
        Event& event = out.events.emplace_back();
        event.id = base.id;
        event.wallTime = WallTime(std::chrono::microseconds(base.wallUs));
        event.monotonic = std::chrono::nanoseconds(base.monotonicNs);
        if (!isBelievable(event.wallTime))
            return malformed(unbelievableTime);
        if (!isBelievable(event.monotonic))
            return malformed(unbelievableDuration);
        const std::uint64_t commandBytes = wholeCommandBytes(item);
        if (auto decoded = decodePayload(std::move(item), base.wallUs, settings, groups,
                                         event.payload);
            !decoded)
            return decoded.error();
        if (commandBytes != 0)
            out.shortened.push_back({out.events.size() - 1, commandBytes});
    }
    return out;
}

} // namespace tasuki::link
