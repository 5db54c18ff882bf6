// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "codec.h"

#include "domain/attempt.h"
#include "domain/command.h"
#include "domain/ids.h"
#include "domain/outputfetch.h"
#include "domain/recordrows.h"
#include "domain/systemwords.h"
#include "domain/task.h"
#include "domain/timerange.h"

/// The fields of the types of the domain that processes of a launch tell each other.
namespace tasuki::codec {

constexpr Outcome lastOf(Of<Outcome>) { return Outcome::NotStarted; }
constexpr ProcessorKind lastOf(Of<ProcessorKind>) { return ProcessorKind::Standby; }
constexpr SeatKind lastOf(Of<SeatKind>) { return SeatKind::Master; }
constexpr Health lastOf(Of<Health>) { return Health::Left; }
constexpr HealthCause lastOf(Of<HealthCause>) { return HealthCause::Ordered; }
constexpr ClusterState lastOf(Of<ClusterState>) { return ClusterState::Down; }
constexpr DownPolicy lastOf(Of<DownPolicy>) { return DownPolicy::Stop; }

template <class A, Is<AttemptKey> M>
void fields(A& a, M& m)
{
    a(m.task, m.number);
}

template <class A, Is<RunId> M>
void fields(A& a, M& m)
{
    a(m.hex);
}

template <class A, Is<EventId> M>
void fields(A& a, M& m)
{
    a(m.epoch, m.sequence);
}

template <class A, Is<RecordMark> M>
void fields(A& a, M& m)
{
    a(m.id, m.wallTime, m.monotonic);
}

template <class A, Is<RecordPlace> M>
void fields(A& a, M& m)
{
    a(m.host, m.path, m.original);
}

template <class A, Is<RecordRows> M>
void fields(A& a, M& m)
{
    a(m.after, m.last, m.bytes);
    a.require(m.after < m.last); // else there are none
}

template <class A, Is<CapturedStream> M>
void fields(A& a, M& m)
{
    a(m.head, m.tail, m.totalBytes);
    a.require(m.totalBytes >= m.head.size() + m.tail.size());
}

template <class A, Is<ResourceUsage> M>
void fields(A& a, M& m)
{
    a(m.user, m.system, m.maxResidentKiB);
    a.require(isBelievable(m.user) && isBelievable(m.system));
}

template <class A, Is<AttemptResult> M>
void fields(A& a, M& m)
{
    a(m.outcome, m.code, m.startedAt, m.elapsed, m.usage, m.standardOutput, m.standardError);
    a.require(isBelievable(m.startedAt) && isBelievable(m.elapsed));
}

template <class A, Is<RetryBudget> M>
void fields(A& a, M& m)
{
    a(m.allowed);
}

template <class A, Is<EndWarning> M>
void fields(A& a, M& m)
{
    constexpr int highestSignal = 64;
    a(m.signalNumber, m.before);
    a.require(m.signalNumber > 0 && m.signalNumber <= highestSignal && isBelievable(m.before)
              && m.before.count() > 0);
}

template <class A, Is<WorldSeat> M>
void fields(A& a, M& m)
{
    a(m.world, m.rank, m.logMb);
}

template <class A, Is<TaskSettings> M>
void fields(A& a, M& m)
{
    a(m.retries, m.timeout, m.expectedTime, m.warning, m.workingDirectory, m.environment, m.seat);
    for (const auto& time : {m.timeout, m.expectedTime})
        a.require(!time || (isBelievable(*time) && time->count() > 0));
}

template <class A, Is<PrintedOutput> M>
void fields(A& a, M& m)
{
    a(m.key, m.standardOutput, m.standardError, m.over);
}

template <class A, Is<OutputQuery> M>
void fields(A& a, M& m)
{
    a(m.key, m.standardOutputFrom, m.standardErrorFrom);
}

template <class A, Is<OutputPiece> M>
void fields(A& a, M& m)
{
    a(m.offset, m.bytes, m.totalBytes);
}

template <class A, Is<OutputAnswer> M>
void fields(A& a, M& m)
{
    a(m.key, m.known, m.running, m.standardOutput, m.standardError);
}

template <class A, Is<FetchedOutput> M>
void fields(A& a, M& m)
{
    a(m.answer, m.problem);
}

} // namespace tasuki::codec
