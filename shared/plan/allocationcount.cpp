// SPDX-License-Identifier: GPL-3.0-or-later
#include "allocationcount.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tasuki::plan {

namespace {

constexpr std::uint64_t largestExact = std::uint64_t{1} << 63U;

} // namespace

AllocationCount::AllocationCount(std::uint64_t number)
    : m_exact(number <= largestExact), m_number(m_exact ? number : 0)
{}

AllocationCount AllocationCount::powerOfTen(double exponent)
{
    AllocationCount count;
    count.m_exact = false;
    count.m_exponent = exponent;
    return count;
}

std::optional<std::uint64_t> AllocationCount::exact() const
{
    return m_exact ? std::optional(m_number) : std::nullopt;
}

std::uint64_t AllocationCount::saturated() const
{
    return m_exact ? m_number : std::numeric_limits<std::uint64_t>::max();
}

double AllocationCount::log10() const
{
    if (m_exact)
        return std::log10(static_cast<double>(m_number));
    return std::max(m_exponent, std::log10(static_cast<double>(largestExact)));
}

std::string AllocationCount::text() const
{
    if (m_exact)
        return groupedDigits(m_number);
    if (isOnlyMore())
        return "more than 10^18";
    return "about 10^" + std::to_string(std::llround(m_exponent));
}

AllocationCount& AllocationCount::operator+=(const AllocationCount& other)
{
    if (m_exact && other.m_exact && m_number <= largestExact - other.m_number) {
        m_number += other.m_number;
        return *this;
    }
    const double own = log10();
    const double theirs = other.log10();
    const double less = std::min(own, theirs);
    const double more = std::max(own, theirs);
    constexpr double nothing = -17.0; // beside 1, in a double
    if (less - more < nothing)
        return *this = powerOfTen(more);
    return *this = powerOfTen(more + std::log10(1.0 + std::pow(10.0, less - more)));
}

AllocationCount operator*(const AllocationCount& first, const AllocationCount& second)
{
    if (first.isZero() || second.isZero())
        return {};
    if (first.m_exact && second.m_exact && first.m_number <= largestExact / second.m_number)
        return AllocationCount(first.m_number * second.m_number);
    return AllocationCount::powerOfTen(first.log10() + second.log10());
}

std::string groupedDigits(std::uint64_t number)
{
    std::string digits = std::to_string(number);
    for (std::size_t place = digits.size(); place > 3; place -= 3)
        digits.insert(place - 3, 1, ',');
    return digits;
}

bool isUnfinished(std::uint64_t tried, const std::optional<AllocationCount>& all)
{
    return !all || all->isMoreThan(tried);
}

std::string unfinishedText(std::uint64_t tried, const std::optional<AllocationCount>& all)
{
    if (!isUnfinished(tried, all))
        return {};
    const std::string text = "not all were tried: best so far of " + groupedDigits(tried);
    return all ? text + " of " + all->text() : text;
}

} // namespace tasuki::plan
