// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputtail.h"

#include <algorithm>
#include <utility>

namespace tasuki::steering {

namespace {

/// Before the end of a long stream: the last lines are looked for there.
constexpr std::uint64_t reach = 64U * 1024;

} // namespace

OutputTail::OutputTail(AttemptKey key, std::optional<std::size_t> lines) : m_key(key)
{
    m_output.lines = lines;
    m_error.lines = lines;
}

OutputTail::OutputTail(AttemptKey key, std::uint64_t outputFrom, std::uint64_t errorFrom)
    : m_key(key)
{
    m_output.from = outputFrom;
    m_error.from = errorFrom;
}

OutputQuery OutputTail::query() const
{
    return {.key = m_key, .standardOutputFrom = m_output.from, .standardErrorFrom = m_error.from};
}

TailText OutputTail::take(OutputAnswer answer)
{
    const auto before = std::pair(m_output.from, m_error.from);
    TailText text;
    m_known = answer.known;
    if (!m_known) { // its last bytes may be on their way to the record
        m_idle = true;
        return text;
    }
    const std::uint64_t total = answer.standardOutput.totalBytes;
    const std::uint64_t errorTotal = answer.standardError.totalBytes;
    text.standardOutput = m_output.take(std::move(answer.standardOutput), text.missing);
    text.standardError = m_error.take(std::move(answer.standardError), text.missing);
    m_idle = std::pair(m_output.from, m_error.from) == before;
    m_atEnd = !answer.running && m_output.from >= total && m_error.from >= errorTotal;
    return text;
}

std::string OutputTail::Stream::take(OutputPiece piece, std::uint64_t& missing)
{
    if (lines && held.empty() && piece.totalBytes > piece.offset + piece.bytes.size() + reach) {
        from = piece.totalBytes - reach; // the beginning is not of interest
        return {};
    }
    if (piece.offset > from && !lines)
        missing += piece.offset - from;
    from = std::max(from, piece.offset + piece.bytes.size());
    if (!lines)
        return std::move(piece.bytes);
    held += piece.bytes;
    // Who writes faster than this reads is shown all the same.
    return from >= piece.totalBytes || held.size() > 4 * reach ? lastLines() : std::string();
}

std::string OutputTail::Stream::lastLines()
{
    std::size_t wanted = *std::exchange(lines, std::nullopt);
    std::string text = std::exchange(held, {});
    std::size_t begin = text.size();
    std::size_t end = text.ends_with('\n') ? text.size() - 1 : text.size();
    while (wanted > 0 && begin > 0) {
        const auto newline = end == 0 ? std::string::npos : text.rfind('\n', end - 1);
        begin = newline == std::string::npos ? 0 : newline + 1;
        end = newline == std::string::npos ? 0 : newline;
        --wanted;
    }
    return text.substr(begin);
}

} // namespace tasuki::steering
