// SPDX-License-Identifier: GPL-3.0-or-later
#include "plancommand.h"

#include "planinput.h"
#include "planoptions.h"
#include "planoutput.h"

#include "domain/sizetext.h"
#include "plan/freelinks.h"
#include "planning/backgroundcount.h"
#include "planning/planreport.h"
#include "planning/sharedsearch.h"
#include "report/progress.h"
#include "report/statusline.h"
#include "startup/exitcode.h"
#include "startup/launchenvironment.h"
#include "startup/rankstart.h"
#include "startup/slotcount.h"
#include "startup/terminal.h"
#include "transport/mpi/mpiruntime.h"
#include "transport/mpi/mpitransport.h"

#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace tasuki {

namespace {

constexpr std::chrono::milliseconds nap{2};
/// What an answer waits for the count of all allocations, which is there long before as a rule.
constexpr std::chrono::milliseconds countPause{200};
/// What takes longer has no end that concerns anybody, in seconds.
constexpr double longestLeft = 100.0 * 365 * 24 * 3600;

/// Tells the error, if there is one.
bool worked(const Result<void>& result)
{
    if (!result)
        printError(result.error());
    return result.ok();
}

/// One rank's way through the command.
class PlanRun {
public:
    PlanRun(const PlanOptions& options, const LaunchEnvironment& launch)
        : m_options(options), m_first(launch.rank == 0), m_line(stderr, columns(launch), m_clock)
    {}

    /// @return whether there is something to search; if not, the error is printed
    bool load()
    {
        if (m_first) {
            if (const Result<void> ready = preparePlanOutput(m_options); !ready) {
                printError(ready.error());
                m_exitCode = toInt(ExitCode::RunFileUnusable);
                return false;
            }
        }
        bool interrupted = false;
        PlanLoading loading = loadPlan(m_options, [&](std::uint64_t bytes, std::uint64_t total) {
            showLoading(bytes, total);
            interrupted = RankStart::signalWaits();
            return !interrupted;
        });
        m_line.clear();
        if (interrupted)
            m_exitCode = toInt(ExitCode::Interrupted);
        else if (!loading.input)
            m_exitCode = toInt(ExitCode::BadInput);
        m_diagnostics = std::move(loading.diagnostics);
        m_input = std::move(loading.input);
        if (m_input && m_first && m_options.measured) {
            m_measurements = loadMeasurements(*m_options.measured, *m_input, m_diagnostics);
            if (m_measurements.empty()) {
                m_exitCode = toInt(ExitCode::BadInput);
                m_input.reset();
            }
        }
        return m_input != nullptr;
    }

    /// What is wrong with the files is told once: by rank 0, or, where it sees nothing wrong, by those
    /// that do.
    /// @param readyFirst  rank 0 has loaded them
    void tellDiagnostics(bool readyFirst) const
    {
        for (const Diagnostic& diagnostic : m_diagnostics) {
            if (m_first || (readyFirst && diagnostic.isError()))
                std::fprintf(stderr, "tasuki-agent: %s\n", diagnostic.text().c_str());
        }
    }

    /// Ranks on other hosts may see other files of the same names.
    /// @return whether this rank has read what rank 0 has
    bool sameAsFirst(MpiRuntime& mpi)
    {
        const std::string mine = m_input->fingerprint();
        if (mpi.broadcast(mine, ProcessorId(0)) == mine)
            return true;
        printError({.kind = ErrorKind::Input,
                    .message = "rank " + std::to_string(mpi.self().value()) + " on " + mpi.host()
                        + " has read another trace or environment than rank 0",
                    .remedy = "give all hosts the same files"});
        return false;
    }

    void search(Transport* transport)
    {
        const std::size_t cores = transport == nullptr ? usableCores() : 1;
        planning::SharedSearch search(
            {.environment = m_input->environment,
             .predictor = m_input->predictor,
             .tasks = m_input->tasks,
             .keep = m_options.keep,
             .threads = m_options.threads.value_or(static_cast<std::uint32_t>(cores))},
            transport, m_clock, m_options.lostAfter);
        std::optional<planning::BackgroundCount> count;
        if (m_first)
            count.emplace(m_input->environment, m_input->tasks);
        const SteadyTime begun = m_clock.now();
        while (!search.over()) {
            search.poll();
            if (RankStart::signalWaits()) {
                m_interrupted = true;
                search.stop();
            }
            if (count)
                showSearching(search.tried(), count->within({}), m_clock.now() - begun);
            std::this_thread::sleep_for(nap);
        }
        m_line.clear();
        m_losses = !search.lost().empty();
        if (count)
            tell(search,
                 search.whole() ? plan::AllocationCount(search.tried())
                                : count->within(countPause));
    }

    [[nodiscard]] int exitCode() const { return m_exitCode; }
    [[nodiscard]] bool losses() const { return m_losses; }

private:
    static int columns(const LaunchEnvironment& launch)
    {
        return launch.underLauncher ? launchTerminalColumns() : ownTerminalColumns();
    }

