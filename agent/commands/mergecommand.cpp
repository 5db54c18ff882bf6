// SPDX-License-Identifier: GPL-3.0-or-later
#include "mergecommand.h"

#include "mergeoptions.h"

#include "domain/sizetext.h"
#include "merge/mapbuilder.h"
#include "mergefiles/mapfilereader.h"
#include "mergefiles/mapfilewriter.h"
#include "mergerun/mergesession.h"
#include "report/statusline.h"
#include "startup/exitcode.h"
#include "startup/launchenvironment.h"
#include "startup/rankstart.h"
#include "startup/terminal.h"
#include "transport/mpi/mpiruntime.h"
#include "transport/mpi/mpitransport.h"

#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

#include <unistd.h>

namespace tasuki {

namespace {

/// What a rank has before the ranks agree on whether to go on.
struct MergePreparation {
    std::optional<merge::MergeMap> map; ///< none: exit with exitCode, an error is printed
    bool exactScores = true;
    std::optional<RunFileWriter> file; ///< of --run
    bool interrupted = false;          ///< while it read
    int exitCode = toInt(ExitCode::BadInput);
};

/// Rank 0 finds out about places to write before anybody reads for long.
Result<std::optional<RunFileWriter>> prepareOutputs(const MergeOptions& options)
{
    if (const Result<void> writable = merge::checkOutput(options.output); !writable)
        return writable.error();
    if (!options.runFile)
        return std::optional<RunFileWriter>();
    Result<RunFileWriter> file = RunFileWriter::create(*options.runFile, RunId::random());
    if (!file)
        return file.error();
    return std::optional(std::move(*file));
}

/// Reads this rank's share of the files: each n-th one.
Result<void> readShare(const MergeOptions& options, const MpiRuntime& mpi,
                       MergePreparation& preparation)
{
    const SystemClock clock;
    StatusLine line(stderr, launchTerminalColumns(), clock);
    const bool speaks = mpi.self() == ProcessorId(0) && !options.quiet;
    merge::MapBuilder builder(options.law);
    const merge::MapFileRules rules{.law = options.law, .score = options.score};
    for (auto index = static_cast<std::size_t>(mpi.self().value()); index < options.files.size();
         index += mpi.size()) {
        const std::string& path = options.files[index];
        const auto progress = [&](std::uint64_t bytes) {
            if (speaks)
                line.show([&](int) { return "merge: reading " + path + ", " + sizeText(bytes); });
            preparation.interrupted = RankStart::signalWaits();
            return !preparation.interrupted;
        };
        Result<merge::MapFileFindings> found = merge::readMapFile(
            path, static_cast<std::uint32_t>(index), rules, builder, progress);
        line.clear();
        if (!found)
            return found.error();
        for (const std::string& warning : found->warnings)
            printWarning(warning);
        preparation.exactScores = preparation.exactScores && found->exactScores;
    }
    preparation.map = builder.build();
    return {};
}

MergePreparation prepareMerge(const MergeOptions& options, const MpiRuntime& mpi)
{
    MergePreparation preparation;
    if (mpi.self() == ProcessorId(0)) {
        Result<std::optional<RunFileWriter>> file = prepareOutputs(options);
        if (!file) {
            printError(file.error());
            preparation.exitCode = toInt(ExitCode::RunFileUnusable);
            return preparation;
        }
        preparation.file = std::move(*file);
    }
    const Result<void> read = readShare(options, mpi, preparation);
    if (preparation.interrupted)
        preparation.exitCode = toInt(ExitCode::Interrupted);
    if (!read && (!preparation.interrupted || mpi.self() == ProcessorId(0)))
        printError(read.error());
    return preparation;
}

} // namespace

int mergeCommand(const Arguments& arguments, int& argc, char**& argv)
{
    const LaunchEnvironment launch = launchEnvironment();
    const Result<MergeOptions> options = parseMergeOptions(arguments);
    if (const auto code = endsWithOptions(launch, options, mergeHelp))
        return *code;
    RankStart start(launch);
    const std::unique_ptr<MpiRuntime> mpi = startMpi(argc, argv);
    if (!mpi)
        return toInt(ExitCode::NoReport);
    MpiRuntime& runtime = *mpi;
    const std::optional<pid_t> master = masterOnThisHost(runtime);
    MergePreparation preparation = prepareMerge(*options, runtime);
    const bool ready = runtime.agreeAllReady(preparation.map.has_value());
    start.over();
    if (!ready)
        return leaveUnready(runtime, launch, preparation.exitCode);
    MergeEnd end;
    {
        const SystemClock clock;
        MpiTransport transport(runtime);
        MergeSession session({.options = *options,
                              .launch = launch,
                              .host = runtime.host(),
                              .master = master,
                              .exactScores = preparation.exactScores,
                              .file = std::move(preparation.file)},
                             std::move(*preparation.map), transport, clock);
        start.releaseSignals();
        end = session.run();
    }
    if (end.speaks)
        reportExit(launch, end.exitCode);
    std::fflush(nullptr);
    if (end.abandoned)
        ::_exit(end.exitCode); // nobody is left to take leave of
    runtime.leave(end.losses ? LeaveMode::AfterLoss : LeaveMode::Together, end.exitCode);
    return end.exitCode;
}

} // namespace tasuki
