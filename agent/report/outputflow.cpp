// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputflow.h"

#include <algorithm>
#include <utility>

namespace tasuki {

namespace {

/// Longer lines are printed in parts, between which others may stand.
constexpr std::size_t longestLine = 1U << 20U;

const char* streamName(std::size_t index) { return index == 0 ? "output" : "error output"; }

} // namespace

void PrintedStretch::add(std::string_view more)
{
    constexpr std::uint64_t prime = 1'099'511'628'211U;
    bytes += more.size();
    for (const char byte : more)
        hash = (hash ^ static_cast<unsigned char>(byte)) * prime;
}

OutputFlow::OutputFlow(AttemptKey key, FlowStyle style, const PrintedStretches& before)
    : m_key(key), m_style(std::move(style))
{
    for (std::size_t i = 0; i < streamCount; ++i)
        m_streams[i].before = before[i];
}

void OutputFlow::startAt(std::uint64_t output, std::uint64_t error)
{
    const std::array places{output, error};
    for (std::size_t i = 0; i < streamCount; ++i) {
        m_streams[i].at = places[i];
        m_streams[i].printed = {.bytes = places[i], .compares = false};
    }
}

PrintedStretches OutputFlow::printed() const
{
    PrintedStretches printed;
    // Who has not come to the end of what was printed before has added nothing.
    for (std::size_t i = 0; i < streamCount; ++i) {
        const Stream& stream = m_streams[i];
        printed[i] = stream.printed.bytes < stream.before.bytes ? stream.before : stream.printed;
    }
    return printed;
}

void OutputFlow::ended(CapturedStream output, CapturedStream error)
{
    m_ended = true;
    m_streams[0].kept = std::move(output);
    m_streams[1].kept = std::move(error);
    if (!m_asked)
        advance();
}

std::optional<OutputQuery> OutputFlow::ask()
{
    if (m_asked || m_done || (!m_ended && (m_silent || !m_style.live)))
        return std::nullopt;
    OutputQuery query{.key = m_key, .standardOutputFrom = notNow, .standardErrorFrom = notNow};
    const std::array<std::uint64_t*, streamCount> places{&query.standardOutputFrom,
                                                         &query.standardErrorFrom};
    for (std::size_t i = 0; i < streamCount; ++i) {
        if (m_streams[i].complete)
            continue;
        *places[i] = m_streams[i].at;
        m_asked = true;
        if (!m_style.live)
            break;
    }
    return m_asked ? std::optional(query) : std::nullopt;
}

void OutputFlow::answered(FetchedOutput fetched)
{
    OutputAnswer& answer = fetched.answer;
    m_asked = false;
    if (!answer.known) {
        lost("the processor that ran it is lost");
        return;
    }
    m_silent = !answer.running; // what is left is told with its end
    const std::array<OutputPiece*, streamCount> pieces{&answer.standardOutput,
                                                       &answer.standardError};
    for (std::size_t i = 0; i < streamCount; ++i) {
        if (m_streams[i].complete)
            continue;
        take(i, std::move(*pieces[i]), fetched.problem);
        if (!m_style.live)
            break;
    }
    advance();
}

void OutputFlow::take(std::size_t index, OutputPiece&& piece, const std::string& problem)
{
    Stream& stream = m_streams[index];
    if (m_ended && stream.kept.droppedBytes() == 0)
        return; // all of it is here
    const std::string reason = problem.empty() ? "it cannot be read" : problem;
    if (m_ended && piece.bytes.empty()) {
        if (stream.at < stream.kept.totalBytes)
            cut(index, reason);
        return;
    }
    if (piece.offset > stream.at)
        skip(index, piece.offset, reason);
    feed(index, piece.bytes);
    stream.at += piece.bytes.size();
}

void OutputFlow::lost(const std::string& reason)
{
    m_asked = false;
    m_silent = true;
    if (!m_ended)
        return;
    for (std::size_t i = 0; i < streamCount; ++i) {
        if (!m_streams[i].complete && m_streams[i].kept.droppedBytes() != 0)
            cut(i, reason);
    }
    advance();
}

void OutputFlow::drop(StreamKind stream)
{
    Stream& dropped = m_streams[static_cast<std::size_t>(stream)];
    dropped.complete = true;
    dropped.unfinished.clear();
    if (m_ended && !m_asked)
        advance();
}

/// Finishes what can be finished without asking.
void OutputFlow::advance()
{
    if (!m_ended || m_done)
        return;
    for (std::size_t i = 0; i < streamCount; ++i) {
        Stream& stream = m_streams[i];
        if (stream.complete)
            continue;
        if (stream.kept.droppedBytes() == 0) {
            const std::string rest = std::exchange(stream.kept.head, {});
            feed(i, std::string_view(rest).substr(std::min<std::uint64_t>(stream.at, rest.size())));
        } else if (stream.at < stream.kept.totalBytes) {
            return; // in its turn
        }
        finish(i);
    }
    m_done = true;
    m_blocks.push_back({.key = m_key, .stream = StreamKind::Error, .bytes = {}, .last = true});
}

/// The rest is what the record keeps.
void OutputFlow::cut(std::size_t index, const std::string& reason)
{
    Stream& stream = m_streams[index];
    const CapturedStream& kept = stream.kept;
    if (stream.at < kept.head.size()) {
        feed(index, std::string_view(kept.head).substr(stream.at));
        stream.at = kept.head.size();
    }
    const std::uint64_t tailBegin = kept.totalBytes - kept.tail.size();
    if (stream.at < tailBegin)
        skip(index, tailBegin, reason);
    feed(index, std::string_view(kept.tail).substr(stream.at - tailBegin));
    stream.at = kept.totalBytes;
}

void OutputFlow::skip(std::size_t index, std::uint64_t to, const std::string& reason)
{
    Stream& stream = m_streams[index];
    std::string words = std::string(streamName(index)) + " of task "
        + std::to_string(m_key.task.value()) + " is cut at " + std::to_string(stream.at);
    if (m_ended)
        words += " of " + std::to_string(stream.kept.totalBytes);
    m_complaints.push_back(words + " bytes: " + reason);
    feed(index, "\n[... " + std::to_string(to - stream.at) + " bytes dropped ...]\n");
    stream.at = to;
}

/// @return what was not printed before
std::string_view OutputFlow::leaveOut(std::size_t index, std::string_view bytes)
{
    Stream& stream = m_streams[index];
    if (stream.printed.bytes >= stream.before.bytes)
        return bytes;
    const auto again = static_cast<std::size_t>(
        std::min<std::uint64_t>(bytes.size(), stream.before.bytes - stream.printed.bytes));
    stream.printed.add(bytes.substr(0, again));
    if (stream.printed.bytes == stream.before.bytes && stream.before.compares
        && stream.printed.hash != stream.before.hash)
        m_complaints.push_back(std::string(streamName(index)) + " of task "
                               + std::to_string(m_key.task.value())
                               + " is another one than before it was lost, somewhere in the first "
                               + std::to_string(stream.before.bytes) + " bytes");
    return bytes.substr(again);
}

void OutputFlow::feed(std::size_t index, std::string_view bytes)
{
    bytes = leaveOut(index, bytes);
    if (!m_style.live) {
        put(index, bytes);
        return;
    }
    std::string& unfinished = m_streams[index].unfinished;
    const std::size_t end = bytes.rfind('\n');
    if (end == std::string_view::npos) {
        unfinished += bytes;
        if (unfinished.size() > longestLine)
            put(index, std::exchange(unfinished, {}));
        return;
    }
    put(index, std::exchange(unfinished, {}).append(bytes.substr(0, end + 1)));
    unfinished = bytes.substr(end + 1);
}

void OutputFlow::put(std::size_t index, std::string_view bytes)
{
    if (bytes.empty())
        return;
    Stream& stream = m_streams[index];
    if (m_style.goesOn)
        stream.printed.add(bytes);
    else
        stream.printed.bytes += bytes.size();
    OutputBlock block{.key = m_key,
                      .stream = static_cast<StreamKind>(index),
                      .bytes = {},
                      .upTo = stream.printed.bytes};
    if (m_style.tag.empty()) {
        block.bytes = bytes;
        stream.insideLine = bytes.back() != '\n';
    }
    while (!m_style.tag.empty() && !bytes.empty()) {
        if (!stream.insideLine)
            block.bytes.append(m_style.tag).push_back('\t');
        const std::size_t end = bytes.find('\n');
        const std::string_view line = bytes.substr(0,
                                                   end == std::string_view::npos ? end : end + 1);
        block.bytes += line;
        stream.insideLine = line.back() != '\n';
        bytes.remove_prefix(line.size());
    }
    m_blocks.push_back(std::move(block));
}

void OutputFlow::finish(std::size_t index)
{
    Stream& stream = m_streams[index];
    stream.complete = true;
    put(index, std::exchange(stream.unfinished, {}));
    // The progress line must not run into it.
    if (index == static_cast<std::size_t>(StreamKind::Error) && !m_style.exact && stream.insideLine)
        m_blocks.push_back({.key = m_key, .stream = StreamKind::Error, .bytes = "\n"});
}

std::vector<OutputBlock> OutputFlow::take() { return std::exchange(m_blocks, {}); }

std::vector<std::string> OutputFlow::takeComplaints() { return std::exchange(m_complaints, {}); }

} // namespace tasuki
