// SPDX-License-Identifier: GPL-3.0-or-later
#include "logcollection.h"

#include "complaint.h"
#include "logfile.h"
#include "logmerger.h"
#include "logtext.h"
#include "real.h"
#include "recordblocks.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

namespace tasuki::tracer {

namespace {

constexpr std::size_t textBlock = 256 * 1024;

/// Lines into the file, in blocks.
class FileSink final : public EventSink {
public:
    FileSink(LogFile file, const LogSummary& summary) : m_file(std::move(file)), m_text(summary)
    {
        m_block.reserve(textBlock + 4096);
        m_text.appendHeader(m_block);
    }

    bool take(const MergedEvent& event) override
    {
        m_text.appendEvent(m_block, event);
        return m_block.size() < textBlock || flush();
    }

    Result<void> finish()
    {
        if (!flush())
            return *m_failure;
        return m_file.finish();
    }
    [[nodiscard]] const std::optional<Error>& failure() const { return m_failure; }
    [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }

private:
    bool flush()
    {
        m_bytes += m_block.size();
        if (auto written = m_file.write(m_block); !written)
            m_failure = written.error();
        m_block.clear();
        return !m_failure;
    }

    LogFile m_file;
    LogText m_text;
    std::string m_block;
    std::optional<Error> m_failure;
    std::uint64_t m_bytes = 0;
};

std::vector<RankSummary> gatherSummaries(MPI_Comm communicator, const RankSummary& own, int ranks)
{
    std::vector<RankSummary> all(static_cast<std::size_t>(ranks));
    real::Gather(&own, static_cast<int>(sizeof own), MPI_BYTE, all.data(),
                 static_cast<int>(sizeof own), MPI_BYTE, 0, communicator);
    return all;
}

LogSummary summarise(const std::vector<RankSummary>& ranks, const std::vector<ClockLine>& clocks)
{
    LogSummary summary{.processes = static_cast<std::uint32_t>(ranks.size()),
                       .usedStates = {},
                       .zeroNs = std::numeric_limits<std::int64_t>::max(),
                       .endNs = std::numeric_limits<std::int64_t>::min()};
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const RankSummary& rank = ranks[i];
        if (rank.events == 0)
            continue;
        summary.events += rank.events;
        summary.usedStates |= rank.usedStates;
        summary.messages = summary.messages || rank.messages > 0;
        summary.zeroNs = std::min(summary.zeroNs, clocks[i].toCommon(rank.firstNs));
        summary.endNs = std::max(summary.endNs, clocks[i].toCommon(rank.lastNs));
    }
    if (summary.events == 0)
        summary.zeroNs = summary.endNs = 0;
    return summary;
}

std::string microseconds(std::int64_t ns)
{
    return std::to_string(ns / 1000) + "." + std::to_string(std::abs(ns) % 1000 / 100) + " us";
}

void tellRanks(const std::vector<RankSummary>& ranks, const CollectionPlan& plan)
{
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const RankSummary& rank = ranks[i];
        const std::string name = "rank " + std::to_string(i);
        if (plan.verbose) {
            const ClockLine& clock = plan.clocks[i];
            complain(name + ": " + std::to_string(rank.events) + " events, "
                     + std::to_string(rank.records * sizeof(Record)) + " bytes, of which "
                     + std::to_string(rank.spilled * sizeof(Record)) + " in a file; clock "
                     + (plan.clockGroups[i] == 0 ? "of rank 0"
                                                 : microseconds(clock.offsetNs())
                                + " ahead of rank 0, error " + microseconds(clock.errorNs())));
        }
        if (rank.lost > 0)
            complain("the trace lacks " + std::to_string(rank.lost) + " records of " + name);
    }
}

/// Rank 0, with the records of all at hand.
void writeLog(const CollectionPlan& plan, const std::vector<RankSummary>& ranks,
              std::vector<TaskLog> tasks)
{
    auto file = LogFile::create(plan.file);
    if (!file) {
        complain(file.error().message + "; there is no trace of this run");
        return;
    }
    FileSink sink{std::move(*file), summarise(ranks, plan.clocks)};
    LogMerger merger{std::move(tasks), sink};
    const bool whole = merger.run();
    const Result<void> finished = whole ? sink.finish() : Result<void>{*sink.failure()};
    if (!finished) {
        complain(finished.error().message + "; there is no trace of this run");
    } else if (plan.verbose) {
        complain("wrote " + plan.file + ", " + std::to_string(sink.bytes()) + " bytes; "
                 + std::to_string(merger.mended())
                 + " receives were moved behind their sends within the clocks' errors");
    }
}

void collectAtRoot(MPI_Comm communicator, Tracer& tracer, const CollectionPlan& plan,
                   const std::vector<RankSummary>& ranks)
{
    std::vector<std::vector<CommunicatorId>> ids(ranks.size());
    ids[0] = tracer.communicators().ids();
    for (std::size_t i = 1; i < ranks.size(); ++i)
        ids[i] = receiveIds(communicator, static_cast<int>(i), ranks[i].communicators);
    auto numbers = numberCommunicators(ids);

    std::vector<std::unique_ptr<RecordStream>> streams;
    std::vector<TaskLog> tasks;
    streams.push_back(std::make_unique<OwnRecords>(tracer.events()));
    for (std::size_t i = 1; i < ranks.size(); ++i)
        streams.push_back(std::make_unique<RemoteRecords>(communicator, static_cast<int>(i)));
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        tasks.push_back({.records = streams[i].get(),
                         .clock = plan.clocks[i],
                         .communicators = std::move(numbers[i])});
    }
    tellRanks(ranks, plan);
    writeLog(plan, ranks, std::move(tasks));
}

} // namespace

void collectLog(MPI_Comm communicator, Tracer& tracer, const CollectionPlan& plan)
{
    int rank = 0;
    int size = 0;
    real::Comm_rank(communicator, &rank);
    real::Comm_size(communicator, &size);
    const auto summaries = gatherSummaries(communicator, tracer.summary(), size);
    if (rank == 0) {
        collectAtRoot(communicator, tracer, plan, summaries);
    } else {
        sendIds(communicator, tracer.communicators().ids());
        serveRecords(communicator, tracer.events());
    }
}

} // namespace tasuki::tracer
