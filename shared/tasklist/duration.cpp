// SPDX-License-Identifier: GPL-3.0-or-later
#include "duration.h"

#include <array>
#include <cassert>
#include <cstdint>
#include <optional>

namespace tasuki {

namespace {

struct Unit {
    std::string_view name;
    std::int64_t milliseconds;
};

// From large to small: the order in which the parts of a duration are written.
constexpr std::array<Unit, 5> units{
    {{"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}, {"ms", 1}}};
constexpr std::size_t secondsIndex = 3;
constexpr std::int64_t longest = longestDuration.count();

bool isDigit(char c) { return c >= '0' && c <= '9'; }

Error badDuration(std::string_view text, std::string_view why)
{
    return Error{.kind = ErrorKind::Input,
                 .message = '"' + std::string(text) + "\" is not a duration: " + std::string(why),
                 .remedy = "write it like 500ms, 10s, 1.5s, 10m, 2h, 1d or 1h30m; a bare number "
                           "means seconds"};
}

struct Number {
    std::int64_t whole = 0;
    std::string_view fraction; ///< digits behind the point
    bool hasPoint = false;
};

/// Takes a number off the front of the text; none when there is none or it is beyond all bounds.
std::optional<Number> takeNumber(std::string_view& text)
{
    Number number;
    std::size_t at = 0;
    for (; at < text.size() && isDigit(text[at]); ++at) {
        number.whole = number.whole * 10 + (text[at] - '0');
        if (number.whole > longest)
            return std::nullopt;
    }
    if (at == 0)
        return std::nullopt;
    if (at < text.size() && text[at] == '.') {
        const std::size_t begin = ++at;
        while (at < text.size() && isDigit(text[at]))
            ++at;
        if (at == begin)
            return std::nullopt;
        number.fraction = text.substr(begin, at - begin);
        number.hasPoint = true;
    }
    text.remove_prefix(at);
    return number;
}

/// @return the index of the unit that the text begins with, taken off its front
std::optional<std::size_t> takeUnit(std::string_view& text)
{
    std::size_t length = 0;
    while (length < text.size() && !isDigit(text[length]))
        ++length;
    for (std::size_t i = 0; i < units.size(); ++i) {
        if (units[i].name == text.substr(0, length)) {
            text.remove_prefix(length);
            return i;
        }
    }
    return std::nullopt;
}

/// @return 0.FRACTION times a unit in ms, rounded up. Exact: one decimal digit at a time, where
///         what is below a millisecond only matters as zero or not.
std::int64_t fractionOf(std::string_view fraction, std::int64_t unitMs)
{
    // Twelve digits of at most 86,400,000 ms fit in 64 bits; what follows only rounds up.
    constexpr std::size_t exactDigits = 10;
    std::int64_t scale = 1;
    std::int64_t value = 0;
    bool more = false;
    for (std::size_t i = 0; i < fraction.size(); ++i) {
        if (i < exactDigits) {
            value = value * 10 + (fraction[i] - '0');
            scale *= 10;
        } else if (fraction[i] != '0') {
            more = true;
        }
    }
    const std::int64_t product = value * unitMs;
    return product / scale + (product % scale != 0 || more ? 1 : 0);
}

} // namespace

Result<std::chrono::milliseconds> parseDuration(std::string_view text)
{
    if (text.empty())
        return badDuration(text, "it is empty");
    if (text.front() == '-')
        return badDuration(text, "it is negative");

    std::int64_t total = 0;
    std::size_t firstAllowedUnit = 0;
    bool hadPoint = false;
    std::string_view rest = text;
    while (!rest.empty()) {
        const bool bareAllowed = rest.size() == text.size();
        if (hadPoint)
            return badDuration(text, "only the last part may have a fraction");
        if (!isDigit(rest.front()))
            return badDuration(text, "a number was expected");
        const std::optional<Number> number = takeNumber(rest);
        if (!number && rest.find_first_not_of("0123456789") == 0)
            return badDuration(text, "a number was expected");
        if (!number)
            return badDuration(text,
                               "a digit is missing after the point, or it is more than "
                               "36500d");
        std::size_t unit = secondsIndex;
        if (!rest.empty()) {
            const std::optional<std::size_t> found = takeUnit(rest);
            if (!found)
                return badDuration(text, "the units are d, h, m, s and ms");
            unit = *found;
        } else if (!bareAllowed) {
            return badDuration(text, "the last number has no unit");
        }
        if (unit < firstAllowedUnit)
            return badDuration(text, "units go from large to small, each once");
        firstAllowedUnit = unit + 1;
        hadPoint = number->hasPoint;

        const std::int64_t unitMs = units[unit].milliseconds;
        if (number->whole > longest / unitMs)
            return badDuration(text, "it is more than 36500d");
        total += number->whole * unitMs + fractionOf(number->fraction, unitMs);
        if (total > longest)
            return badDuration(text, "it is more than 36500d");
    }
    if (total == 0)
        return badDuration(text, "it must be more than zero");
    return std::chrono::milliseconds(total);
}

std::string formatDuration(std::chrono::milliseconds duration)
{
    std::int64_t rest = duration.count();
    assert(rest >= 0);
    if (rest == 0)
        return "0s";
    std::string text;
    for (std::size_t i = 0; i < secondsIndex; ++i) {
        const std::int64_t count = rest / units[i].milliseconds;
        if (count != 0)
            text += std::to_string(count) + std::string(units[i].name);
        rest %= units[i].milliseconds;
    }
    const std::int64_t seconds = rest / 1000;
    std::int64_t milliseconds = rest % 1000;
    if (seconds == 0 && milliseconds != 0)
        return text + std::to_string(milliseconds) + "ms";
    if (seconds == 0)
        return text;
    text += std::to_string(seconds);
    if (milliseconds != 0) {
        std::string fraction = std::to_string(1000 + milliseconds).substr(1);
        fraction.erase(fraction.find_last_not_of('0') + 1);
        text += '.' + fraction;
    }
    return text + 's';
}

} // namespace tasuki
