// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tasuki::merge {

/// Reads a whole text as a decimal number: 12, -3, 0.5, 1e9. No blanks, no infinity, no NaN.
/// Integers of 64 bits are exact, anything else is a double.
std::optional<long double> parseNumber(std::string_view text);

/// A decimal number of any size and precision, as its text says it.
class Decimal {
public:
    /// @param text  as parseNumber() takes it, but of any size; outlives the number
    static std::optional<Decimal> parse(std::string_view text);

    std::strong_ordering operator<=>(const Decimal& other) const;
    bool operator==(const Decimal& other) const { return (*this <=> other) == 0; }

private:
    [[nodiscard]] std::strong_ordering bySize(const Decimal& other) const;

    bool m_negative = false;
    std::string_view m_digits;   ///< from the first that is not 0, perhaps with a point; empty: 0
    std::int64_t m_exponent = 0; ///< of the first digit
};

/// Adds numbers that are given as text: exact while all are integers of 64 bits, else in the
/// precision of long double, in the order of the calls.
class Total {
public:
    /// @return whether the text is a number; else nothing is added
    bool add(std::string_view text);
    /// An integer as such, anything else as the shortest text that reads back as the same double.
    [[nodiscard]] std::string text() const;

private:
    __extension__ using Wide = __int128;
    Wide m_integers = 0;
    long double m_reals = 0.0L;
    bool m_exact = true;
};

} // namespace tasuki::merge
