// SPDX-License-Identifier: GPL-3.0-or-later
#include "activitymeter.h"

#include "domain/timerange.h"

#include <algorithm>

namespace tasuki {

namespace {

std::int64_t ticks(WallTime time) { return time.time_since_epoch().count(); }

} // namespace

void ActivityMeter::Buckets::add(std::int64_t number, std::int64_t amount)
{
    Bucket& bucket = buckets[static_cast<std::size_t>(number) % bucketCount];
    if (bucket.number > number)
        return; // of the past already
    if (bucket.number < number)
        bucket = {.number = number, .sum = 0};
    bucket.sum += amount;
}

void ActivityMeter::Buckets::addInterval(WallTime from, WallTime to)
{
    const std::int64_t width = bucketWidth.count();
    const std::int64_t end = ticks(to);
    const std::int64_t oldest = (end / width - static_cast<std::int64_t>(bucketCount) + 1) * width;
    for (std::int64_t at = std::max(ticks(from), oldest); at < end;) {
        const std::int64_t next = std::min((at / width + 1) * width, end);
        add(at / width, next - at);
        at = next;
    }
}

std::int64_t ActivityMeter::Buckets::sum(WallTime from, WallTime to) const
{
    const std::int64_t first = ticks(from) / bucketWidth.count();
    const std::int64_t last = ticks(to) / bucketWidth.count();
    std::int64_t sum = 0;
    for (const Bucket& bucket : buckets) {
        if (bucket.number >= first && bucket.number <= last)
            sum += bucket.sum;
    }
    return sum;
}

void ActivityMeter::take(const Event& event)
{
    const WallTime now = event.wallTime;
    if (!std::holds_alternative<RunOpened>(event.payload))
        m_life = std::chrono::duration_cast<Microseconds>(event.monotonic);
    if (const auto* started = std::get_if<AttemptStarted>(&event.payload)) {
        m_running.insert_or_assign(started->key,
                                   RunningAttempt{.rank = started->rank, .since = now});
        ++m_ranks[started->rank].activity.running;
    } else if (const auto* finished = std::get_if<AttemptFinished>(&event.payload)) {
        end(*finished, now);
    } else if (std::holds_alternative<RunOpened>(event.payload)) {
        open(event);
    } else if (const auto* joined = std::get_if<ProcessorJoined>(&event.payload)) {
        setSlots(joined->rank, joined->slots, now);
    } else if (const auto* lost = std::get_if<ProcessorLost>(&event.payload)) {
        setSlots(lost->rank, 0, now);
    } else if (std::holds_alternative<RunClosed>(event.payload)) {
        m_closedAt = now;
    }
}

void ActivityMeter::reset()
{
    m_ranks.clear();
    m_running.clear();
    m_busy = {};
    m_done = {};
    m_openedAt.reset();
    m_closedAt.reset();
    m_slots = 0;
    m_slotsSince = {};
    m_slotTime = 0;
    m_busyTime = {};
    m_tasksDone = 0;
    m_earlierLives = {};
    m_life = {};
}

void ActivityMeter::open(const Event& event)
{
    const Microseconds before = sumOf(m_earlierLives, m_life);
    reset();
    m_earlierLives = before;
    m_openedAt = event.wallTime;
    m_slotsSince = event.wallTime;
}

void ActivityMeter::setSlots(Rank rank, std::uint32_t slots, WallTime now)
{
    m_slotTime = slotTime(now);
    m_slotsSince = std::max(m_slotsSince, now);
    std::uint32_t& ofRank = m_ranks[rank].activity.slots;
    m_slots += slots;
    m_slots -= ofRank;
    ofRank = slots;
}

void ActivityMeter::end(const AttemptFinished& attempt, WallTime now)
{
    RankMeter& rank = m_ranks[attempt.rank];
    WallTime begin = now - attempt.result.elapsed;
    if (const auto running = m_running.find(attempt.key); running != m_running.end()) {
        // Of what was lost nobody knows how long it ran.
        if (attempt.result.outcome == Outcome::Lost)
            begin = running->second.since;
        --m_ranks[running->second.rank].activity.running;
        m_running.erase(running);
    }
    if (m_openedAt)
        begin = std::max(begin, *m_openedAt);
    if (begin < now) {
        rank.busy.addInterval(begin, now);
        m_busy.addInterval(begin, now);
        m_busyTime = sumOf(m_busyTime, now - begin);
    }
    ++rank.activity.ended;
    if (attempt.result.outcome != Outcome::Succeeded)
        ++rank.activity.failed;
    if (attempt.disposition == Disposition::Final) {
        ++m_tasksDone;
        m_done.add(ticks(now) / bucketWidth.count(), 1);
    }
}

WallTime ActivityMeter::windowBegin(WallTime now) const
{
    // Where a bucket begins, so that whole buckets are exact.
    const Microseconds whole = (now - window).time_since_epoch() / bucketWidth * bucketWidth;
    const WallTime begin{whole};
    return m_openedAt ? std::max(begin, *m_openedAt) : begin;
}

WallTime ActivityMeter::untilEnd(WallTime now) const
{
    return m_closedAt ? std::min(now, *m_closedAt) : now;
}

double ActivityMeter::slotTime(WallTime now) const
{
    const auto since = std::max((now - m_slotsSince).count(), Microseconds::rep{0});
    return m_slotTime + static_cast<double>(m_slots) * static_cast<double>(since);
}

ActivityMeter::RankActivity ActivityMeter::rank(Rank rank, WallTime now) const
{
    const auto found = m_ranks.find(rank);
    if (found == m_ranks.end())
        return {};
    RankActivity activity = found->second.activity;
    const WallTime begin = windowBegin(now);
    const auto span = (now - begin).count();
    if (activity.slots == 0 || span <= 0)
        return activity;
    std::int64_t busy = found->second.busy.sum(begin, now);
    if (activity.running != 0) {
        for (const auto& [key, attempt] : m_running) {
            if (attempt.rank == rank)
                busy += std::max<std::int64_t>((now - std::max(attempt.since, begin)).count(), 0);
        }
    }
    activity.recentShare = std::min(1.0,
                                    static_cast<double>(busy) / static_cast<double>(span)
                                        / static_cast<double>(activity.slots));
    return activity;
}

std::uint64_t ActivityMeter::recentlyDone(WallTime now) const
{
    return static_cast<std::uint64_t>(m_done.sum(windowBegin(now), now));
}

std::optional<double> ActivityMeter::rate(WallTime now) const
{
    const auto span = (now - windowBegin(now)).count();
    if (!m_openedAt || span <= 0)
        return std::nullopt;
    return static_cast<double>(recentlyDone(now)) * 1e6 / static_cast<double>(span);
}

std::optional<double> ActivityMeter::recentUtilisation(WallTime now) const
{
    const WallTime begin = windowBegin(now);
    const auto span = (now - begin).count();
    if (m_slots == 0 || span <= 0)
        return std::nullopt;
    std::int64_t busy = m_busy.sum(begin, now);
    for (const auto& [key, attempt] : m_running)
        busy += std::max<std::int64_t>((now - std::max(attempt.since, begin)).count(), 0);
    return std::min(
        1.0, static_cast<double>(busy) / static_cast<double>(span) / static_cast<double>(m_slots));
}

std::optional<double> ActivityMeter::utilisation(WallTime now) const
{
    const double offered = slotTime(untilEnd(now));
    if (offered <= 0)
        return std::nullopt;
    const auto busy = sumOf(m_busyTime, runningTime(untilEnd(now), Microseconds::max()));
    return std::min(1.0, static_cast<double>(busy.count()) / offered);
}

std::chrono::microseconds ActivityMeter::runningTime(WallTime now,
                                                     std::chrono::microseconds atMost) const
{
    Microseconds sum{};
    for (const auto& [key, attempt] : m_running)
        sum = sumOf(sum, std::clamp(now - attempt.since, Microseconds(0), atMost));
    return sum;
}

} // namespace tasuki
