// SPDX-License-Identifier: GPL-3.0-or-later
#include "farmcommand.h"

#include "exitcode.h"
#include "farmoptions.h"
#include "farmsession.h"
#include "launchenvironment.h"
#include "rankstart.h"
#include "runplan.h"
#include "slotcount.h"

#include "process/guardianclient.h"
#include "process/sweep.h"
#include "tasklist/tasklistreader.h"
#include "transport/mpi/mpiruntime.h"
#include "transport/mpi/mpitransport.h"

#include <cstdio>
#include <optional>
#include <utility>

#include <unistd.h>

namespace tasuki {

namespace {

/// A stopped processor's tasks must be dead before they are run elsewhere.
constexpr double leaseShareOfLimit = 0.7;

std::unique_ptr<Executor> makeGuardian(Reactor& reactor, Rank rank, const farm::Welcome& welcome,
                                       Epoch epoch)
{
    const RunId run{welcome.run};
    if (epoch > Epoch(1)) {
        if (const Result<std::size_t> swept = sweepLeftovers(run, epoch); !swept)
            printWarning(swept.error().text());
    }
    return std::make_unique<GuardianClient>(
        reactor.context(),
        GuardianOptions{.program = {},
                        .run = run,
                        .epoch = epoch,
                        .rank = rank,
                        .directory = welcome.directory,
                        .lease = std::chrono::milliseconds(static_cast<std::int64_t>(
                            leaseShareOfLimit * static_cast<double>(welcome.lostAfter.count())))});
}

/// Prints what was found in a list: all of it, or the warnings and one error.
void tellDiagnostics(const TaskListParse& list, bool all)
{
    constexpr std::size_t mostWarnings = 10;
    std::size_t warnings = 0;
    std::size_t errors = 0;
    for (const Diagnostic& diagnostic : list.diagnostics) {
        std::size_t& count = diagnostic.isError() ? errors : warnings;
        ++count;
        const std::size_t most = diagnostic.isError() ? 1 : mostWarnings;
        if (all)
            std::fprintf(stderr, "%s\n", diagnostic.text().c_str());
        else if (count <= most && diagnostic.isError())
            printError(diagnostic.toError());
        else if (count <= most)
            printWarning(diagnostic.toError().text());
    }
    if (!all && (errors > 1 || warnings > mostWarnings))
        std::fprintf(stderr, "tasuki-agent: more was found; --dry-run lists everything\n");
}

int dryRun(const TaskListParse& list)
{
    tellDiagnostics(list, true);
    if (!list.usable()) {
        std::printf("the list cannot be run: see the errors\n");
        return toInt(ExitCode::BadInput);
    }
    std::uint32_t stages = 0;
    std::size_t linked = 0;
    for (const Task& task : list.tasks) {
        stages = std::max(stages, task.stage + 1);
        linked += task.links && !task.links->after.empty() ? 1U : 0U;
    }
    std::printf("%zu tasks in %u stages, %zu of them after others; nothing was run\n",
                list.tasks.size(), stages, linked);
    return toInt(ExitCode::Success);
}

/// What rank 0 finds out before the ranks agree on whether to go on.
struct Preparation {
    std::optional<RunPlan> plan; ///< none: exit with exitCode
    int exitCode = 0;
};

Preparation prepare(const FarmOptions& options, const MpiRuntime& mpi)
{
    Preparation preparation;
    if (options.dedicatedMaster && mpi.size() < 2) {
        printError({.kind = ErrorKind::Input,
                    .message = "--dedicated-master with one rank leaves none to run tasks",
                    .remedy = "start at least 2 ranks"});
        preparation.exitCode = toInt(ExitCode::BadInput);
        return preparation;
    }
    std::optional<TaskListParse> list;
    if (options.taskList) {
        list = readTaskList(*options.taskList,
                            {.retries = options.retries, .timeout = options.timeout});
        if (options.dryRun) {
            preparation.exitCode = dryRun(*list);
            return preparation;
        }
        tellDiagnostics(*list, false);
        if (!list->usable()) {
            preparation.exitCode = toInt(ExitCode::BadInput);
            return preparation;
        }
    }
    Result<RunPlan> plan = planRun(
        options, {.host = mpi.host(), .processors = static_cast<std::uint32_t>(mpi.size())},
        list ? &*list : nullptr);
    if (!plan) {
        printError(plan.error());
        preparation.exitCode = toInt(ExitCode::RunFileUnusable);
        return preparation;
    }
    preparation.plan = std::move(*plan);
    return preparation;
}

std::uint32_t slotsOf(const FarmOptions& options, const MpiRuntime& mpi)
{
    const bool isMaster = mpi.rank() == Rank(0);
    if (isMaster && options.dedicatedMaster)
        return 0;
    if (options.slots)
        return *options.slots;
    // Rank 0 stands first on its host; a dedicated master does not count.
    return slotShare(usableCores(), mpi.processorsOnHost(), mpi.indexOnHost());
}

SessionEnd runSession(const FarmOptions& options, const LaunchEnvironment& launch,
                      const MpiRuntime& mpi, std::optional<pid_t> master,
                      std::optional<RunPlan> plan)
{
    const SystemClock clock;
    MpiTransport transport(mpi);
    FarmSession session({.options = options,
                         .launch = launch,
                         .slots = slotsOf(options, mpi),
                         .recovery = launch.recoveryRequested || mpi.recoveryEnabled(),
                         .master = master,
                         .plan = std::move(plan),
                         .makeExecutor = makeGuardian},
                        transport, clock);
    RankStart::releaseSignals();
    return session.run();
}

} // namespace

int farmCommand(FarmCommand command, const Arguments& arguments, int& argc, char**& argv)
{
    const LaunchEnvironment launch = launchEnvironment();
    const bool speaks = launch.rank == 0;
    const Result<FarmOptions> options = parseFarmOptions(command, arguments);
    if (!options) {
        if (!speaks)
            return toInt(ExitCode::Success);
        printError(options.error());
        leaveQuietly(launch, toInt(ExitCode::BadInput));
    }
    if (options->help) {
        if (speaks)
            std::fputs(farmHelp(command).c_str(), stdout);
        return toInt(ExitCode::Success);
    }

    RankStart start(launch);
    Result<std::unique_ptr<MpiRuntime>> mpi = MpiRuntime::start(argc, argv);
    if (!mpi) {
        printError(mpi.error());
        return toInt(ExitCode::NoReport);
    }
    MpiRuntime& runtime = **mpi;
    const bool isMaster = runtime.rank() == Rank(0);
    const std::optional<pid_t> master = masterOnThisHost(runtime);
    Preparation preparation;
    if (isMaster)
        preparation = prepare(*options, runtime);
    const bool ready = runtime.agreeAllReady(!isMaster || preparation.plan.has_value());
    start.over();
    if (!ready) {
        runtime.leave(LeaveMode::Together, preparation.exitCode);
        if (preparation.exitCode != 0)
            leaveQuietly(launch, preparation.exitCode);
        if (isMaster)
            reportExit(launch, preparation.exitCode);
        return preparation.exitCode;
    }
    const SessionEnd end = runSession(*options, launch, runtime, master,
                                      std::move(preparation.plan));
    if (isMaster)
        reportExit(launch, end.exitCode);
    std::fflush(nullptr);
    if (end.abandoned)
        ::_exit(end.exitCode); // nobody is left to take leave of
    runtime.leave(end.losses ? LeaveMode::AfterLoss : LeaveMode::Together, end.exitCode);
    return end.exitCode;
}

} // namespace tasuki
