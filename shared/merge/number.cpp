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

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// @return what follows the e of a number; none: it is no exponent. Beyond all use: the largest.
std::optional<std::int64_t> readExponent(std::string_view text)
{
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+'))
        text.remove_prefix(1);
    if (text.empty() || !std::ranges::all_of(text, isDigit))
        return std::nullopt;
    constexpr std::int64_t largest = std::int64_t{1} << 60U;
    const std::int64_t size = readWhole<std::int64_t>(text).value_or(largest);
    return negative ? -std::min(size, largest) : std::min(size, largest);
}

/// The next digit of a text that may hold a point; 0 behind its end.
char takeDigit(std::string_view& text)
{
    if (text.starts_with('.'))
        text.remove_prefix(1);
    if (text.empty())
        return '0';
    const char digit = text.front();
    text.remove_prefix(1);
    return digit;
}

} // namespace

std::optional<Decimal> Decimal::parse(std::string_view text)
{
    Decimal number;
    number.m_negative = text.starts_with('-');
    if (number.m_negative)
        text.remove_prefix(1);
    const std::size_t e = text.find_first_of("eE");
    std::string_view digits = text.substr(0, e);
    if (e != std::string_view::npos) {
        const auto exponent = readExponent(text.substr(e + 1));
        if (!exponent)
            return std::nullopt;
        number.m_exponent = *exponent;
    }
    const std::size_t point = std::min(digits.find('.'), digits.size());
    const auto places = std::ranges::count_if(digits, isDigit);
    if (places == 0
        || static_cast<std::size_t>(places) + (point < digits.size() ? 1U : 0U) != digits.size())
        return std::nullopt;
    const std::size_t first = digits.find_first_not_of("0.");
    if (first == std::string_view::npos)
        return Decimal(); // 0, whatever its sign and exponent
    const auto place = static_cast<std::int64_t>(first);
    const auto pointPlace = static_cast<std::int64_t>(point);
    number.m_exponent += first < point ? pointPlace - place - 1 : pointPlace - place;
    number.m_digits = digits.substr(first);
    return number;
}

std::strong_ordering Decimal::bySize(const Decimal& other) const
{
    const auto byExistence = !m_digits.empty() <=> !other.m_digits.empty();
    if (byExistence != 0 || m_digits.empty())
        return byExistence;
    const auto byExponent = m_exponent <=> other.m_exponent;
    if (byExponent != 0)
        return byExponent;
    std::string_view left = m_digits;
    std::string_view right = other.m_digits;
    while (!left.empty() || !right.empty()) {
        const auto byDigit = takeDigit(left) <=> takeDigit(right);
        if (byDigit != 0)
            return byDigit;
    }
    return std::strong_ordering::equal;
}

std::strong_ordering Decimal::operator<=>(const Decimal& other) const
{
    if (m_negative != other.m_negative)
        return m_negative ? std::strong_ordering::less : std::strong_ordering::greater;
    const auto order = bySize(other);
    return m_negative ? 0 <=> order : order;
}

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
