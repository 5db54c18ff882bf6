// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchcommand.h"

#include "farmoptions.h"

#include "domain/ids.h"
#include "domain/visibletext.h"
#include "host/hostidentity.h"
#include "launch/batchscript.h"
#include "launch/launchdirectory.h"
#include "launch/launchvariables.h"
#include "launch/mpiruncommand.h"
#include "launch/restarts.h"
#include "launch/supervisor.h"
#include "runfile/unkeptdirectory.h"
#include "startup/exitcode.h"
#include "startup/terminal.h"
#include "startup/usershell.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <optional>

#include <unistd.h>

namespace tasuki {

namespace {

constexpr auto usage =
    "usage: tasuki-agent launch -n N [MPIRUN OPTIONS] -- COMMAND ..., with one of the commands "
    "farm, serve, world, merge, probe, plan; in a job of Slurm without -n: its tasks";
constexpr std::string_view batchOption = "--sbatch";
constexpr std::array<std::string_view, 6> launchable{"farm",  "serve", "world",
                                                     "merge", "probe", "plan"};
/// Of these, commands whose runs are recorded and can be resumed.
constexpr std::array<std::string_view, 3> resumable{"farm", "serve", "world"};

constexpr auto help =
    "\n\nStarts N ranks of tasuki-agent through Open MPI's mpirun, so that the loss of a rank does not\n"
    "end the run, and returns the exit code of the run. Ctrl-C once, a hang-up (not under nohup) or a\n"
    "closed standard output: no new tasks start, running ones finish, and a plan prints the best so\n"
    "far; twice, or SIGQUIT (Ctrl-\\) or SIGTERM: tasks are killed. Options before -- go to mpirun,\n"
    "e.g. --hostfile FILE.\n"
    "A run whose topology has the policy restart is started again, with --resume, when a subcluster is\n"
    "down or mpirun has failed, as often as the subcluster's restarts allow.\n\n"
    "tasuki-agent launch --sbatch [SBATCH OPTIONS] -- COMMAND ... prints a job for Slurm that does this\n"
    "on all of its tasks, and is requeued until all is done, e.g.\n"
    "  tasuki-agent launch --sbatch --ntasks=8 --time=60 -- farm tasks.sh | sbatch\n";

Error wrongUse(std::string message)
{
    return Error{
        .kind = ErrorKind::Input, .message = "launch: " + std::move(message), .remedy = usage};
}

Result<unsigned> parseCount(const std::string& text)
{
    unsigned count = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, count);
    if (error != std::errc{} || stop != end || count == 0)
        return wrongUse("'-n " + text + "' is not a number of ranks");
    return count;
}

/// @return whether a command takes its list from standard input
bool readsList(const Arguments& arguments)
{
    return arguments.front() == "farm" && std::ranges::find(arguments, "-") != arguments.end();
}

Result<LaunchRequest> parseRequest(const Arguments& arguments)
{
    const auto separator = std::ranges::find(arguments, "--");
    if (separator == arguments.end() || std::next(separator) == arguments.end())
        return wrongUse("'-- COMMAND ...' is missing");
    LaunchRequest request;
    request.agentArguments.assign(std::next(separator), arguments.end());
    const std::string& command = request.agentArguments.front();
    if (std::ranges::find(launchable, std::string_view(command)) == launchable.end())
        return wrongUse("'" + command + "' cannot be launched");
    bool counted = false;
    for (auto option = arguments.begin(); option != separator; ++option) {
        if (*option != "-n" && *option != "-np") {
            request.mpirunOptions.push_back(*option);
            continue;
        }
        if (++option == separator)
            return wrongUse("-n needs a number");
        const Result<unsigned> count = parseCount(*option);
        if (!count)
            return count.error();
        request.processors = *count;
        counted = true;
    }
    if (counted)
        return request;
    const char* const tasks = std::getenv("SLURM_NTASKS");
    if (tasks == nullptr)
        return wrongUse("-n N is missing");
    const Result<unsigned> count = parseCount(tasks);
    if (!count)
        return wrongUse("SLURM_NTASKS='" + visible(tasks)
                        + "' is not a number of ranks: give -n N");
    request.processors = *count;
    return request;
}

/// @return what was asked for with a command that is launched; none: it is another one, or what is wrong is told
///         by its first rank
std::optional<FarmOptions> launchedFarm(const Arguments& agentArguments)
{
    const std::optional<FarmCommand> command = farmCommandOf(agentArguments.front());
    if (!command)
        return std::nullopt;
    auto options = parseFarmOptions(*command, {agentArguments.begin() + 1, agentArguments.end()});
    return options ? std::optional(std::move(*options)) : std::nullopt;
}

/// @return the job that `launch --sbatch` prints
Result<std::string> parseBatchScript(const Arguments& arguments)
{
    const auto separator = std::ranges::find(arguments, "--");
    if (separator == arguments.end() || std::next(separator) == arguments.end())
        return wrongUse("'-- COMMAND ...' is missing");
    BatchScript script{.agent = std::filesystem::read_symlink("/proc/self/exe").string(),
                       .sbatchOptions = {},
                       .agentArguments = {std::next(separator), arguments.end()}};
    const std::string& command = script.agentArguments.front();
    if (std::ranges::find(launchable, std::string_view(command)) == launchable.end())
        return wrongUse("'" + command + "' cannot be launched");
    if (readsList(script.agentArguments))
        return wrongUse("a job has no standard input: name the task list");
    if (const auto options = launchedFarm(script.agentArguments)) {
        const bool isNew = options->record == RecordChoice::Dated;
        if (isNew || !isKept(*options))
            return Error{.kind = ErrorKind::Input,
                         .message = std::string("launch: --sbatch and ")
                             + (isNew ? "--new" : "--run none") + " exclude each other",
                         .remedy = "the job is requeued until all is done, and must find its "
                                   "record again: name it with --run FILE"};
    }
    script.requeued = std::ranges::find(resumable, std::string_view(command)) != resumable.end();
    // sbatch has its own -n, with the same meaning.
    std::ranges::copy_if(arguments.begin(), separator, std::back_inserter(script.sbatchOptions),
                         [](const std::string& option) { return option != batchOption; });
    return sbatchScript(script);
}

/// @return the exit code that the end of a launch means
int exitCodeOf(const LaunchEnd& end, const std::string& command)
{
    const bool unwritten = end.outputError != 0 && end.outputError != EPIPE;
    if (end.reported == toInt(ExitCode::Success) && unwritten)
        return toInt(ExitCode::OutputCut);
    if (end.reported && !(end.interrupted && *end.reported == toInt(ExitCode::Restart)))
        return *end.reported;
    if (end.interrupted)
        return toInt(ExitCode::Interrupted);
    const bool recorded = std::ranges::find(resumable, std::string_view(command))
        != resumable.end();
    printError(endWithoutReport(end, recorded ? command : std::string()));
    return toInt(ExitCode::NoReport);
}

/// Has the next life of a run go on with its record.
void resumeRun(LaunchRequest& request, const std::string& runFile)
{
    const std::string command = request.agentArguments.front();
    const Arguments given(request.agentArguments.begin() + 1, request.agentArguments.end());
    request.agentArguments = resumingArguments(farmCommandOf(command).value(), given, runFile);
    request.agentArguments.insert(request.agentArguments.begin(), command);
}

/// Starts mpirun, and starts it again for as long as the run is to be.
/// @return the exit code
int launchUntilOver(const OpenMpi& mpi, LaunchRequest request, LaunchOptions options)
{
    const SystemClock clock;
    Restarts restarts(toInt(ExitCode::Restart));
    for (;;) {
        const LaunchDirectory own; // of each start: where mpirun was killed, its ranks remove it
        request.ownDirectory = own.path().native();
        const Result<LaunchEnd> end = superviseLaunch(mpirunArguments(mpi, request), options);
        options.input = false; // the record has what came
        if (!end) {
            printError(end.error());
            return toInt(ExitCode::NoReport);
        }
        const Restarts::Decision decision = restarts.decide(*end, clock.now());
        const std::string& runFile = restarts.terms().runFile;
        switch (decision.verdict) {
        case Restarts::Verdict::End: return exitCodeOf(*end, request.agentArguments.front());
        case Restarts::Verdict::TooOften:
            printError({.message = decision.text,
                        .remedy = "look what is wrong with tasuki-agent show " + runFile
                            + " --alarms, then go on with " + request.agentArguments.front()
                            + " --resume " + runFile});
            return end->reported.value_or(toInt(ExitCode::NoReport));
        case Restarts::Verdict::Again: break;
        }
        std::fprintf(stderr, "tasuki: %s\n", visible(decision.text).c_str());
        if (stopAsked(decision.pause))
            return toInt(ExitCode::Interrupted);
        resumeRun(request, runFile);
    }
}

} // namespace

