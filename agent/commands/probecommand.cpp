// SPDX-License-Identifier: GPL-3.0-or-later
#include "probecommand.h"

#include "probeoptions.h"

#include "files/wholefile.h"
#include "plan/environmentfile.h"
#include "probe/assessment.h"
#include "probe/mpi/probefollower.h"
#include "probe/mpi/probeleader.h"
#include "probe/probetable.h"
#include "report/statusline.h"
#include "startup/exitcode.h"
#include "startup/launchenvironment.h"
#include "startup/rankstart.h"
#include "startup/terminal.h"
#include "transport/mpi/mpiruntime.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>

namespace tasuki {

namespace {

constexpr auto standardOutput = "-";

/// Rank 0 finds out about places to write before anything is measured.
Result<void> checkProbeOutputs(const ProbeOptions& options)
{
    if (options.output && *options.output != standardOutput) {
        if (Result<void> writable = checkWritable(*options.output); !writable)
            return writable;
    }
    if (options.csv)
        return checkWritable(*options.csv);
    return {};
}

/// Tells what was chosen for the user.
void tellPlan(const probe::PingPongPlan& plan, const ProbeOptions& options)
{
    if (options.repetitions || options.quiet)
        return;
    std::fprintf(stderr, "tasuki: %llu repetitions of each size, about %.0f s in all%s\n",
                 static_cast<unsigned long long>(plan.repetitions), std::ceil(plan.seconds),
                 plan.repetitions < probe::usualRepetitions ? "; --repetitions 5000 is more exact"
                                                            : "");
    std::fflush(stderr);
}

Result<void> writeResults(const ProbeOptions& options, const probe::Findings& findings,
                          const probe::Assessment& assessment)
{
    if (options.csv) {
        if (Result<void> written = writeWholeFile(*options.csv, probe::findingsCsv(findings));
            !written)
            return written;
    }
    if (!options.output)
        return {};
    if (*options.output == standardOutput)
        return printText(plan::environmentText(assessment.environment));
    return plan::writeEnvironmentFile(*options.output, assessment.environment);
}

/// What rank 0 prints and writes when all is measured.
/// @return the exit code
int concludeProbe(const ProbeOptions& options, const probe::Findings& findings)
{
    const probe::Assessment assessment = probe::assess(findings, options.reference);
    if (!options.quiet) {
        // Where the file goes to standard output, the tables would spoil it.
        std::FILE* const tables = options.output == standardOutput ? stderr : stdout;
        std::fputs(probe::probeTable(assessment).c_str(), tables);
        std::fflush(tables);
    }
    for (const std::string& warning : assessment.warnings)
        printWarning(warning);
    if (const Result<void> written = writeResults(options, findings, assessment); !written) {
        printError(written.error());
        return toInt(ExitCode::RunFileUnusable);
    }
    if (!options.quiet && !options.output)
        std::puts("\nNo file was written; -o environment.toml writes one.");
    return toInt(ExitCode::Success);
}

/// @return what is wrong with the nodes that take part, for these options
Result<void> checkNodes(const ProbeOptions& options, const std::vector<probe::NodeRanks>& nodes)
{
    std::string names;
    for (const probe::NodeRanks& node : nodes) {
        names += (names.empty() ? "" : ", ") + node.name;
        if (const auto fault = plan::nameFault(node.name))
            return Error{.kind = ErrorKind::Input,
                         .message = "probe: a host's name '" + node.name + "' " + fault->text()};
        if (node.ranks.size() > plan::limits::mostSlots)
            return Error{.kind = ErrorKind::Input,
                         .message = "probe: more than 4096 ranks on " + node.name,
                         .remedy = "start fewer"};
    }
    if (nodes.size() > plan::limits::mostNodes)
        return Error{.kind = ErrorKind::Input,
                     .message = "probe: more than 1024 nodes",
                     .remedy = "probe them in groups"};
    if (options.reference
        && std::ranges::find(nodes, *options.reference, &probe::NodeRanks::name) == nodes.end())
        return Error{.kind = ErrorKind::Input,
                     .message = "probe: --reference '" + *options.reference + "' is no node here",
                     .remedy = "expected one of " + names};
    return {};
}

/// Rank 0's part, from the first measurement to the file.
/// @return the exit code
int leadProbe(const ProbeOptions& options, probe::ProbeChannel& channel, const MpiRuntime& mpi)
{
    const SystemClock clock;
    StatusLine line(stderr, launchTerminalColumns(), clock);
    const probe::ProbeWishes wishes{
        .messages = {.repetitions = options.repetitions, .largestBytes = options.largestBytes},
        .speedSpan = options.speedSpan,
        .oneNodeAtATime = options.oneNodeAtATime,
        .pairsAtOnce = options.pairsAtOnce};
    const probe::ProbeWatcher watcher{
        .progress =
            [&](const std::string& what) {
                if (!options.quiet)
                    line.show([&what](int columns) {
                        const std::string text = "probe: " + what;
                        return columns > 0 ? text.substr(0, static_cast<std::size_t>(columns))
                                           : text;
                    });
            },
        .planned =
            [&](const probe::PingPongPlan& plan) {
                line.clear();
                tellPlan(plan, options);
            },
        .interrupted = [] { return RankStart::signalWaits(); }};
    const std::vector<probe::NodeRanks> nodes = probe::nodesOf(channel.gather(mpi.host()),
                                                               options.ranksAsNodes);
    probe::ProbeLeader leader(channel, wishes, watcher);
    const Result<void> usable = checkNodes(options, nodes);
    std::optional<probe::Findings> findings;
    if (usable)
        findings = leader.measure(nodes);
    leader.dismiss(static_cast<int>(mpi.size()));
    line.clear();
    if (!usable) {
        printError(usable.error());
        return toInt(ExitCode::BadInput);
    }
    if (!findings) {
        printError({.message = "probe: interrupted; nothing was written"});
        return toInt(ExitCode::Interrupted);
    }
    return concludeProbe(options, *findings);
}

} // namespace

int probeCommand(const Arguments& arguments, int& argc, char**& argv)
{
    const LaunchEnvironment launch = launchEnvironment();
    const bool first = launch.rank == 0;
    const Result<ProbeOptions> options = parseProbeOptions(arguments);
    if (const auto code = endsWithOptions(launch, options, probeHelp))
        return *code;
    RankStart start(launch);
    const std::unique_ptr<MpiRuntime> mpi = startMpi(argc, argv);
    if (!mpi)
        return toInt(ExitCode::NoReport);
    MpiRuntime& runtime = *mpi;
    int code = toInt(ExitCode::Success);
    if (first) {
        if (const Result<void> writable = checkProbeOutputs(*options); !writable) {
            printError(writable.error());
            code = toInt(ExitCode::RunFileUnusable);
        }
    }
    const bool ready = runtime.agreeAllReady(code == toInt(ExitCode::Success));
    start.over();
    if (ready) {
        probe::ProbeChannel channel;
        if (first) {
            code = leadProbe(*options, channel, runtime);
        } else {
            channel.gather(runtime.host());
            probe::followProbe(channel);
        }
    }
    if (first && ready)
        reportExit(launch, code);
    runtime.leave(LeaveMode::Together, code);
    if (code != toInt(ExitCode::Success))
        leaveQuietly(launch, code);
    return code;
}

} // namespace tasuki
