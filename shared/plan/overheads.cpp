// SPDX-License-Identifier: GPL-3.0-or-later
#include "overheads.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace tasuki::plan {

namespace {

/// Sizes of the same number of bits are about the same.
constexpr std::size_t sizeClasses = 65;

std::size_t classOf(std::uint64_t bytes) { return static_cast<std::size_t>(std::bit_width(bytes)); }

/// Where in the trace the two ends of a message are; null: not logged inside a call.
struct Ends {
    const CallStep* send = nullptr;
    const CallStep* receive = nullptr;
    [[nodiscard]] bool both() const { return send != nullptr && receive != nullptr; }
};

std::vector<Ends> endsOf(const trace::Trace& trace, std::span<const CallSequence> sequences)
{
    std::vector<Ends> ends(trace.messages.size());
    for (const CallSequence& sequence : sequences) {
        for (const CallStep& step : sequence.steps) {
            for (const std::uint32_t message : step.sent)
                ends[message].send = &step;
            for (const std::uint32_t message : step.received)
                ends[message].receive = &step;
        }
    }
    return ends;
}

double duration(const CallStep& step) { return static_cast<double>(step.endUs - step.beginUs); }

/// Durations of calls of one message by size, of which a quantile is asked.
class Samples {
public:
    void add(std::uint64_t bytes, double us) { m_bySize[classOf(bytes)].push_back(us); }
    /// Once all are added.
    /// @param share  of the samples that are below the typical one
    void close(double share)
    {
        for (std::size_t size = 0; size < sizeClasses; ++size) {
            auto& samples = m_bySize[size];
            if (samples.empty())
                continue;
            const auto place = samples.begin()
                + static_cast<std::ptrdiff_t>(share * static_cast<double>(samples.size()));
            std::nth_element(samples.begin(), place, samples.end());
            m_typical[size] = *place;
        }
    }
    [[nodiscard]] double typical(std::uint64_t bytes) const { return m_typical[classOf(bytes)]; }

private:
    std::array<std::vector<double>, sizeClasses> m_bySize;
    std::array<double, sizeClasses> m_typical{};
};

/// The shortest time from the begin of a send to the end of its receive, by size.
class ShortestTravel {
public:
    ShortestTravel() { m_us.fill(std::numeric_limits<std::int64_t>::max()); }
    void add(std::uint64_t bytes, std::int64_t us)
    {
        auto& shortest = m_us[classOf(bytes)];
        shortest = std::min(shortest, std::max<std::int64_t>(us, 0));
    }
    [[nodiscard]] std::int64_t of(std::uint64_t bytes) const { return m_us[classOf(bytes)]; }

private:
    std::array<std::int64_t, sizeClasses> m_us;
};

bool waited(const Ends& ends, std::int64_t travelUs)
{
    return ends.receive->beginUs < ends.send->beginUs
        || ends.receive->beginUs - ends.send->beginUs < travelUs;
}

} // namespace

Overheads::Overheads(const trace::Trace& trace, std::span<const CallSequence> sequences)
    : m_sendUs(trace.messages.size(), 0.0), m_receiveUs(trace.messages.size(), 0.0)
{
    const std::vector<Ends> ends = endsOf(trace, sequences);
    ShortestTravel travel;
    for (std::size_t index = 0; index < ends.size(); ++index) {
        if (ends[index].both())
            travel.add(trace.messages[index].bytes,
                       ends[index].receive->endUs - ends[index].send->beginUs);
    }
    constexpr double unknown = -1.0;
    Samples sends;
    Samples receives;
    for (std::size_t index = 0; index < ends.size(); ++index) {
        const std::uint64_t bytes = trace.messages[index].bytes;
        const Ends& end = ends[index];
        // A call of several messages is one overhead, which the first of them carries.
        const bool ownsSend = end.send != nullptr && end.send->sent.front() == index;
        const bool ownsReceive = end.receive != nullptr && end.receive->received.front() == index;
        if (ownsSend) {
            const bool blocked = end.receive != nullptr && end.send->beginUs < end.receive->beginUs
                && end.receive->beginUs < end.send->endUs;
            m_sendUs[index] = blocked ? unknown : duration(*end.send);
            if (!blocked)
                sends.add(bytes, duration(*end.send));
        }
        if (ownsReceive && end.both()) {
            m_receiveUs[index] = unknown;
            if (!waited(end, travel.of(bytes)))
                receives.add(bytes, duration(*end.receive));
        }
    }
    constexpr double median = 0.5;
    // Of these receives some have waited nevertheless, as their messages took longer than the
    // shortest of about their size; the shorter ones tell what receiving itself takes.
    constexpr double low = 0.1;
    sends.close(median);
    receives.close(low);
    for (std::size_t index = 0; index < ends.size(); ++index) {
        if (m_sendUs[index] == unknown)
            m_sendUs[index] = std::min(sends.typical(trace.messages[index].bytes),
                                       duration(*ends[index].send));
        if (m_receiveUs[index] == unknown)
            m_receiveUs[index] = std::min(receives.typical(trace.messages[index].bytes),
                                          duration(*ends[index].receive));
    }
}

} // namespace tasuki::plan
