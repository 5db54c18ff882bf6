// SPDX-License-Identifier: GPL-3.0-or-later
#include "interruption.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <utility>

namespace tasuki::farm {

namespace {

/// A shell whose command was ended by a signal exits with this and the signal's number.
constexpr std::int32_t shellSignalBase = 128;

/// @return whether whoever ends an allocation, or asks for its end, may use this signal
bool endsAllocations(std::int32_t number)
{
    constexpr std::array numbers{SIGTERM, SIGKILL, SIGINT,  SIGHUP,
                                 SIGQUIT, SIGUSR1, SIGUSR2, SIGXCPU};
    return std::ranges::find(numbers, number) != numbers.end();
}

bool endedBySignal(const AttemptResult& result)
{
    return (result.outcome == Outcome::Signalled && endsAllocations(result.code))
        || (result.outcome == Outcome::Failed && endsAllocations(result.code - shellSignalBase));
}

/// @return whether whoever ends an allocation may be behind an end: its guardian may have been killed, too
bool mayBeInterrupted(const AttemptResult& result)
{
    return result.outcome == Outcome::Failed || result.outcome == Outcome::Signalled
        || result.outcome == Outcome::Lost;
}

} // namespace

AttemptResult judged(AttemptResult result, Interruption interruption)
{
    const bool interrupted = interruption == Interruption::Killing ? mayBeInterrupted(result)
        : interruption == Interruption::Asked                      ? endedBySignal(result)
                                                                   : false;
    if (interrupted) {
        result.outcome = Outcome::Interrupted;
        result.code = 0;
    }
    return result;
}

std::optional<FinishedAttempt> EndsOnHold::take(FinishedAttempt end, SteadyTime now)
{
    const bool suspect = endedBySignal(end.result)
        || (m_policy.allFailures && mayBeInterrupted(end.result));
    if (m_interruption == Interruption::None && suspect && m_policy.grace.count() > 0) {
        m_held.push_back(std::move(end));
        m_since.push_back(now);
        return std::nullopt;
    }
    end.result = judged(std::move(end.result), m_interruption);
    return end;
}

void EndsOnHold::heard(Interruption interruption)
{
    m_interruption = std::max(m_interruption, interruption);
}

std::vector<FinishedAttempt> EndsOnHold::due(SteadyTime now)
{
    std::vector<FinishedAttempt> ends;
    while (!m_held.empty()
           && (m_interruption != Interruption::None || now - m_since.front() >= m_policy.grace)) {
        FinishedAttempt end = std::move(m_held.front());
        m_held.pop_front();
        m_since.pop_front();
        end.result = judged(std::move(end.result), m_interruption);
        ends.push_back(std::move(end));
    }
    return ends;
}

void EndsOnHold::clear()
{
    m_held.clear();
    m_since.clear();
}

} // namespace tasuki::farm
