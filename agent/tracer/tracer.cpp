// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracer.h"

#include "complaint.h"

#include <algorithm>
#include <limits>

namespace tasuki::tracer {

namespace {

/// The C functions of MPI have nowhere else to find it. Set while one thread alone calls MPI.
constinit Tracer* theTracer = nullptr;

std::size_t chunksFor(std::uint32_t memoryMiB)
{
    return std::size_t{memoryMiB} * 1024 * 1024 / (EventBuffer::chunkRecords * sizeof(Record));
}

} // namespace

Tracer* activeTracer() noexcept { return theTracer; }
void setActiveTracer(Tracer* tracer) noexcept { theTracer = tracer; }

Tracer::Tracer(const Options& options)
    : m_severalThreads(options.severalThreads),
      m_events(chunksFor(options.memoryMiB), options.spillDirectory)
{
    m_summary.lastNs = std::numeric_limits<std::int64_t>::min();
    if (m_severalThreads)
        ownThread();
}

void Tracer::record(Record record)
{
    record.timeNs = std::max(record.timeNs, m_summary.lastNs);
    record.thread = m_severalThreads ? ownThread() & mostThreads : 0;
    const std::uint64_t lostBefore = m_events.lost();
    m_events.append(record);
    if (m_events.lost() != lostBefore) {
        tellFailure();
        return;
    }
    m_summary.lastNs = record.timeNs;
    switch (record.kind) {
    case RecordKind::Begin:
    case RecordKind::End: m_summary.usedStates.set(static_cast<std::size_t>(record.state)); break;
    case RecordKind::Sent:
    case RecordKind::Received: ++m_summary.messages; break;
    case RecordKind::MoreRequests: return;
    }
    if (m_summary.events++ == 0)
        m_summary.firstNs = record.timeNs;
}

/// The thread that makes the tracer, in MPI_Init, is the first.
std::uint64_t Tracer::ownThread()
{
    constexpr std::uint64_t none = ~std::uint64_t{0};
    static constinit thread_local std::uint64_t number = none;
    if (number == none)
        number = std::min(m_threads++, mostThreads);
    return number;
}

void Tracer::recordBegin(State state, std::int64_t timeNs, std::span<const std::uint32_t> requests)
{
    if (requests.empty()) {
        record({.timeNs = timeNs, .kind = RecordKind::Begin, .state = state});
        return;
    }
    auto more = requests.subspan(1);
    record({.timeNs = timeNs,
            .kind = RecordKind::Begin,
            .state = state,
            .tag = static_cast<std::int32_t>(more.size()),
            .request = requests.front()});
    while (!more.empty()) {
        const auto number = [&more](std::size_t i) { return i < more.size() ? more[i] : 0; };
        record({.timeNs = timeNs,
                .kind = RecordKind::MoreRequests,
                .state = state,
                .peer = static_cast<std::int32_t>(number(0)),
                .tag = static_cast<std::int32_t>(number(1)),
                .communicator = number(2),
                .request = number(3)});
        more = more.subspan(std::min<std::size_t>(more.size(), requestsPerRecord));
    }
}

void Tracer::setLogging(bool wanted)
{
    const auto guard = lock();
    if (logging() == wanted)
        return;
    m_logging = wanted;
    record({.timeNs = nowNs(),
            .kind = wanted ? RecordKind::End : RecordKind::Begin,
            .state = State::Off});
}

RankSummary Tracer::summary() const
{
    RankSummary summary = m_summary;
    summary.records = m_events.size();
    summary.spilled = m_events.spilled();
    summary.lost = m_events.lost();
    summary.communicators = m_communicators.ids().size();
    return summary;
}

void Tracer::stop() noexcept
{
    const auto guard = lock();
    m_events.stop();
}

void Tracer::makeRoom()
{
    const std::int64_t beginNs = nowNs();
    const bool spilled = m_events.makeRoom();
    tellFailure();
    if (spilled) {
        record({.timeNs = beginNs, .kind = RecordKind::Begin, .state = State::Spill});
        record({.timeNs = nowNs(), .kind = RecordKind::End, .state = State::Spill});
    }
}

void Tracer::tellFailure()
{
    if (const auto failure = m_events.takeFailure()) {
        complain("rank " + std::to_string(m_communicators.worldRank()) + ": " + failure->message
                 + "; what it does from here on is not in the trace");
    }
}

} // namespace tasuki::tracer
