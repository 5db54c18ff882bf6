// SPDX-License-Identifier: GPL-3.0-or-later
#include "problemlog.h"

#include <algorithm>
#include <chrono>

namespace tasuki {

namespace {

/// A loss is known so long after what comes of it.
constexpr std::chrono::seconds explanationTime{5};
/// It explains for so long what is still to come: a connection over a wire that is cut breaks after
/// 10 s, and one that is being made meanwhile later.
constexpr std::chrono::seconds aftermath{20};
/// More lines than this wait for nobody.
constexpr std::size_t mostProblems = 20;

} // namespace

void ProblemLog::note(const Error& problem, SteadyTime now)
{
    const std::string text = problem.text();
    const bool known = std::ranges::any_of(m_items,
                                           [&text](const Item& item) { return item.text == text; });
    if (now >= m_explainedUntil && !known && m_items.size() < mostProblems)
        m_items.push_back({now, text});
}

void ProblemLog::lost(std::size_t inAll, SteadyTime now)
{
    if (inAll <= m_lost)
        return;
    m_lost = inAll;
    m_items.clear();
    m_explainedUntil = now + aftermath;
}

void ProblemLog::tick(SteadyTime now)
{
    while (!m_items.empty() && now - m_items.front().at >= explanationTime) {
        m_say(m_items.front().text);
        m_items.pop_front();
    }
}

} // namespace tasuki
