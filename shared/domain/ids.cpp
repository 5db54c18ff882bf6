// SPDX-License-Identifier: GPL-3.0-or-later
#include "ids.h"

#include <random>

namespace tasuki {

std::string eventIdText(EventId id)
{
    return std::to_string(id.epoch.value()) + '.' + std::to_string(id.sequence.value());
}

RunId RunId::random()
{
    constexpr auto digits = "0123456789abcdef";
    constexpr int length = 32;
    std::random_device device;
    std::uniform_int_distribution<unsigned> digit(0, 15);
    RunId id;
    id.hex.reserve(length);
    for (int i = 0; i < length; ++i)
        id.hex.push_back(digits[digit(device)]);
    return id;
}

} // namespace tasuki
