// SPDX-License-Identifier: GPL-3.0-or-later
#include "planwork.h"

#include "plan/enumeration.h"
#include "plan/environmentfile.h"
#include "plan/modelpredictor.h"
#include "plan/search.h"
#include "trace/alogreader.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace tasuki::planning {

namespace {

using Messages = std::vector<link::AgentMessage>;

/// Numbers of nodes in one message.
constexpr std::size_t nodesPerMessage = 65'536;
/// More are of no use to anybody.
constexpr std::size_t mostNotes = 200;

link::PlanEnded failed(std::uint64_t number, std::string reason)
{
    return {
        .number = number, .end = link::PlanEnd::Failed, .reason = std::move(reason), .notes = {}};
}

link::PlanEnded stoppedPlan(std::uint64_t number)
{
    return {.number = number, .end = link::PlanEnd::Stopped, .reason = {}, .notes = {}};
}

void append(std::vector<std::uint32_t>& numbers, const plan::Allocation& allocation)
{
    for (const plan::Node node : allocation)
        numbers.push_back(node.value());
}

/// A ranking, cut into messages of moderate size.
void appendFound(Messages& messages, std::uint64_t number, std::uint32_t tasks,
                 const plan::Ranking& ranking, std::uint64_t total)
{
    if (ranking.tried() == 0)
        return;
    const std::vector<plan::Ranked> best = ranking.best();
    const std::size_t each = std::max<std::size_t>(
        1, nodesPerMessage / std::max<std::uint32_t>(1, tasks));
    for (std::size_t begin = 0; begin < best.size(); begin += each) {
        const std::size_t end = std::min(best.size(), begin + each);
        link::PlanFound part{.number = number, .tasks = tasks, .more = end < best.size()};
        for (std::size_t index = begin; index < end; ++index) {
            part.timesUs.push_back(best[index].timeUs);
            append(part.nodes, best[index].allocation);
        }
        if (!part.more) {
            part.worstUs = ranking.worst().timeUs;
            append(part.worstNodes, ranking.worst().allocation);
            part.sumUs = ranking.sumUs();
            part.tried = ranking.tried();
            part.total = total;
        }
        messages.emplace_back(std::move(part));
    }
}

/// @return false when it is to stop
bool readPieces(trace::AlogReader& reader, const PlanContent& content, const std::stop_token& stop)
{
    for (const std::string& piece : content.trace()) {
        if (stop.stop_requested())
            return false;
        reader.add(piece);
    }
    return true;
}

/// @return nothing when it is to stop
std::optional<trace::TraceReading> readTrace(const std::string& name, const PlanContent& content,
                                             const std::stop_token& stop)
{
    trace::AlogReader reader(name);
    if (!readPieces(reader, content, stop))
        return std::nullopt;
    trace::AlogPass pass = reader.finish();
    if (!pass.late)
        return std::move(pass.reading);
    // Headers stood behind records that need them.
    trace::AlogReader again(name, *pass.late);
    if (!readPieces(again, content, stop))
        return std::nullopt;
    return again.finish().reading;
}

std::string firstError(const std::vector<Diagnostic>& diagnostics)
{
    const auto found = std::ranges::find_if(diagnostics, &Diagnostic::isError);
    return found == diagnostics.end() ? std::string("it cannot be used") : found->text();
}

/// What is told while a search goes on, from a thread of its own, as long as it lives.
class SearchTeller {
public:
    SearchTeller(const link::PlanProgress& begun, const PlanPace& pace, plan::RankingBoard& board,
                 const std::atomic<std::uint64_t>& tried, const PlanTeller& tell)
        : m_progress(begun),
          m_pace(pace),
          m_board(board),
          m_tried(tried),
          m_tell(tell),
          m_thread([this](const std::stop_token& stop) { run(stop); })
    {}

private:
    void run(const std::stop_token& stop)
    {
        std::unique_lock lock(m_mutex);
        auto looked = std::chrono::steady_clock::now();
        bool wanted = false;
        while (!m_wake.wait_for(lock, stop, m_pace.progress, [] { return false; })
               && !stop.stop_requested()) {
            m_progress.tried = m_tried.load(std::memory_order_relaxed);
            Messages messages{m_progress};
            const auto now = std::chrono::steady_clock::now();
            if (std::exchange(wanted, now - looked >= m_pace.partial))
                appendNews(messages);
            if (wanted) {
                looked = now;
                m_board.want();
            }
            m_tell(std::move(messages));
        }
    }