int launchCommand(const Arguments& arguments)
{
    if (!arguments.empty() && (arguments.front() == "--help" || arguments.front() == "-h")) {
        std::printf("%s%s", usage, help);
        return toInt(ExitCode::Success);
    }
    if (std::find(arguments.begin(), std::ranges::find(arguments, "--"), batchOption)
        != std::ranges::find(arguments, "--")) {
        const Result<std::string> script = parseBatchScript(arguments);
        if (script)
            std::fputs(script->c_str(), stdout);
        else
            printError(script.error());
        return toInt(script ? ExitCode::Success : ExitCode::BadInput);
    }
    Result<LaunchRequest> request = parseRequest(arguments);
    if (!request) {
        printError(request.error());
        return toInt(ExitCode::BadInput);
    }
    const Result<OpenMpi> mpi = findOpenMpi();
    if (!mpi) {
        printError(mpi.error());
        return toInt(ExitCode::NoReport);
    }
    const std::string token = RunId::random().hex;
    std::vector<std::string> environment{
        std::string(exitReportTokenVariable) + '=' + token,
        std::string(launcherProcessVariable) + '=' + std::to_string(::getpid()) + ' '
            + hostIdentity().key,
        std::string(userSettingsVariable) + '=' + userSettingsText(ownEnvironment())};
    request->exportedVariables = {exitReportTokenVariable, launcherProcessVariable,
                                  userSettingsVariable};
    if (const int columns = ownTerminalColumns(); columns > 0) {
        environment.push_back(std::string(terminalColumnsVariable) + '=' + std::to_string(columns));
        request->exportedVariables.emplace_back(terminalColumnsVariable);
    }
    request->agent = std::filesystem::read_symlink("/proc/self/exe").string();
    const bool input = readsList(request->agentArguments)
        || request->agentArguments.front() == "world";
    holdStopSignals();
    const auto options = launchedFarm(request->agentArguments);
    const int code = launchUntilOver(
        *mpi, std::move(*request),
        {.environment = std::move(environment), .token = token, .input = input});
    if (options && !isKept(*options))
        UnkeptDirectory::removeLeft(); // ranks may have been killed
    return code;
}

} // namespace tasuki
