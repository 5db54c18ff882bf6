// SPDX-License-Identifier: GPL-3.0-or-later
#include "tailpieces.h"

#include <array>
#include <charconv>

namespace tasuki::steering {

namespace {

constexpr std::array<std::string_view, 3> streamNames{"output", "error", "words"};
constexpr std::size_t longestHead = 200;
constexpr std::uint64_t longestPiece = 16U * 1024 * 1024;

/// Takes a number off the beginning, and what ends it.
template <class Number>
bool takeNumber(std::string_view& text, char end, Number& number)
{
    const char* const begin = text.data();
    const auto [stop, error] = std::from_chars(begin, begin + text.size(), number);
    if (error != std::errc{})
        return false;
    text.remove_prefix(static_cast<std::size_t>(stop - begin));
    if (end == '\0')
        return text.empty();
    if (!text.starts_with(end))
        return false;
    text.remove_prefix(1);
    return true;
}

bool takePlace(std::string_view& text, char end, TailPlace& place)
{
    return takeNumber(text, ',', place.attempt) && takeNumber(text, ',', place.output)
        && takeNumber(text, end, place.error);
}

Error noPiece()
{
    return {.kind = ErrorKind::Protocol,
            .message = "what came from the other host is no output of tasuki-agent tail"};
}

} // namespace

std::string tailPlaceText(const TailPlace& place)
{
    return std::to_string(place.attempt) + ',' + std::to_string(place.output) + ','
        + std::to_string(place.error);
}

std::optional<TailPlace> tailPlaceOf(std::string_view text)
{
    TailPlace place;
    return takePlace(text, '\0', place) && place.attempt > 0 ? std::optional(place) : std::nullopt;
}

std::string written(const TailPiece& piece)
{
    return std::string(streamNames.at(static_cast<std::size_t>(piece.stream))) + ' '
        + tailPlaceText(piece.after) + ' ' + std::to_string(piece.bytes.size()) + '\n'
        + piece.bytes;
}

Result<std::optional<TailPiece>> TailPieces::next()
{
    const auto newline = m_text.find('\n');
    if (newline == std::string::npos)
        return m_text.size() > longestHead ? Result<std::optional<TailPiece>>(noPiece())
                                           : std::optional<TailPiece>();
    std::string_view head(m_text.data(), newline);
    TailPiece piece;
    const auto blank = head.find(' ');
    const std::string_view name = head.substr(0, blank);
    std::size_t stream = 0;
    while (stream < streamNames.size() && streamNames.at(stream) != name)
        ++stream;
    if (blank == std::string_view::npos || stream == streamNames.size())
        return noPiece();
    piece.stream = static_cast<TailPiece::Stream>(stream);
    head.remove_prefix(blank + 1);
    std::uint64_t length = 0;
    if (!takePlace(head, ' ', piece.after) || !takeNumber(head, '\0', length)
        || length > longestPiece)
        return noPiece();
    if (m_text.size() - newline - 1 < length)
        return std::optional<TailPiece>();
    piece.bytes = m_text.substr(newline + 1, length);
    m_text.erase(0, newline + 1 + length);
    return std::optional(std::move(piece));
}

} // namespace tasuki::steering
