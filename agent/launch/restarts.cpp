// SPDX-License-Identifier: GPL-3.0-or-later
#include "restarts.h"

#include <algorithm>

namespace tasuki {

namespace {

std::string spanText(std::chrono::seconds span)
{
    constexpr std::int64_t minute = 60;
    constexpr std::int64_t hour = 60 * minute;
    const std::int64_t seconds = span.count();
    if (seconds >= hour && seconds % hour == 0)
        return std::to_string(seconds / hour) + " h";
    if (seconds >= minute && seconds % minute == 0)
        return std::to_string(seconds / minute) + " min";
    return std::to_string(seconds) + " s";
}

/// @param failures  that came close to each other
std::chrono::milliseconds pauseAfter(std::size_t failures)
{
    constexpr std::chrono::milliseconds first{1000};
    constexpr std::size_t mostDoublings = 5;
    return failures == 0 ? std::chrono::milliseconds{}
                         : first * (1U << std::min(failures - 1, mostDoublings));
}

std::string tooOftenText(const RestartTerms& terms)
{
    if (terms.most == 0)
        return "is not started again, as its restarts are 0";
    return "is not started again: it was " + std::to_string(terms.most)
        + (terms.most == 1 ? " time in " : " times in ") + spanText(terms.within) + " already";
}

} // namespace

std::string Restarts::reasonOf(const LaunchEnd& end) const
{
    return end.reported ? m_terms.why : endWithoutReport(end, {}).message;
}

Restarts::Decision Restarts::decide(const LaunchEnd& end, SteadyTime now)
{
    if (end.terms)
        m_terms = *end.terms;
    // Without a report the run, or mpirun itself, has failed: what was told before it holds.
    const bool wanted = !end.reported || *end.reported == m_restartCode;
    if (end.interrupted || !wanted || !m_terms.allowed())
        return {};
    while (!m_starts.empty() && now - m_starts.front() >= m_terms.within)
        m_starts.pop_front();
    if (m_starts.size() >= m_terms.most)
        return {.verdict = Verdict::TooOften,
                .text = reasonOf(end) + ", and the run " + tooOftenText(m_terms)};
    // What was killed without a word may still be about to end elsewhere.
    const std::chrono::milliseconds pause = pauseAfter(m_starts.size() + (end.reported ? 0 : 1));
    m_starts.push_back(now);
    return {.verdict = Verdict::Again,
            .text = reasonOf(end) + ": starting again (" + std::to_string(m_starts.size()) + " of "
                + std::to_string(m_terms.most) + " in " + spanText(m_terms.within) + ')',
            .pause = pause};
}

} // namespace tasuki