    void showLoading(std::uint64_t bytes, std::uint64_t total)
    {
        if (!m_first || m_options.quiet)
            return;
        m_line.show([&](int) {
            std::string text = "plan: reading " + m_options.trace + ", " + sizeText(bytes);
            return total == 0 ? text : text + " of " + sizeText(total);
        });
    }

    void showSearching(std::uint64_t tried, const std::optional<plan::AllocationCount>& all,
                       std::chrono::nanoseconds elapsed)
    {
        if (m_options.quiet || tried == 0)
            return;
        m_line.show([&](int) {
            const double rate = static_cast<double>(tried)
                / std::chrono::duration<double>(elapsed).count();
            std::string text = "plan: " + std::to_string(tried);
            if (all)
                text += " of " + (all->exact() ? std::to_string(*all->exact()) : all->text());
            text += " allocations, " + std::to_string(static_cast<std::uint64_t>(rate)) + "/s";
            const double left = all ? std::pow(10.0, all->log10()) / rate : longestLeft;
            if (left < longestLeft)
                text += ", " + durationText(left - static_cast<double>(tried) / rate) + " left";
            return text;
        });
    }

    /// Prints and writes what was found.
    void tell(const planning::SharedSearch& search, const std::optional<plan::AllocationCount>& all)
    {
        const planning::PlanSummary summary{
            .traceName = m_options.trace,
            .tasks = m_input->tasks,
            .records = m_input->records,
            .tracedUs = m_input->tracedUs,
            .model = planModelName(m_options.model),
            .allocations = all,
            .measured = planning::predictMeasured(*m_input->predictor, m_measurements)};
        const plan::Ranking& ranking = search.ranking();
        bool told = worked(printText(planText(m_options, summary, *m_input->environment, ranking)));
        if (const std::string unfinished = plan::unfinishedText(ranking.tried(), all);
            m_options.format != PlanFormat::Table && !unfinished.empty())
            printWarning(unfinished);
        if (const std::string free = plan::freeLinksText(*m_input->environment);
            m_options.format != PlanFormat::Table && !free.empty())
            printWarning(free);
        for (const ProcessorId rank : search.lost())
            printWarning("rank " + std::to_string(rank.value())
                         + " is silent: its share of the allocations was not tried");
        if (m_interrupted)
            printWarning("interrupted: the best of what was tried");
        if (ranking.tried() > 0)
            told = worked(writePlanOutput(m_options, summary, *m_input->environment, ranking))
                && told;
        told = told && worked(printText({}));
        if (!told) {
            m_exitCode = toInt(ExitCode::RunFileUnusable);
            return;
        }
        if (m_interrupted)
            m_exitCode = toInt(ExitCode::Interrupted);
        else if (!search.whole())
            m_exitCode = toInt(ExitCode::TasksFailed);
    }

    const PlanOptions& m_options;
    bool m_first;
    SystemClock m_clock;
    StatusLine m_line;
    std::unique_ptr<PlanInput> m_input;
    std::vector<Diagnostic> m_diagnostics;
    std::vector<plan::Measurement> m_measurements; ///< on rank 0
    bool m_interrupted = false;
    bool m_losses = false;
    int m_exitCode = toInt(ExitCode::Success);
};

/// Under mpirun.
int planTogether(PlanRun& run, RankStart& start, const LaunchEnvironment& launch, int& argc,
                 char**& argv)
{
    const std::unique_ptr<MpiRuntime> mpi = startMpi(argc, argv);
    if (!mpi)
        return toInt(ExitCode::NoReport);
    MpiRuntime& runtime = *mpi;
    const bool first = runtime.self() == ProcessorId(0);
    const bool loaded = run.load();
    run.tellDiagnostics(runtime.broadcast(loaded ? "1" : "0", ProcessorId(0)) == "1");
    bool ready = runtime.agreeAllReady(loaded);
    if (ready)
        ready = runtime.agreeAllReady(run.sameAsFirst(runtime));
    start.over();
    if (!ready) {
        return leaveUnready(runtime, launch,
                            run.exitCode() == 0 ? toInt(ExitCode::BadInput) : run.exitCode());
    }
    {
        MpiTransport transport(runtime);
        run.search(&transport);
    }
    std::fflush(nullptr);
    if (first)
        reportExit(launch, run.exitCode());
    runtime.leave(run.losses() ? LeaveMode::AfterLoss : LeaveMode::Together, run.exitCode());
    return run.exitCode();
}

} // namespace

int planCommand(const Arguments& arguments, int& argc, char**& argv)
{
    const LaunchEnvironment launch = launchEnvironment();
    const Result<PlanOptions> options = parsePlanOptions(arguments);
    if (const auto code = endsWithOptions(launch, options, planHelp))
        return *code;
    RankStart start(launch);
    PlanRun run(*options, launch);
    if (launch.underLauncher)
        return planTogether(run, start, launch, argc, argv);
    start.over();
    const bool loaded = run.load();
    run.tellDiagnostics(loaded);
    if (loaded)
        run.search(nullptr);
    return run.exitCode();
}

} // namespace tasuki
