// SPDX-License-Identifier: GPL-3.0-or-later
#include "freename.h"

#include <algorithm>
#include <cstdint>

namespace tasuki {

std::string freeName(const std::string& name, std::size_t longest,
                     const std::function<bool(const std::string&)>& isTaken)
{
    if (!isTaken(name))
        return name;
    const std::size_t stemEnd = name.find_last_not_of("0123456789") + 1;
    constexpr std::size_t mostDigits = 9; // of a number that is counted on
    const std::size_t digits = std::min(name.size() - stemEnd, mostDigits);
    const std::string stem = name.substr(0, name.size() - digits);
    std::uint64_t number = digits > 0 ? std::stoull(name.substr(stem.size())) : 1;
    for (;;) {
        std::string text = std::to_string(++number);
        if (text.size() < digits)
            text.insert(0, digits - text.size(), '0');
        std::string candidate = stem.substr(0, longest - text.size()) + text;
        if (!isTaken(candidate))
            return candidate;
    }
}

} // namespace tasuki
