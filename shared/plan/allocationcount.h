// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tasuki::plan {

/// How many allocations there are: exact up to 2^63, beyond it a power of ten.
class AllocationCount {
public:
    AllocationCount() = default;
    /// @param number  the largest there is stands for any that is larger than 2^63
    explicit AllocationCount(std::uint64_t number);
    static AllocationCount powerOfTen(double exponent);

    [[nodiscard]] std::optional<std::uint64_t> exact() const;
    /// @return the largest number there is when it is larger than 2^63
    [[nodiscard]] std::uint64_t saturated() const;
    /// @return minus infinity for none; at least, where no more is known
    [[nodiscard]] double log10() const;
    [[nodiscard]] bool isZero() const { return m_exact && m_number == 0; }
    [[nodiscard]] bool isMoreThan(std::uint64_t number) const { return saturated() > number; }
    /// Only the bound is known.
    [[nodiscard]] bool isOnlyMore() const { return !m_exact && m_exponent == 0.0; }
    /// @return "1,234", "about 10^89" or, where no more is known, "more than 10^18"
    [[nodiscard]] std::string text() const;

    AllocationCount& operator+=(const AllocationCount& other);
    friend AllocationCount operator*(const AllocationCount& first, const AllocationCount& second);
    bool operator==(const AllocationCount&) const = default;

private:
    bool m_exact = true;
    std::uint64_t m_number = 0; ///< when exact
    double m_exponent = 0.0;    ///< else; 0: not known
};

/// @return "1,234"
std::string groupedDigits(std::uint64_t number);

/// Whether there are allocations that a search has not tried: then what it found is the best so far,
/// and no verdict and no spread may be told, as some tell nothing of the others.
/// @param all  none: nobody knows how many there are
bool isUnfinished(std::uint64_t tried, const std::optional<AllocationCount>& all);

/// @return what is to be said in their place: "not all were tried: best so far of 4 of 6"; empty when
///         all were tried
std::string unfinishedText(std::uint64_t tried, const std::optional<AllocationCount>& all);

} // namespace tasuki::plan
