// SPDX-License-Identifier: GPL-3.0-or-later
#include "planworker.h"

#include "plan/compiler.h"
#include "plan/enumeration.h"
#include "plan/loggedpart.h"
#include "plan/lsmg.h"
#include "plan/replay.h"
#include "plan/search.h"
#include "trace/tracefile.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>

namespace tasuki::planner {

namespace {

constexpr std::chrono::milliseconds progressPause{50};
/// Between results so far, in pauses between words on progress.
constexpr int partialEvery = 20;

Diagnostic toDiagnostic(const Error& error, std::string file = {})
{
    return {.severity = Severity::Failure,
            .place = error.place.value_or(SourcePlace{.file = std::move(file)}),
            .message = error.message,
            .remedy = error.remedy};
}

/// Tells how far a search has got, from a thread of its own, as long as it lives.
class ProgressTeller {
public:
    ProgressTeller(const std::atomic<std::uint64_t>& tried, std::function<void(std::uint64_t)> tell)
        : m_thread([this, &tried, tell = std::move(tell)](const std::stop_token& stop) {
              std::unique_lock lock(m_mutex);
              while (!m_wake.wait_for(lock, stop, progressPause, [] { return false; })
                     && !stop.stop_requested())
                  tell(tried.load());
          })
    {}

private:
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::jthread m_thread;
};

} // namespace

void PlanWorker::load(quint64 number, const std::filesystem::path& path,
                      const std::stop_token& stop)
{
    LoadedTrace loaded;
    loaded.number = number;
    const trace::FileWatch watch{.progress =
                                     [this](const trace::FileProgress& progress) {
                                         Q_EMIT loading(progress.bytes, progress.total);
                                     },
                                 .stop = stop};
    Result<trace::TraceReading> reading = trace::readTraceFile(path.string(), watch);
    if (!reading) {
        loaded.cancelled = stop.stop_requested();
        loaded.diagnostics.push_back(toDiagnostic(reading.error(), path.string()));
    } else {
        const bool usable = reading->usable();
        loaded.diagnostics = std::move(reading->diagnostics);
        if (usable) {
            loaded.trace = std::make_shared<const trace::Trace>(std::move(reading->trace));
            loaded.timeline = std::make_shared<const plan::Timeline>(
                plan::tracedTimeline(*loaded.trace));
            loaded.tracedUs = plan::tracedRuntimeUs(*loaded.trace);
        }
    }
    Q_EMIT this->loaded(loaded);
}

Result<std::shared_ptr<const plan::Program>> PlanWorker::programOf(
    const std::shared_ptr<const trace::Trace>& trace, std::uint64_t eagerBytes,
    std::vector<Diagnostic>& warnings)
{
    if (m_compiledTrace != trace || m_compiledEagerBytes != eagerBytes || !m_program) {
        m_program.reset();
        Result<plan::Compiled> compiled = plan::compile(*trace, eagerBytes);
        if (!compiled)
            return compiled.error();
        m_compiledTrace = trace;
        m_compiledEagerBytes = eagerBytes;
        m_program = std::make_shared<const plan::Program>(std::move(compiled->program));
        m_programWarnings = std::move(compiled->warnings);
    }
    warnings.insert(warnings.end(), m_programWarnings.begin(), m_programWarnings.end());
    return m_program;
}

Result<std::shared_ptr<const plan::Predictor>> PlanWorker::predictorOf(
    const SearchRequest& request, std::vector<Diagnostic>& warnings)
{
    if (request.model == Model::Lsmg) {
        auto program = std::make_shared<const plan::LsmgProgram>(plan::lsmgProgram(*request.trace));
        return std::shared_ptr<const plan::Predictor>(
            std::make_shared<const plan::Lsmg>(std::move(program), request.environment));
    }
    auto program = programOf(request.trace, request.environment->eagerBytes, warnings);
    if (!program)
        return program.error();
    return std::shared_ptr<const plan::Predictor>(
        std::make_shared<const plan::Replay>(*program, request.environment));
}

void PlanWorker::count(const SearchRequest& request, const std::stop_token& stop)
{
    const plan::Enumeration allocations(*request.environment, request.trace->tasks());
    if (const auto total = allocations.count({}, stop))
        Q_EMIT counted({.number = request.number, .total = *total});
}

void PlanWorker::search(const SearchRequest& request, const std::stop_token& stop)
{
    SearchResult result{.number = request.number,
                        .diagnostics = {},
                        .environment = request.environment,
                        .model = request.model};
    const std::uint32_t tasks = request.trace->tasks();
    const auto refuse = [&](const Error& error) {
        result.diagnostics.push_back(toDiagnostic(error));
        Q_EMIT searched(result);
    };
    if (const Result<void> room = plan::checkRoom(*request.environment, tasks); !room)
        return refuse(room.error());
    const auto predictor = predictorOf(request, result.diagnostics);
    if (!predictor)
        return refuse(predictor.error());
    const auto total = plan::Enumeration(*request.environment, tasks).count({}, stop);
    // Stopped before anything was tried.
    result.total = total.value_or(plan::AllocationCount(std::numeric_limits<quint64>::max()));
    if (!total) {
        Q_EMIT searched(result);
        return;
    }
    std::atomic<std::uint64_t> tried = 0;
    plan::RankingBoard board(keptAllocations);
    {
        const ProgressTeller teller(tried,
                                    [&, round = 0, partial = result](std::uint64_t count) mutable {
                                        Q_EMIT searching({.number = request.number,
                                                          .tried = count,
                                                          .total = partial.total.saturated(),
                                                          .allocations = partial.total});
                                        ++round;
                                        if (round % partialEvery == 0) {
                                            board.want();
                                        } else if (round % partialEvery == 1 && round > 1) {
                                            partial.ranking = board.shown();
                                            partial.last = false;
                                            if (partial.ranking.tried() > 0)
                                                Q_EMIT searched(partial);
                                        }
                                    });
        // One core is left to the window.
        const std::uint32_t threads = std::max(2U, std::thread::hardware_concurrency()) - 1;
        result.ranking = plan::search(*request.environment, tasks, **predictor,
                                      {.keep = keptAllocations, .threads = threads}, stop, tried,
                                      &board);
    }
    Q_EMIT searched(result);
}

void PlanWorker::predict(const TimelineRequest& request)
{
    std::vector<Diagnostic> warnings;
    const auto program = programOf(request.trace, request.environment->eagerBytes, warnings);
    TimelineResult result{
        .number = request.number, .allocation = request.allocation, .timeline = {}, .best = {}};
    if (program) {
        const auto timelineOf = [&](const plan::Allocation& allocation) {
            return std::make_shared<const plan::Timeline>(
                plan::predictedTimeline(*program, request.environment, allocation));
        };
        result.timeline = timelineOf(request.allocation);
        result.best = request.allocation == request.best ? result.timeline
                                                         : timelineOf(request.best);
    }
    Q_EMIT predicted(result);
}

} // namespace tasuki::planner
