// SPDX-License-Identifier: GPL-3.0-or-later
#include "number.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

namespace tasuki::merge {

static_assert(std::numeric_limits<long double>::digits >= 63, "holds an integer of 64 bits");

namespace {

template <class Number>
std::optional<Number> readWhole(std::string_view text)
{
    Number number{};
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (fault != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

} // namespace

std::optional<long double> parseNumber(std::string_view text)
{
    if (const auto integer = readWhole<std::int64_t>(text))
        return static_cast<long double>(*integer);
    const auto real = readWhole<double>(text);
    if (!real || !std::isfinite(*real))
        return std::nullopt;
    return static_cast<long double>(*real);
}

bool Total::add(std::string_view text)
{
    if (const auto integer = readWhole<std::int64_t>(text)) {
        m_integers += *integer;
        return true;
    }
    const auto real = parseNumber(text);
    if (!real)
        return false;
    m_reals += *real;
    m_exact = false;
    return true;
}

std::string Total::text() const
{
    if (!m_exact) {
        char digits[32]; // the shortest text of a double has at most 24 characters
        const auto sum = static_cast<double>(static_cast<long double>(m_integers) + m_reals);
        return {digits, std::to_chars(digits, digits + sizeof digits, sum).ptr};
    }
    std::string digits;
    for (Wide rest = m_integers; rest != 0; rest /= 10)
        digits += static_cast<char>('0' + std::abs(static_cast<int>(rest % 10)));
    if (digits.empty())
        return "0";
    if (m_integers < 0)
        digits += '-';
    std::ranges::reverse(digits);
    return digits;
}

} // namespace tasuki::merge