    /// What was found since it was told last.
    void appendNews(Messages& messages)
    {
        const plan::Ranking shown = m_board.shown();
        if (std::exchange(m_toldTried, shown.tried()) != shown.tried())
            appendFound(messages, m_progress.number, m_progress.tasks, shown, m_progress.total);
    }

    link::PlanProgress m_progress;
    std::uint64_t m_toldTried = 0;
    const PlanPace& m_pace;
    plan::RankingBoard& m_board;
    const std::atomic<std::uint64_t>& m_tried;
    const PlanTeller& m_tell;
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::jthread m_thread; ///< last: it uses the others
};

Messages searched(const link::PlanRequest& request, const trace::Trace& trace,
                  const std::shared_ptr<const plan::Environment>& environment, const PlanPace& pace,
                  const std::stop_token& stop, const PlanTeller& tell)
{
    link::PlanEnded ended{
        .number = request.number, .end = link::PlanEnd::Whole, .reason = {}, .notes = {}};
    const std::uint32_t tasks = trace.tasks();
    if (const Result<void> room = plan::checkRoom(*environment, tasks); !room)
        return {failed(request.number, room.error().text())};
    const auto model = request.model == link::PlanModel::Lsmg ? plan::Model::Lsmg
                                                              : plan::Model::Replay;
    const auto predictor = plan::modelPredictor(model, trace, environment, ended.notes);
    if (!predictor)
        return {failed(request.number, predictor.error().text())};
    if (ended.notes.size() > mostNotes)
        ended.notes.resize(mostNotes);
    const auto all = plan::Enumeration(*environment, tasks).count({}, stop);
    if (!all)
        return {stoppedPlan(request.number)};
    const link::PlanProgress progress{.number = request.number,
                                      .phase = link::PlanPhase::Searching,
                                      .tasks = tasks,
                                      .records = trace.events.size(),
                                      .tried = 0,
                                      .total = all->saturated()};
    tell({progress});
    const std::size_t room = std::max<std::size_t>(1, pace.keptNodes / tasks);
    const std::size_t keep = std::min<std::size_t>(request.keep, room);
    std::atomic<std::uint64_t> tried = 0;
    plan::RankingBoard board(keep);
    const plan::Ranking ranking = [&] {
        const SearchTeller teller(progress, pace, board, tried, tell);
        return plan::search(*environment, tasks, **predictor,
                            {.keep = keep, .threads = pace.threads}, stop, tried, &board);
    }();
    Messages messages;
    appendFound(messages, request.number, tasks, ranking, progress.total);
    if (ranking.tried() < progress.total)
        ended.end = link::PlanEnd::Stopped;
    messages.emplace_back(std::move(ended));
    return messages;
}

} // namespace

std::vector<link::AgentMessage> workOutPlan(const link::PlanRequest& request,
                                            const PlanContent& content, const PlanPace& pace,
                                            const std::stop_token& stop, const PlanTeller& tell)
{
    tell({link::PlanProgress{.number = request.number, .phase = link::PlanPhase::Reading}});
    plan::EnvironmentReading environment = plan::readEnvironmentText(content.environment(),
                                                                     request.environmentName);
    if (!environment.environment)
        return {failed(request.number, firstError(environment.diagnostics))};
    const auto reading = readTrace(request.traceName, content, stop);
    if (!reading)
        return {stoppedPlan(request.number)};
    if (!reading->usable())
        return {failed(request.number, firstError(reading->diagnostics))};
    if (reading->trace.tasks() == 0)
        return {failed(request.number, "the trace has no tasks")};
    return searched(request, reading->trace,
                    std::make_shared<const plan::Environment>(std::move(*environment.environment)),
                    pace, stop, tell);
}

} // namespace tasuki::planning
