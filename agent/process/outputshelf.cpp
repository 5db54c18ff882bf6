// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/outputshelf.h"

#include <cstddef>
#include <utility>

namespace tasuki::guardian {
namespace {

/// Of a stream, in one answer.
constexpr std::size_t longestPiece = 256U << 10U;
/// The same, when one attempt after the other is fetched.
constexpr std::size_t longestFetchedPiece = 1U << 20U;

OutputAnswer answerOf(const OutputQuery& query, const SpooledStream& output,
                      const SpooledStream& error, bool running, std::size_t most = longestPiece)
{
    return {.key = query.key,
            .known = true,
            .running = running,
            .standardOutput = output.piece(query.standardOutputFrom, most),
            .standardError = error.piece(query.standardErrorFrom, most)};
}

bool bringsNothing(const OutputAnswer& answer)
{
    return answer.standardOutput.bytes.empty() && answer.standardError.bytes.empty();
}

} // namespace

OutputAnswer OutputShelf::peek(const OutputQuery& query, RunningAttempt* attempt)
{
    if (attempt == nullptr)
        return {.key = query.key};
    return answerOf(query, attempt->output.stream(), attempt->error.stream(), true);
}

std::optional<FetchedOutput> OutputShelf::fetch(const Fetch& command, RunningAttempt* attempt)
{
    const OutputQuery& query = command.query;
    const auto ended = m_ended.find(query.key);
    if (attempt == nullptr && ended == m_ended.end())
        return FetchedOutput{.answer = {.key = query.key}, .problem = {}};
    SpooledStream& output = attempt != nullptr ? attempt->output.stream() : ended->second.output;
    SpooledStream& error = attempt != nullptr ? attempt->error.stream() : ended->second.error;
    if (query.standardOutputFrom != notNow)
        output.giveUp(query.standardOutputFrom);
    if (query.standardErrorFrom != notNow)
        error.giveUp(query.standardErrorFrom);
    FetchedOutput fetched{.answer = answerOf(query, output, error, attempt != nullptr,
                                             command.wait ? longestPiece : longestFetchedPiece),
                          .problem = !output.problem().empty() ? output.problem()
                                                               : error.problem()};
    if (command.wait && attempt != nullptr && bringsNothing(fetched.answer)) {
        m_waiting.push_back(command);
        return std::nullopt;
    }
    return fetched;
}

std::vector<Fetch> OutputShelf::takeWaiting(AttemptKey key)
{
    std::vector<Fetch> due;
    std::erase_if(m_waiting, [&](const Fetch& fetch) {
        if (fetch.query.key != key)
            return false;
        due.push_back(fetch);
        return true;
    });
    return due;
}

void OutputShelf::keep(RunningAttempt& attempt)
{
    SpooledStream& output = attempt.output.stream();
    SpooledStream& error = attempt.error.stream();
    if (output.spooled() || error.spooled())
        m_ended.insert_or_assign(attempt.launch.key,
                                 EndedOutput{std::move(output), std::move(error)});
}

} // namespace tasuki::guardian
