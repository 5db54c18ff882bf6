// SPDX-License-Identifier: GPL-3.0-or-later
// How many tasks a second the farm hands out and records when running them costs nothing: the
// farm's own scheduler, transport and run file, with an executor that ends every attempt at once.
// Run under mpirun: dispatchbench [TASKS]; rank 0 prints the rates.
#include "config/topologyfile.h"
#include "node/farmsession.h"
#include "node/runplan.h"
#include "process/executor.h"
#include "startup/systemstart.h"
#include "support/programpart.h"
#include "transport/mpi/mpiruntime.h"
#include "transport/mpi/mpitransport.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <sys/resource.h>
#include <unistd.h>

namespace dispatchbench_tool {

namespace {

using namespace tasuki;

using SteadySeconds = std::chrono::duration<double>;

/// Processor time so far, which a busy machine leaves as it is.
struct Busy {
    double thread = 0; ///< of the calling one, in seconds
    double process = 0;
};

Busy busyNow()
{
    const auto seconds = [](int who) {
        rusage usage{};
        ::getrusage(who, &usage);
        const auto of = [](const timeval& time) {
            return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
        };
        return of(usage.ru_utime) + of(usage.ru_stime);
    };
    return {seconds(RUSAGE_THREAD), seconds(RUSAGE_SELF)};
}

/// Ends every attempt at the next turn of the reactor.
class NullExecutor final : public Executor {
public:
    /// @param firstStart  set when the first attempt comes
    NullExecutor(boost::asio::io_context& io, SteadyTime& firstStart, Busy& busyThen)
        : m_io(io), m_firstStart(firstStart), m_busyThen(busyThen)
    {}

    void setCallbacks(Callbacks callbacks) override { m_callbacks = std::move(callbacks); }
    void start(Launch launch) override
    {
        if (m_firstStart == SteadyTime{}) {
            m_firstStart = m_clock.now();
            m_busyThen = busyNow();
        }
        if (m_begun.empty())
            boost::asio::post(m_io, [this] { finishAll(); });
        m_begun.push_back({launch.key, m_clock.wallNow()});
    }
    void stop(AttemptKey, StopReason) override {}
    void stopAll(StopReason, std::function<void()> done) override
    {
        boost::asio::post(m_io, std::move(done));
    }
    void peek(const OutputQuery& query, std::function<void(OutputAnswer)> answer) override
    {
        boost::asio::post(m_io, [key = query.key, answer = std::move(answer)] {
            answer(OutputAnswer{.key = key});
        });
    }
    void fetch(const OutputQuery& query, bool, std::function<void(FetchedOutput)> answer) override
    {
        boost::asio::post(m_io, [key = query.key, answer = std::move(answer)] {
            answer({.answer = {.key = key}, .problem = {}});
        });
    }
    void release(AttemptKey) override {}

private:
    struct Begun {
        AttemptKey key;
        WallTime at;
    };

    void finishAll()
    {
        for (const Begun& attempt : std::exchange(m_begun, {})) {
            AttemptResult result;
            result.outcome = Outcome::Succeeded;
            result.startedAt = attempt.at;
            m_callbacks.finished(attempt.key, std::move(result));
        }
    }

