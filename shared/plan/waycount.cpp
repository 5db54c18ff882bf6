// SPDX-License-Identifier: GPL-3.0-or-later
#include "waycount.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace tasuki::plan {

namespace {

/// [k]: ways for k tasks.
using Ways = std::vector<AllocationCount>;

class Binomials {
public:
    explicit Binomials(std::uint32_t largest) : m_log10Factorials(std::size_t{largest} + 1)
    {
        for (std::size_t number = 2; number <= largest; ++number)
            m_log10Factorials[number] = m_log10Factorials[number - 1]
                + std::log10(static_cast<double>(number));
    }

    /// Precondition: few <= all <= the largest.
    [[nodiscard]] AllocationCount of(std::size_t all, std::size_t few) const
    {
        const double exponent = m_log10Factorials[all] - m_log10Factorials[few]
            - m_log10Factorials[all - few];
        if (exponent > largestExponent)
            return AllocationCount::powerOfTen(exponent);
        std::uint64_t result = 1;
        for (std::size_t taken = 0; taken < std::min(few, all - few); ++taken) {
            // What of the divisor does not divide the result divides the factor.
            const std::uint64_t common = std::gcd(result, std::uint64_t{taken} + 1);
            result = result / common * ((all - taken) / ((taken + 1) / common));
        }
        return AllocationCount(result);
    }

private:
    /// Of what is counted exactly.
    static constexpr double largestExponent = 18.96;

    std::vector<double> m_log10Factorials;
};

class WayCounter {
public:
    WayCounter(std::uint32_t tasks, const std::stop_token& stop)
        : m_tasks(tasks), m_stop(stop), m_binomials(tasks)
    {}

    /// @return all ways for up to so many tasks as there are, or fit
    [[nodiscard]] Ways waysOf(const AlikeNodes& kind) const
    {
        const std::uint64_t room = std::uint64_t{kind.nodes} * kind.slots;
        const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(room, m_tasks));
        if (kind.nodes <= 1 || kind.slots <= 1)
            return Ways(most + 1, AllocationCount(1));
        return kind.nodes >= most ? partitions(most, kind.slots)
                                  : fewPartitions(most, kind.slots, kind.nodes);
    }

    [[nodiscard]] Ways joined(const Ways& first, const Ways& second) const
    {
        const std::size_t most = std::min<std::size_t>(first.size() + second.size() - 2, m_tasks);
        Ways ways(most + 1);
        for (std::size_t tasks = 0; tasks <= most && !stopped(); ++tasks) {
            const std::size_t least = tasks < first.size() ? 0 : tasks - first.size() + 1;
            for (std::size_t part = least; part < second.size() && part <= tasks; ++part)
                ways[tasks] += m_binomials.of(tasks, part) * first[tasks - part] * second[part];
        }
        return ways;
    }

    [[nodiscard]] bool stopped() const { return m_stop.stop_requested(); }

private:
    /// Into any number of parts: the part that has the first task gets some of the others.
    [[nodiscard]] Ways partitions(std::size_t most, std::size_t largestPart) const
    {
        Ways ways(most + 1);
        ways[0] = AllocationCount(1);
        for (std::size_t tasks = 1; tasks <= most && !stopped(); ++tasks)
            ways[tasks] = firstPart(ways, tasks, largestPart);
        return ways;
    }

    [[nodiscard]] Ways fewPartitions(std::size_t most, std::size_t largestPart,
                                     std::size_t mostParts) const
    {
        Ways exactly(most + 1); // into just so many parts
        exactly[0] = AllocationCount(1);
        Ways ways = exactly;
        for (std::size_t parts = 1; parts <= mostParts; ++parts) {
            Ways next(most + 1);
            for (std::size_t tasks = parts; tasks <= most && !stopped(); ++tasks) {
                next[tasks] = firstPart(exactly, tasks, largestPart);
                ways[tasks] += next[tasks];
            }
            exactly = std::move(next);
        }
        return ways;
    }

    [[nodiscard]] AllocationCount firstPart(const Ways& ofTheRest, std::size_t tasks,
                                            std::size_t largestPart) const
    {
        AllocationCount sum;
        for (std::size_t size = 1; size <= std::min(largestPart, tasks); ++size) {
            if (!ofTheRest[tasks - size].isZero())
                sum += m_binomials.of(tasks - 1, size - 1) * ofTheRest[tasks - size];
        }
        return sum;
    }

    std::uint32_t m_tasks;
    const std::stop_token& m_stop;
    Binomials m_binomials;
};

} // namespace

std::optional<AllocationCount> countWays(const std::vector<AlikeNodes>& kinds, std::uint32_t tasks,
                                         const std::stop_token& stop)
{
    const WayCounter counter(tasks, stop);
    Ways ways{AllocationCount(1)};
    for (const AlikeNodes& kind : kinds) {
        ways = counter.joined(ways, counter.waysOf(kind));
        if (counter.stopped())
            return std::nullopt;
    }
    return tasks < ways.size() ? ways[tasks] : AllocationCount();
}

} // namespace tasuki::plan
