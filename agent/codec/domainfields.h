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

void fields(auto& a, Is<AttemptKey> auto& m) { a(m.task, m.number); }
void fields(auto& a, Is<RunId> auto& m) { a(m.hex); }
void fields(auto& a, Is<EventId> auto& m) { a(m.epoch, m.sequence); }
void fields(auto& a, Is<RecordMark> auto& m) { a(m.id, m.wallTime, m.monotonic); }
void fields(auto& a, Is<RecordPlace> auto& m) { a(m.host, m.path, m.original); }

void fields(auto& a, Is<RecordRows> auto& m)
{
    a(m.after, m.last, m.bytes);
    a.require(m.after < m.last); // else there are none
}

void fields(auto& a, Is<CapturedStream> auto& m)
{
    a(m.head, m.tail, m.totalBytes);
    a.require(m.totalBytes >= m.head.size() + m.tail.size());
}

void fields(auto& a, Is<ResourceUsage> auto& m)
{
    a(m.user, m.system, m.maxResidentKiB);
    a.require(isBelievable(m.user) && isBelievable(m.system));
}

void fields(auto& a, Is<AttemptResult> auto& m)
{
    a(m.outcome, m.code, m.startedAt, m.elapsed, m.usage, m.standardOutput, m.standardError);
    a.require(isBelievable(m.startedAt) && isBelievable(m.elapsed));
}

void fields(auto& a, Is<RetryBudget> auto& m) { a(m.allowed); }

void fields(auto& a, Is<EndWarning> auto& m)
{
    constexpr int highestSignal = 64;
    a(m.signalNumber, m.before);
    a.require(m.signalNumber > 0 && m.signalNumber <= highestSignal && isBelievable(m.before)
              && m.before.count() > 0);
}

void fields(auto& a, Is<WorldSeat> auto& m) { a(m.world, m.rank, m.logMb); }

void fields(auto& a, Is<TaskSettings> auto& m)
{
    a(m.retries, m.timeout, m.expectedTime, m.warning, m.workingDirectory, m.environment, m.seat);
    for (const auto& time : {m.timeout, m.expectedTime})
        a.require(!time || (isBelievable(*time) && time->count() > 0));
}

void fields(auto& a, Is<PrintedOutput> auto& m)
{
    a(m.key, m.standardOutput, m.standardError, m.over);
}

void fields(auto& a, Is<OutputQuery> auto& m)
{
    a(m.key, m.standardOutputFrom, m.standardErrorFrom);
}

void fields(auto& a, Is<OutputPiece> auto& m) { a(m.offset, m.bytes, m.totalBytes); }

void fields(auto& a, Is<OutputAnswer> auto& m)
{
    a(m.key, m.known, m.running, m.standardOutput, m.standardError);
}

void fields(auto& a, Is<FetchedOutput> auto& m) { a(m.answer, m.problem); }

} // namespace tasuki::codec
