// SPDX-License-Identifier: GPL-3.0-or-later
#include "shipmentframe.h"

#include "schema.h"

#include <xxhash.h>

#include <chrono>
#include <utility>

namespace tasuki {

namespace {

constexpr std::uint32_t frameMark = 0x4B53'4154; // "TASK"
constexpr std::size_t checkSumAt = 32;
constexpr std::size_t wordBytes = 8;
constexpr unsigned bitsPerByte = 8;

void putWord(std::string& out, std::uint64_t value, std::size_t bytes)
{
    for (std::size_t i = 0; i < bytes; ++i)
        out += static_cast<char>(static_cast<unsigned char>(value >> (bitsPerByte * i)));
}

/// Takes a word off the front. Precondition: it is there.
std::uint64_t takeWord(std::string_view& from, std::size_t bytes)
{
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i)
        value |= std::uint64_t{static_cast<unsigned char>(from[i])} << (bitsPerByte * i);
    from.remove_prefix(bytes);
    return value;
}

std::uint64_t checkSumOf(std::string_view head, std::string_view content)
{
    return XXH3_64bits_withSeed(content.data(), content.size(),
                                XXH3_64bits(head.data(), checkSumAt));
}

void putText(std::string& out, std::string_view text)
{
    putWord(out, text.size(), wordBytes);
    out += text;
}

std::optional<std::string> takeText(std::string_view& from)
{
    if (from.size() < wordBytes)
        return std::nullopt;
    const std::uint64_t length = takeWord(from, wordBytes);
    if (length > from.size())
        return std::nullopt;
    std::string text(from.substr(0, length));
    from.remove_prefix(length);
    return text;
}

} // namespace

std::string shipmentHead(const ShipmentFrame& frame, std::string_view content)
{
    std::string head;
    head.reserve(shipmentFrameHead);
    putWord(head, frameMark, wordBytes / 2);
    putWord(head, static_cast<std::uint32_t>(frame.kind), wordBytes / 2);
    putWord(head, content.size(), wordBytes);
    putWord(head, frame.number, wordBytes);
    putWord(head, static_cast<std::uint64_t>(frame.at.time_since_epoch().count()), wordBytes);
    putWord(head, checkSumOf(head, content), wordBytes);
    return head;
}

std::optional<ShipmentFrame> shipmentFrameOf(std::string_view head)
{
    if (takeWord(head, wordBytes / 2) != frameMark)
        return std::nullopt;
    ShipmentFrame frame;
    frame.kind = static_cast<ShipmentKind>(takeWord(head, wordBytes / 2));
    frame.bytes = takeWord(head, wordBytes);
    frame.number = takeWord(head, wordBytes);
    frame.at = WallTime(
        std::chrono::microseconds(static_cast<std::int64_t>(takeWord(head, wordBytes))));
    frame.checkSum = takeWord(head, wordBytes);
    return frame;
}

bool isWhole(std::string_view head, const ShipmentFrame& frame, std::string_view content)
{
    return content.size() == frame.bytes && checkSumOf(head, content) == frame.checkSum;
}

std::string textOf(const ShipmentOpening& opening)
{
    std::string text;
    putText(text, opening.run.hex);
    putText(text, textOf(opening.owner));
    if (opening.copyOf) {
        putText(text, opening.copyOf->host);
        putText(text, opening.copyOf->path);
    }
    return text;
}

std::optional<ShipmentOpening> shipmentOpeningOf(std::string_view text)
{
    auto run = takeText(text);
    const auto words = takeText(text);
    auto owner = words ? ownerOf(*words) : std::nullopt;
    if (!run || !owner)
        return std::nullopt;
    ShipmentOpening opening{.run = {std::move(*run)}, .owner = std::move(*owner)};
    auto host = takeText(text);
    auto path = takeText(text);
    if (host && path)
        opening.copyOf = RecordPlace{.host = std::move(*host), .path = std::move(*path)};
    return opening;
}

std::string textOf(const RecordRows& rows)
{
    std::string text;
    text.reserve(2 * wordBytes + rows.bytes.size());
    putWord(text, static_cast<std::uint64_t>(rowIdOf(rows.after)), wordBytes);
    putWord(text, static_cast<std::uint64_t>(rowIdOf(rows.last)), wordBytes);
    text += rows.bytes;
    return text;
}

std::optional<RecordRows> shippedRowsOf(std::string_view text)
{
    if (text.size() < 2 * wordBytes)
        return std::nullopt;
    const auto after = static_cast<std::int64_t>(takeWord(text, wordBytes));
    const auto last = static_cast<std::int64_t>(takeWord(text, wordBytes));
    if (after < 0 || last < after)
        return std::nullopt;
    return RecordRows{
        .after = eventIdOf(after), .last = eventIdOf(last), .bytes = std::string(text)};
}

} // namespace tasuki
