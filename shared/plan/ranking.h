// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "allocation.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tasuki::plan {

/// An allocation and its predicted runtime.
struct Ranked {
    Allocation allocation;
    double timeUs = 0.0;
};

/// Below this spread an allocation is as good as another: no model is that exact.
inline constexpr double negligibleSpread = 0.02;

/// By time; of equal times, by nodes: every order of finding them gives the same ranking.
bool comesBefore(const Ranked& first, const Ranked& second);

/// The best allocations of those that were tried, and the worst one.
class Ranking {
public:
    /// @param keep  how many of the best are kept, at least one
    explicit Ranking(std::size_t keep) : m_keep(keep) {}
    /// A ranking that another process has made.
    /// @param best   at least one, at most keep
    /// @param tried  at least best.size()
    Ranking(std::size_t keep, std::vector<Ranked> best, Ranked worst, double sumUs,
            std::uint64_t tried);

    void add(const Allocation& allocation, double timeUs);
    void add(const Ranking& other);

    /// Best first.
    [[nodiscard]] std::vector<Ranked> best() const;
    /// Precondition: tried() > 0.
    [[nodiscard]] const Ranked& worst() const { return m_worst; }
    [[nodiscard]] std::uint64_t tried() const { return m_tried; }
    /// Of all runtimes.
    [[nodiscard]] double sumUs() const { return m_sumUs; }
    /// The mean of all runtimes: what a random pick costs.
    [[nodiscard]] double meanUs() const;
    /// (worst - best) / best; 0 when nothing was tried.
    [[nodiscard]] double spread() const;

private:
    void keep(const Ranked& ranked);

    std::size_t m_keep;
    std::vector<Ranked> m_best; ///< a heap whose front is the worst of the kept ones
    Ranked m_worst;
    double m_sumUs = 0.0;
    std::uint64_t m_tried = 0;
};

} // namespace tasuki::plan
