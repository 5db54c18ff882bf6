// SPDX-License-Identifier: GPL-3.0-or-later
#include "topfigures.h"

#include "runtables.h"

#include <algorithm>

namespace tasuki {

namespace {

std::int64_t secondOf(WallTime time)
{
    return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
}

} // namespace

void RecentRate::note(WallTime at)
{
    const std::int64_t second = secondOf(at);
    if (second > m_latest)
        forgetUpTo(second);
    if (m_latest - second <= window.count())
        ++m_counts[static_cast<std::size_t>(second) % m_counts.size()];
}

double RecentRate::perSecond(WallTime now, WallTime begin) const
{
    // The present second is not over yet.
    const std::int64_t last = secondOf(now) - 1;
    std::uint64_t count = 0;
    for (std::int64_t second = last; second > last - window.count(); --second) {
        if (second <= m_latest && second > m_latest - window.count() - 1 && second >= 0)
            count += m_counts[static_cast<std::size_t>(second) % m_counts.size()];
    }
    const std::int64_t seconds = std::clamp<std::int64_t>(secondOf(now) - secondOf(begin), 1,
                                                          window.count());
    return static_cast<double>(count) / static_cast<double>(seconds);
}

void RecentRate::forgetUpTo(std::int64_t second)
{
    const std::int64_t from = std::max(m_latest + 1,
                                       second - static_cast<std::int64_t>(m_counts.size()) + 1);
    for (std::int64_t each = from; each <= second; ++each)
        m_counts[static_cast<std::size_t>(each) % m_counts.size()] = 0;
    m_latest = second;
}

void TopFigures::take(const Event& event, const RunState& state)
{
    if (state.alarms().find(event.id) != nullptr)
        m_alarmTexts[event.id] = eventText(event, state.system());
    if (std::holds_alternative<RunOpened>(event.payload)) {
        m_ranks.clear();
        m_running.clear();
        m_openedAt = event.wallTime;
        m_doneHere = 0;
    } else if (const auto* started = std::get_if<AttemptStarted>(&event.payload)) {
        m_running.insert_or_assign(started->key.task,
                                   Running{.attempt = started->key.number,
                                           .rank = started->rank,
                                           .since = started->startedAt});
        ++m_ranks[started->rank].running;
    } else if (const auto* finished = std::get_if<AttemptFinished>(&event.payload)) {
        take(event.wallTime, *finished);
    }
}

const std::string& TopFigures::alarmText(EventId alarm) const
{
    static const std::string none;
    const auto found = m_alarmTexts.find(alarm);
    return found == m_alarmTexts.end() ? none : found->second;
}

void TopFigures::take(WallTime at, const AttemptFinished& finished)
{
    if (const auto ran = m_running.find(finished.key.task); ran != m_running.end()) {
        --m_ranks[ran->second.rank].running;
        m_running.erase(ran);
    }
    if (finished.disposition != Disposition::Final)
        return;
    OfRank& rank = m_ranks[finished.rank];
    ++rank.done;
    rank.rate.note(at);
    m_rate.note(at);
    ++m_doneHere;
    if (finished.result.outcome == Outcome::Succeeded
        || finished.result.outcome == Outcome::Cancelled)
        return;
    ++rank.failed;
    m_failures.push_back({.key = finished.key,
                          .rank = finished.rank,
                          .outcome = finished.result.outcome,
                          .code = finished.result.code,
                          .at = at});
    if (m_failures.size() > mostFailures)
        m_failures.pop_front();
}

const RankProgram* TopFigures::program(Rank rank) const
{
    const auto found = std::ranges::find(m_programs, rank, &RankProgram::rank);
    return found == m_programs.end() ? nullptr : &*found;
}

} // namespace tasuki
