// SPDX-License-Identifier: GPL-3.0-or-later
// What attempts have written, for those who ask.
#include "process/guardian.h"

#include <algorithm>
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

RunningAttempt* Guardian::running(AttemptKey key)
{
    const auto place = std::find_if(m_attempts.begin(), m_attempts.end(), [&](const auto& each) {
        return each->launch.key == key && each->phase != AttemptPhase::Ended;
    });
    return place == m_attempts.end() ? nullptr : place->get();
}

void Guardian::handle(Peek command)
{
    OutputAnswer answer{.key = command.query.key};
    if (RunningAttempt* const attempt = running(answer.key))
        answer = answerOf(command.query, attempt->output.stream(), attempt->error.stream(), true);
    report(Peeked{command.token, std::move(answer)}, Urgency::Now);
}

void Guardian::handle(Fetch command)
{
    const OutputQuery& query = command.query;
    FetchedOutput fetched{.answer = {.key = query.key}, .problem = {}};
    RunningAttempt* const attempt = running(query.key);
    const auto ended = m_ended.find(query.key);
    if (attempt != nullptr || ended != m_ended.end()) {
        SpooledStream& output = attempt != nullptr ? attempt->output.stream()
                                                   : ended->second.output;
        SpooledStream& error = attempt != nullptr ? attempt->error.stream() : ended->second.error;
        if (query.standardOutputFrom != notNow)
            output.giveUp(query.standardOutputFrom);
        if (query.standardErrorFrom != notNow)
            error.giveUp(query.standardErrorFrom);
        fetched.answer = answerOf(query, output, error, attempt != nullptr,
                                  command.wait ? longestPiece : longestFetchedPiece);
        fetched.problem = !output.problem().empty() ? output.problem() : error.problem();
    }
    if (command.wait && attempt != nullptr && bringsNothing(fetched.answer))
        m_fetches.push_back(command);
    else
        report(Fetched{command.token, std::move(fetched)}, Urgency::Now);
}

/// Those that wait for news of an attempt.
void Guardian::answerFetches(AttemptKey key)
{
    std::vector<Fetch> due;
    std::erase_if(m_fetches, [&](const Fetch& fetch) {
        if (fetch.query.key != key)
            return false;
        due.push_back(fetch);
        return true;
    });
    for (const Fetch& fetch : due)
        handle(fetch);
}

void Guardian::handle(Release command) { m_ended.erase(command.key); }

/// Called when its result is taken: what the disk has of it stays until it is released.
void Guardian::keepOutput(RunningAttempt& attempt)
{
    SpooledStream& output = attempt.output.stream();
    SpooledStream& error = attempt.error.stream();
    if (output.spooled() || error.spooled())
        m_ended.insert_or_assign(attempt.launch.key,
                                 EndedOutput{std::move(output), std::move(error)});
}

} // namespace tasuki::guardian
