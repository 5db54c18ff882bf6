// SPDX-License-Identifier: GPL-3.0-or-later
#include "record.h"

#include "chunkformat.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace tasuki::merge::record {

namespace {

std::uint64_t variableBytesOf(std::uint64_t number)
{
    return number == 0 ? 1 : (static_cast<std::uint64_t>(std::bit_width(number)) + 6) / 7;
}

/// A number that is known to be a good one. @return behind it
const char* load(const char* from, std::uint64_t& number)
{
    number = 0;
    for (unsigned shift = 0;; shift += 7) {
        const auto byte = static_cast<unsigned char>(*from++);
        number |= std::uint64_t{byte & 0x7fU} << shift;
        if (byte < 0x80U)
            return from;
    }
}

} // namespace

std::uint64_t bytesOf(const Entry& entry)
{
    return variableBytesOf(entry.key.size()) + variableBytesOf(entry.value.size())
        + variableBytesOf(entry.stamp.time) + variableBytesOf(entry.stamp.origin) + 1
        + (std::bit_cast<std::uint64_t>(entry.score) == 0 ? 0 : format::fixedBytes)
        + entry.key.size() + entry.value.size();
}

void store(char* to, const Entry& entry)
{
    to = format::storeVariable(to, entry.key.size());
    to = format::storeVariable(to, entry.value.size());
    to = format::storeVariable(to, entry.stamp.time);
    to = format::storeVariable(to, entry.stamp.origin);
    const auto score = std::bit_cast<std::uint64_t>(entry.score);
    *to++ = score == 0 ? '\0' : '\1';
    if (score != 0) {
        format::storeFixed(to, score);
        to += format::fixedBytes;
    }
    to = std::ranges::copy(entry.key, to).out;
    std::ranges::copy(entry.value, to);
}

Entry view(const char* record)
{
    std::uint64_t keyBytes = 0;
    std::uint64_t valueBytes = 0;
    std::uint64_t time = 0;
    std::uint64_t origin = 0;
    record = load(load(load(load(record, keyBytes), valueBytes), time), origin);
    Entry entry{.key = {},
                .value = {},
                .stamp = {.time = time, .origin = static_cast<std::uint32_t>(origin)}};
    if (*record++ != '\0') {
        entry.score = std::bit_cast<double>(format::loadFixed(record));
        record += format::fixedBytes;
    }
    entry.key = {record, keyBytes};
    entry.value = {record + keyBytes, valueBytes};
    return entry;
}

std::optional<Entry> read(std::string_view& bytes)
{
    format::Scanner scanner(bytes);
    const auto keyBytes = scanner.variable();
    const auto valueBytes = keyBytes ? scanner.variable() : std::nullopt;
    const auto time = valueBytes ? scanner.variable() : std::nullopt;
    const auto origin = time ? scanner.variable() : std::nullopt;
    const auto scored = origin ? scanner.variable() : std::nullopt;
    if (!scored || *scored > 1 || *origin > std::numeric_limits<std::uint32_t>::max())
        return std::nullopt;
    Entry entry{.key = {},
                .value = {},
                .stamp = {.time = *time, .origin = static_cast<std::uint32_t>(*origin)}};
    if (*scored == 1) {
        const auto bits = scanner.fixed();
        if (!bits || *bits == 0)
            return std::nullopt;
        entry.score = std::bit_cast<double>(*bits);
        if (std::isnan(entry.score))
            return std::nullopt;
    }
    const std::string_view rest = scanner.rest();
    if (*keyBytes > rest.size() || *valueBytes > rest.size() - *keyBytes)
        return std::nullopt;
    entry.key = rest.substr(0, *keyBytes);
    entry.value = rest.substr(*keyBytes, *valueBytes);
    bytes = rest.substr(*keyBytes + *valueBytes);
    return entry;
}

} // namespace tasuki::merge::record
