// SPDX-License-Identifier: GPL-3.0-or-later
#include "payload.h"

#include <algorithm>
#include <cstring>

namespace tasuki::conformance {

namespace {

std::uint64_t mixed(std::uint64_t value)
{
    value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
    value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
    return value ^ (value >> 31U);
}

} // namespace

Message payload(std::uint64_t salt, ProcessorId from, ProcessorId to, std::size_t index,
                std::size_t size)
{
    std::uint64_t state = mixed(salt + 1);
    for (const auto part : {static_cast<std::uint64_t>(from.value()),
                            static_cast<std::uint64_t>(to.value()), std::uint64_t{index}})
        state = mixed(state * 31 + part + 1);
    Message message(size, '\0');
    for (std::size_t place = 0; place < size; place += sizeof(state)) {
        state = state * 0x5851F42D4C957F2DU + 0x14057B7EF767814FU;
        const std::uint64_t word = state ^ (state >> 33U);
        std::memcpy(message.data() + place, &word, std::min(sizeof(word), size - place));
    }
    return message;
}

} // namespace tasuki::conformance
