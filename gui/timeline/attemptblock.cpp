// SPDX-License-Identifier: GPL-3.0-or-later
#include "attemptblock.h"

#include <bit>
#include <cassert>

namespace tasuki {

namespace {

constexpr std::size_t indexOf(AttemptClass kind) { return static_cast<std::size_t>(kind); }

} // namespace

LayerCut AttemptBlock::cutAt(Nanoseconds time, std::int64_t nextStart) const
{
    const unsigned begun = startsBefore(ceilMicrosecond(time));
    assert(begun > 0);
    const unsigned last = begun - 1;
    LayerCut cut;
    for (std::size_t kind = 0; kind < endedClassCount; ++kind)
        cut.busy[kind] = busyBefore[kind];
    if (onlyClass != mixed) {
        std::int64_t sum = 0;
        for (unsigned i = 0; i < last; ++i)
            sum += end[i] - start[i];
        cut.busy[onlyClass] += sum;
    } else {
        for (unsigned i = 0; i < last; ++i)
            cut.busy[indexOf(classAt(i))] += end[i] - start[i];
    }
    for (std::int64_t& sum : cut.busy)
        sum *= nanosecondsPerMicrosecond;
    const Nanoseconds ended = end[last] * nanosecondsPerMicrosecond;
    cut.busy[indexOf(classAt(last))] += std::min(ended, time)
        - start[last] * nanosecondsPerMicrosecond;
    cut.attempts = attemptsBefore + begun;
    cut.failures = failuresBefore;
    if (failures != 0) {
        const unsigned begunFailures = failures & ((1U << begun) - 1U);
        cut.failures += static_cast<std::uint32_t>(std::popcount(begunFailures));
        cut.inFailure = (failures >> last & 1U) != 0
            && at(last).seenEnd() * nanosecondsPerMicrosecond > time;
    }
    if (time < ended) {
        cut.running = classAt(last);
        cut.steadyUntil = ended;
    } else if (!cut.inFailure) {
        const std::int64_t next = begun < count ? start[begun] : nextStart;
        cut.steadyUntil = next * nanosecondsPerMicrosecond;
    } else {
        cut.steadyUntil = time;
    }
    return cut;
}

void AttemptBlock::insert(unsigned i, const EndedAttempt& attempt)
{
    assert(count < capacity && i <= count);
    for (unsigned to = count; to > i; --to)
        put(to, at(to - 1));
    put(i, attempt);
    ++count;
    classify();
}

void AttemptBlock::moveTail(unsigned i, AttemptBlock& to)
{
    assert(to.count == 0);
    for (unsigned from = i; from < count; ++from) {
        to.put(to.count++, at(from));
        start[from] = noStart;
    }
    count = static_cast<std::uint8_t>(i);
    classify();
    to.classify();
}

void AttemptBlock::sumUp(const AttemptBlock& previous)
{
    busyBefore = previous.busyBefore;
    for (unsigned i = 0; i < previous.count; ++i)
        busyBefore[indexOf(previous.classAt(i))] += previous.end[i] - previous.start[i];
    attemptsBefore = previous.attemptsBefore + previous.count;
    failuresBefore = previous.failuresBefore
        + static_cast<std::uint32_t>(std::popcount(previous.failures));
}

void AttemptBlock::put(unsigned i, const EndedAttempt& attempt)
{
    task[i] = attempt.key.task.value();
    number[i] = attempt.key.number.value();
    outcome[i] = attempt.outcome;
    start[i] = attempt.start;
    end[i] = attempt.end;
}

void AttemptBlock::classify()
{
    failures = 0;
    onlyClass = count == 0 ? mixed : static_cast<std::uint8_t>(classAt(0));
    for (unsigned i = 0; i < count; ++i) {
        const AttemptClass kind = classAt(i);
        if (isFailure(kind))
            failures = static_cast<std::uint16_t>(failures | (1U << i));
        if (static_cast<std::uint8_t>(kind) != onlyClass)
            onlyClass = mixed;
    }
}

} // namespace tasuki