    boost::asio::io_context& m_io;
    SteadyTime& m_firstStart;
    Busy& m_busyThen;
    Callbacks m_callbacks;
    SystemClock m_clock;
    std::vector<Begun> m_begun;
};

TaskListParse listOf(std::uint32_t count)
{
    TaskListParse list;
    const auto settings = std::make_shared<const TaskSettings>();
    for (std::uint32_t i = 0; i < count; ++i) {
        Task& task = list.tasks.emplace_back();
        task.command = "true";
        task.settings = settings;
        task.position = i;
        task.line = i + 1U;
    }
    return list;
}

} // namespace

TASUKI_TOOL_MAIN()
{
    constexpr std::uint32_t usualTasks = 500'000;
    constexpr std::uint32_t slots = 64;
    const auto tasks = argc > 1 ? static_cast<std::uint32_t>(std::atol(argv[1])) : usualTasks;
    auto mpi = MpiRuntime::start(argc, argv);
    if (!mpi) {
        std::fprintf(stderr, "%s\n", mpi.error().text().c_str());
        return EXIT_FAILURE;
    }
    MpiRuntime& runtime = **mpi;
    const bool isMaster = runtime.self() == ProcessorId(0);
    FarmOptions options;
    options.quiet = true;
    options.runFile = (std::filesystem::temp_directory_path()
                       / ("dispatchbench-" + std::to_string(::getpid()) + ".tasuki"))
                          .string();
    std::optional<RunPlan> plan;
    if (isMaster) {
        TaskListParse list = listOf(tasks);
        auto made = planRun(options, {.host = runtime.host(), .processors = 1}, &list);
        if (made)
            plan = std::move(*made);
        else
            std::fprintf(stderr, "%s\n", made.error().text().c_str());
    }
    if (!runtime.agreeAllReady(!isMaster || plan.has_value()))
        return EXIT_FAILURE;

    std::vector<std::string> hosts = shareHosts(runtime);
    std::optional<SharedSystem> own;
    if (isMaster) {
        SystemPlanning planning = planSystem(PlainSystem{}, hosts);
        Briefing briefing{.epoch = plan->epoch,
                          .key = control::randomRunKey(),
                          .topologyFile = {},
                          .topologyText = config::topologyFileText(planning.plan->topology),
                          .run = plan->file.run(),
                          .runFile = options.runFile,
                          .directory = {}};
        own = SharedSystem{.briefing = std::move(briefing), .plan = std::move(*planning.plan)};
    }
    Result<SharedSystem> system = shareSystem(runtime, std::move(own), std::move(hosts));
    if (!system) {
        std::fprintf(stderr, "%s\n", system.error().text().c_str());
        return EXIT_FAILURE;
    }

    const SystemClock clock;
    SteadyTime firstStart{};
    Busy busyThen;
    const SteadyTime begun = clock.now();
    SessionEnd end;
    std::unique_ptr<MembershipThread> membership; // until this processor has left
    {
        MpiTransport transport(runtime);
        FarmSession session(
            {.options = options,
             .launch = {},
             .system = std::move(system->plan),
             .briefing = std::move(system->briefing),
             .slots = slots,
             .recovery = true,
             .master = {},
             .plan = std::move(plan),
             .makeExecutor = [&](Reactor& reactor, Rank,
                                 const farm::Welcome&) -> std::unique_ptr<Executor> {
                 return std::make_unique<NullExecutor>(reactor.context(), firstStart, busyThen);
             }},
            transport, clock);
        const auto addresses = shareAddresses(runtime, session.openMembership());
        if (!addresses) {
            std::fprintf(stderr, "%s\n", addresses.error().text().c_str());
            return EXIT_FAILURE;
        }
        end = session.run(*addresses);
        membership = session.releaseMembership();
    }
    if (isMaster) {
        const SteadyTime now = clock.now();
        const double dispatch = SteadySeconds(now - firstStart).count();
        const double whole = SteadySeconds(now - begun).count();
        std::printf("dispatch: %.0f tasks/s over %u tasks and %zu ranks (%.0f tasks/s with the "
                    "recording of the list), exit code %d\n",
                    tasks / dispatch, tasks, runtime.size(), tasks / whole, end.exitCode);
        const Busy busy = busyNow();
        const double microseconds = 1e6 / tasks;
        std::printf("dispatch on rank 0: %.2f us of its first thread a task, %.2f us of all\n",
                    (busy.thread - busyThen.thread) * microseconds,
                    (busy.process - busyThen.process) * microseconds);
        std::filesystem::remove(options.runFile);
    }
    runtime.leave(LeaveMode::Together, end.exitCode);
    return end.exitCode;
}

} // namespace dispatchbench_tool
