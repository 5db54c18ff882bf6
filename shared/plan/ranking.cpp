// SPDX-License-Identifier: GPL-3.0-or-later
#include "ranking.h"

#include <algorithm>
#include <utility>

namespace tasuki::plan {

bool comesBefore(const Ranked& first, const Ranked& second)
{
    return first.timeUs != second.timeUs ? first.timeUs < second.timeUs
                                         : first.allocation < second.allocation;
}

Ranking::Ranking(std::size_t keep, std::vector<Ranked> best, Ranked worst, double sumUs,
                 std::uint64_t tried)
    : m_keep(keep),
      m_best(std::move(best)),
      m_worst(std::move(worst)),
      m_sumUs(sumUs),
      m_tried(tried)
{
    std::ranges::make_heap(m_best, comesBefore);
}

void Ranking::keep(const Ranked& ranked)
{
    if (m_best.size() == m_keep) {
        if (!comesBefore(ranked, m_best.front()))
            return;
        std::ranges::pop_heap(m_best, comesBefore);
        m_best.pop_back();
    }
    m_best.push_back(ranked);
    std::ranges::push_heap(m_best, comesBefore);
}

void Ranking::add(const Allocation& allocation, double timeUs)
{
    const bool isWorst = m_tried == 0 || timeUs > m_worst.timeUs
        || (timeUs == m_worst.timeUs && m_worst.allocation < allocation);
    ++m_tried;
    m_sumUs += timeUs;
    const bool isKept = m_best.size() < m_keep || timeUs <= m_best.front().timeUs;
    if (!isWorst && !isKept)
        return;
    const Ranked ranked{.allocation = allocation, .timeUs = timeUs};
    if (isWorst)
        m_worst = ranked;
    if (isKept)
        keep(ranked);
}

void Ranking::add(const Ranking& other)
{
    if (other.m_tried == 0)
        return;
    if (m_tried == 0 || comesBefore(m_worst, other.m_worst))
        m_worst = other.m_worst;
    m_tried += other.m_tried;
    m_sumUs += other.m_sumUs;
    for (const Ranked& ranked : other.m_best)
        keep(ranked);
}

std::vector<Ranked> Ranking::best() const
{
    std::vector<Ranked> sorted = m_best;
    std::ranges::sort(sorted, comesBefore);
    return sorted;
}

double Ranking::meanUs() const
{
    return m_tried == 0 ? 0.0 : m_sumUs / static_cast<double>(m_tried);
}

double Ranking::spread() const
{
    if (m_tried == 0)
        return 0.0;
    const double bestUs = std::ranges::min_element(m_best, comesBefore)->timeUs;
    return bestUs > 0.0 ? (m_worst.timeUs - bestUs) / bestUs : 0.0;
}

} // namespace tasuki::plan
