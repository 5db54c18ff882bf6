// SPDX-License-Identifier: GPL-3.0-or-later
#include "farmcommand.h"

#include "farmoptions.h"
#include "outputoptions.h"

#include "config/topologyfile.h"
#include "node/farmsession.h"
#include "node/runplan.h"
#include "node/taskchoice.h"
#include "node/worldtasks.h"
#include "process/guardianclient.h"
#include "process/sweep.h"
#include "replica/ownerwait.h"
#include "replica/recordsight.h"
#include "runfile/rowreader.h"
#include "runfile/unkeptdirectory.h"
#include "startup/allocation.h"
#include "startup/exitcode.h"
#include "startup/launchenvironment.h"
#include "startup/rankstart.h"
#include "startup/slotcount.h"
#include "startup/systemstart.h"
#include "startup/terminal.h"
#include "tasklist/tasklistreader.h"
#include "transport/mpi/mpiruntime.h"
#include "transport/mpi/mpitransport.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <unistd.h>

namespace tasuki {

namespace {

/// How long the tasks of a processor live on when it is stopped: as long as its own lease.
struct RunLease {
    Epoch epoch;
    std::chrono::milliseconds time{};
};

std::unique_ptr<Executor> makeGuardian(Reactor& reactor, const FarmOptions& options,
                                       const RunLease& lease, const EnvironmentEntries& environment,
                                       Rank rank, const farm::Welcome& welcome)
{
    const RunId run{welcome.run};
    if (lease.epoch > Epoch(1)) {
        if (const Result<std::size_t> swept = sweepLeftovers(run, lease.epoch); !swept)
            printWarning(swept.error().text());
    }
    const std::uint64_t recorded = options.output.recordBytes;
    const bool printed = !options.quiet || options.output.directory;
    return std::make_unique<GuardianClient>(
        reactor.context(),
        GuardianOptions{.program = {},
                        .run = run,
                        .epoch = lease.epoch,
                        .rank = rank,
                        .directory = welcome.directory,
                        .environment = environment,
                        .captureHead = recorded - recorded / 2,
                        .captureTail = recorded / 2,
                        .spoolDirectory = printed ? options.output.temporary : "",
                        .lease = lease.time});
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
    std::printf("%zu %s in %u %s, %zu of them after others; nothing was run\n", list.tasks.size(),
                list.tasks.size() == 1 ? "task" : "tasks", stages, stages == 1 ? "stage" : "stages",
                linked);
    return toInt(ExitCode::Success);
}

/// What processor 0 finds out before the processors agree on whether to go on.
struct Preparation {
    std::optional<UnkeptDirectory> unkept; ///< outlives the plan; none: a record is kept
    std::string runFile;                   ///< as it is told people
    std::optional<RunPlan> plan;           ///< none: exit with exitCode
    std::optional<SharedSystem> system;
    int exitCode = 0;
};

/// @return the system that the options mean; none: why not has been told
std::optional<SystemPlan> prepareSystem(const FarmOptions& options, std::vector<std::string> hosts)
{
    SystemPlanning planning = options.topology
        ? planSystem(*options.topology, std::move(hosts))
        : planSystem({.dedicatedMaster = options.dedicatedMaster, .lostAfter = options.lostAfter},
                     std::move(hosts));
    for (const Diagnostic& diagnostic : planning.diagnostics) {
        if (diagnostic.isError())
            printError(diagnostic.toError());
        else
            printWarning(diagnostic.toError().text());
    }
    return std::move(planning.plan);
}

/// Whether the run has gone on in the original can be told only where that is looked at.
void tellWhetherCopy(const std::string& runFile)
{
    Result<RowReader> reader = RowReader::open(runFile);
    if (!reader)
        return;
    const auto copyOf = reader->copyOf();
    if (copyOf && *copyOf)
        printWarning(runFile + " is a copy of " + (*copyOf)->path + " on " + (*copyOf)->host
                     + "; it becomes the record of this run, and the other one is outdated");
}

Result<RunPlan> planOf(const FarmOptions& options, const RunOrigin& origin, TaskListParse* list,
                       const SystemPlan& system)
{
    const SystemClock clock;
    OwnerWait wait(options.runFile, stderr, launchTerminalColumns(), clock);
    return planRun(options, origin, list, worldTasks(options, system),
                   [&wait](const std::string& owner, std::chrono::milliseconds left) {
                       wait.show(owner, left);
                   });
}

/// @return when this life of the run must be over; none: that is not known
std::optional<WallTime> endOfLife(const FarmOptions& options)
{
    std::optional<WallTime> end = allocationEnd();
    if (options.timeLimit) {
        const WallTime limit = SystemClock().wallNow() + *options.timeLimit;
        end = std::min(end.value_or(limit), limit);
    }
    return end;
}

/// @return what the options want and this launch cannot give
std::optional<Error> refusal(const FarmOptions& options, const MpiRuntime& mpi)
{
    if (options.dedicatedMaster && mpi.size() < 2)
        return Error{.kind = ErrorKind::Input,
                     .message = "--dedicated-master with one rank leaves none to run tasks",
                     .remedy = "start at least 2 ranks"};
    if (options.requeue && slurmJob().empty())
        return Error{.kind = ErrorKind::Input,
                     .message = "farm: --requeue without a Slurm job",
                     .remedy = "use it in a script that sbatch starts; elsewhere --continue alone "
                               "goes on with a run"};
    return std::nullopt;
}

/// Of a run that keeps no record: makes the place for the one that it has meanwhile.
Result<void> placeUnkept(FarmOptions& options, const SystemPlan& system,
                         std::optional<UnkeptDirectory>& unkept)
{
    if (isKept(options))
        return {};
    if (system.topology.policy == DownPolicy::Restart)
        return Error{.kind = ErrorKind::Input,
                     .message = nameOf(options) + ": --run none and the policy restart of "
                         + system.topologyFile + " exclude each other",
                     .remedy = "what is not recorded cannot be started again: name a record with "
                               "--run FILE, or write policy = \"continue\" or policy = \"stop\" in "
                               "[system], where restart is what holds if nothing is said"};
    Result<UnkeptDirectory> made = UnkeptDirectory::make();
    if (!made)
        return made.error();
    unkept.emplace(std::move(*made));
    options.runFile = (unkept->path() / options.runFile).string();
    return {};
}

void tellRecord(const FarmOptions& options, const std::string& runFile)
{
    if (options.resume)
        return tellWhetherCopy(runFile);
    if (options.quiet)
        return;
    if (!isKept(options))
        std::fprintf(stderr,
                     "tasuki: no record is kept; while the run goes on: tasuki-agent top %s\n",
                     runFile.c_str());
    else if (options.taskList == "-" && !options.runFileGiven)
        std::fprintf(stderr, "tasuki: the list on standard input is recorded in %s\n",
                     runFile.c_str());
    else if (options.record == RecordChoice::Dated)
        std::fprintf(stderr, "tasuki: the run is recorded in %s\n", runFile.c_str());
}

/// What all are told of a run that begins.
Briefing briefingOf(const FarmOptions& options, const RunPlan& plan, const SystemPlan& system)
{
    return {.epoch = plan.epoch,
            .key = control::randomRunKey(),
            .topologyFile = system.topologyFile,
            .topologyText = config::topologyFileText(system.topology),
            .run = plan.file.run(),
            .runFile = std::filesystem::absolute(plan.runFile).string(),
            .directory = std::filesystem::current_path().string(),
            .sign = RecordSign::randomWords(),
            .endsAt = endOfLife(options)};
}

Preparation prepare(FarmOptions options, const MpiRuntime& mpi, std::vector<std::string> hosts)
{
    if (options.continues)
        options.resume = std::filesystem::exists(options.runFile);
    Preparation preparation;
    const auto failed = [&preparation](const std::optional<Error>& error, ExitCode code) {
        if (error)
            printError(*error);
        preparation.exitCode = toInt(code);
        return std::move(preparation);
    };
    if (const std::optional<Error> error = refusal(options, mpi))
        return failed(error, ExitCode::BadInput);
    std::optional<TaskListParse> list;
    if (options.taskList) {
        list = readTaskList(*options.taskList,
                            {.retries = options.retries, .timeout = options.timeout});
        if (options.dryRun) {
            preparation.exitCode = dryRun(*list);
            return preparation;
        }
        tellDiagnostics(*list, false);
        if (!list->usable())
            return failed(std::nullopt, ExitCode::BadInput);
    }
    if (const Result<void> usable = prepareOutput(options.output, nameOf(options)); !usable)
        return failed(usable.error(), ExitCode::BadInput);
    std::optional<SystemPlan> system = prepareSystem(options, std::move(hosts));
    if (!system)
        return failed(std::nullopt, ExitCode::BadInput);
    if (const Result<void> chosen = chooseWorld(options, *system); !chosen)
        return failed(chosen.error(), ExitCode::BadInput);
    if (const Result<void> placed = placeUnkept(options, *system, preparation.unkept); !placed)
        return failed(placed.error(),
                      placed.error().kind == ErrorKind::Input ? ExitCode::BadInput
                                                              : ExitCode::RunFileUnusable);
    Result<RunPlan> plan = planOf(
        options, {.host = mpi.host(), .processors = static_cast<std::uint32_t>(mpi.size())},
        list ? &*list : nullptr, *system);
    if (!plan)
        return failed(plan.error(), ExitCode::RunFileUnusable);
    for (const Result<void>& step : {checkWorlds(plan->state, *system), confine(*plan, options)}) {
        if (!step)
            return failed(step.error(), ExitCode::BadInput);
    }
    preparation.runFile = plan->runFile;
    tellRecord(options, plan->runFile);
    Briefing briefing = briefingOf(options, *plan, *system);
    preparation.system = SharedSystem{.briefing = std::move(briefing), .plan = std::move(*system)};
    preparation.plan = std::move(*plan);
    return preparation;
}

std::uint32_t slotsOf(const FarmOptions& options, const SystemPlan& system, ProcessorId self)
{
    if (options.slots)
        return *options.slots;
    const HostShare share = hostShare(system, self);
    return slotShare(usableCores(), share.ranks, share.index);
}

/// Finds out who can reach the record. Collective, at the beginning.
/// @return an Error, everywhere, when the record is not the newest one of its run
Result<RecordReach> shareReach(MpiRuntime& mpi, const SharedSystem& system)
{
    const bool isMaster = mpi.self() == ProcessorId(0);
    const std::vector<std::string>& hosts = system.plan.hosts;
    std::optional<RecordSign> sign;
    if (isMaster)
        sign.emplace(system.briefing.runFile, system.briefing.sign);
    // Nobody looks before it stands there.
    static_cast<void>(mpi.broadcast({}, ProcessorId(0)));
    const auto sights = shareSights(mpi, lookForRecord(system.briefing, hosts[mpi.self().value()]));
    if (!sights)
        return sights.error();
    if (anyCopy(*sights)) {
        const Result<void> newest = shareVerdict(
            mpi, isMaster ? checkNewest(system.briefing.runFile, *sights, hosts) : Result<void>());
        if (!newest)
            return newest.error();
    }
    RecordReach reach{.original = {.host = hosts.front(), .path = system.briefing.runFile},
                      .sees = {},
                      .hosts = hosts};
    for (const replica::RecordSight& sight : *sights)
        reach.sees.push_back(sight.sees);
    return reach;
}

/// This processor's part in a run, from the sockets off MPI to its end. Collective at its beginning.
/// @param membership  gets the membership agent, for as long as the processor leaves
/// @return an Error when the run cannot begin
Result<SessionEnd> runSession(FarmSession::Setup setup, MpiRuntime& mpi, RankStart& start,
                              std::unique_ptr<MembershipThread>& membership)
{
    const SystemClock clock;
    MpiTransport transport(mpi);
    FarmSession session(std::move(setup), transport, clock);
    const Result<std::vector<control::ControlAddress>> addresses = shareAddresses(
        mpi, session.openMembership());
    start.over();
    if (!addresses)
        return addresses.error();
    RankStart::releaseSignals();
    const SessionEnd end = session.run(*addresses);
    membership = session.releaseMembership();
    return end;
}

/// Holds the directory of a run that keeps no record on this host, too.
void joinUnkept(const std::filesystem::path& path, std::optional<UnkeptDirectory>& unkept)
{
    if (unkept)
        return;
    Result<UnkeptDirectory> joined = UnkeptDirectory::join(path);
    if (!joined)
        joined = UnkeptDirectory::make();
    if (joined)
        unkept.emplace(std::move(*joined));
}

/// What this processor has for as long as it is part of a run.
struct Belongings {
    std::unique_ptr<MembershipThread> membership; ///< until it has left
    std::optional<UnkeptDirectory> unkept;
};

/// The same, from what processor 0 has to tell.
/// @param options  get the name of the record
Result<SessionEnd> beginRun(FarmOptions& options, const LaunchEnvironment& launch,
                            std::vector<std::string> hosts, Preparation preparation,
                            MpiRuntime& mpi, RankStart& start, Belongings& own)
{
    const std::optional<pid_t> master = masterOnThisHost(mpi);
    Result<SharedSystem> system = shareSystem(mpi, std::move(preparation.system), std::move(hosts));
    if (!system)
        return system.error();
    const std::filesystem::path runFile = system->briefing.runFile;
    if (preparation.plan)
        options.runFile = preparation.runFile;
    else if (options.record != RecordChoice::Named)
        options.runFile = runFile.string();
    if (!isKept(options))
        joinUnkept(runFile.parent_path(), own.unkept);
    Result<RecordReach> reach = shareReach(mpi, *system);
    if (!reach)
        return reach.error();
    if (!isKept(options)) // else nobody would remove it
        reach->copies = own.unkept ? own.unkept->path().string() : runFile.parent_path().string();
    const RunLease lease{.epoch = system->briefing.epoch,
                         .time = hierarchy::MembershipOptions{}.leaseBeats
                             * system->plan.topology.heartbeat};
    const std::uint32_t slots = slotsOf(options, system->plan, mpi.self());
    const HostShare share = hostShare(system->plan, mpi.self());
    const bool isRank = system->plan.layout.of(mpi.self()).kind == ProcessorKind::Active;
    std::vector<std::uint32_t> cores = isRank
        ? coreShare(usableCoreNumbers(), share.ranks, share.index)
        : std::vector<std::uint32_t>();
    return runSession(
        {.options = options,
         .launch = launch,
         .system = std::move(system->plan),
         .briefing = std::move(system->briefing),
         .reach = std::move(*reach),
         .slots = slots,
         .recovery = launch.recoveryRequested || mpi.recoveryEnabled(),
         .master = master,
         .plan = std::move(preparation.plan),
         .makeExecutor =
             [lease, &options, environment = launch.userShell](Reactor& reactor, Rank rank,
                                                               const farm::Welcome& welcome) {
                 return makeGuardian(reactor, options, lease, environment, rank, welcome);
             },
         .preloaded = std::string(valueIn(launch.userShell, "LD_PRELOAD").value_or("")),
         .cores = std::move(cores)},
        mpi, start, own.membership);
}

/// What to do where nobody does it by itself.
/// @param arguments  of the command, as given
void tellHowToStartAgain(const FarmOptions& options, const Arguments& arguments)
{
    std::string line = nameOf(options);
    const FarmCommand command = farmCommandOf(line).value();
    for (const std::string& argument : resumingArguments(command, arguments, options.runFile))
        line += ' ' + argument;
    std::fprintf(stderr, "tasuki: to start it again: tasuki-agent launch -n N -- %s\n",
                 line.c_str());
}

/// @return how a processor ends that has given the run up. Open MPI 5 ends everybody when all ranks of a
///         host have ended with a code that is not 0; launch goes by the report alone.
int abandonedCode(const LaunchEnvironment& launch, const MpiRuntime& mpi, int exitCode)
{
    const bool codesEndOthers = !mpi.library().starts_with("Open MPI v4.");
    return codesEndOthers && !launch.exitReportToken.empty() ? toInt(ExitCode::Success) : exitCode;
}

/// Leaves together with all others, when all know that there will be no run.
/// @param exitCode  of this processor: 0 on all but the first, or mpirun would talk
int leaveBeforeWork(MpiRuntime& mpi, const LaunchEnvironment& launch, RankStart& start,
                    int exitCode)
{
    start.over();
    mpi.leave(LeaveMode::Together, exitCode);
    if (exitCode != 0)
        leaveQuietly(launch, exitCode);
    if (mpi.self() == ProcessorId(0))
        reportExit(launch, exitCode);
    return exitCode;
}

/// Has the job started again that this run is in, if its end asks for it, when nothing of the run is left
/// to be done here: it ends all of the job.
void requeueIfAsked(const SessionEnd& end, bool leads)
{
    if (!leads || !end.requeue)
        return;
    const Result<bool> requeued = requeueJob(end.onlyIfPreempted);
    if (!requeued)
        printError({.message = "the job could not be requeued: " + requeued.error().text(),
                    .remedy = "submit it again: --continue goes on with the run"});
    else if (*requeued)
        std::fprintf(stderr, "tasuki: job %s is requeued\n", slurmJob().c_str());
}

int farmUnderMpi(FarmOptions options, const Arguments& arguments, const LaunchEnvironment& launch,
                 MpiRuntime& mpi, RankStart& start)
{
    const bool isMaster = mpi.self() == ProcessorId(0);
    std::vector<std::string> hosts = shareHosts(mpi);
    Preparation preparation;
    if (isMaster)
        preparation = prepare(options, mpi, hosts);
    Belongings own{.membership = nullptr, .unkept = std::exchange(preparation.unkept, {})};
    if (!mpi.agreeAllReady(!isMaster || preparation.plan.has_value())) {
        preparation.plan.reset();
        own.unkept.reset();
        return leaveBeforeWork(mpi, launch, start, preparation.exitCode);
    }
    const Result<SessionEnd> ended = beginRun(options, launch, std::move(hosts),
                                              std::move(preparation), mpi, start, own);
    own.unkept.reset(); // before this process ends in one of many ways
    const bool outdated = !ended && ended.error().kind == ErrorKind::Foreign;
    if (!ended && (isMaster || !outdated))
        printError(ended.error());
    if (outdated)
        return leaveBeforeWork(mpi, launch, start, isMaster ? toInt(ExitCode::RunFileUnusable) : 0);
    const SessionEnd end = ended ? *ended : SessionEnd{.exitCode = toInt(ExitCode::NoReport)};
    const bool leads = ended ? end.leads : isMaster;
    if (leads && end.exitCode == toInt(ExitCode::Restart) && launch.exitReportToken.empty())
        tellHowToStartAgain(options, arguments);
    if (leads && end.givenUp)
        reportGivenUp(launch, end.exitCode);
    else if (leads)
        reportExit(launch, end.exitCode);
    std::fflush(nullptr);
    if (end.abandoned) {
        requeueIfAsked(end, leads);
        std::this_thread::sleep_for(end.farewell);
        ::_exit(abandonedCode(launch, mpi, end.exitCode)); // MPI's leave would wait for who is gone
    }
    mpi.leave(end.losses ? LeaveMode::AfterLoss : LeaveMode::Together, end.exitCode);
    requeueIfAsked(end, leads);
    return end.exitCode;
}

} // namespace

int farmCommand(FarmCommand command, const Arguments& arguments, int& argc, char**& argv)
{
    const LaunchEnvironment launch = launchEnvironment();
    const Result<FarmOptions> options = parseFarmOptions(command, arguments);
    if (const auto code = endsWithOptions(launch, options, [command] { return farmHelp(command); }))
        return *code;

    RankStart start(launch);
    const std::unique_ptr<MpiRuntime> mpi = startMpi(argc, argv);
    if (!mpi)
        return toInt(ExitCode::NoReport);
    return farmUnderMpi(*options, arguments, launch, *mpi, start);
}

} // namespace tasuki
