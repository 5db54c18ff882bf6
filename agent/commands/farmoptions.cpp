// SPDX-License-Identifier: GPL-3.0-or-later
#include "farmoptions.h"

#include "outputoptions.h"

#include "domain/shellword.h"
#include "tasklist/duration.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <sstream>

namespace tasuki {

namespace po = boost::program_options;

namespace {

const char* runFileHelp(FarmCommand command)
{
    switch (command) {
    case FarmCommand::Serve:
        return "record of the run, must not exist (default: serve.tasuki in this directory); none: "
               "no record is kept";
    case FarmCommand::World:
        return "record of the run, must not exist (default: NAME-OF-PROGRAM.tasuki in this "
               "directory, without a program NAME-OF-TOPOLOGY.tasuki); none: no record is kept";
    case FarmCommand::Farm: break;
    }
    return "record of the run, must not exist (default: NAME-OF-LIST.tasuki in this directory, "
           "stdin.tasuki for -); none: no record is kept";
}

void addWorldOptions(po::options_description& options)
{
    auto add = options.add_options();
    add("in", po::value<std::string>()->value_name("NAME"),
        "the subcluster whose ranks the program has, where the topology has several");
    add("trace", po::value<std::string>()->value_name("FILE"),
        "write an ALOG file of the MPI calls of the program, for plan and the window");
}

void addTaskOptions(po::options_description& options)
{
    auto add = options.add_options();
    add("slots", po::value<std::string>()->value_name("N|auto")->default_value("1"),
        "tasks that a rank runs at a time; auto: the host's cores shared by its ranks");
    add("retries", po::value<std::string>()->value_name("N")->default_value("0"),
        "how often a task is tried again after it failed, was killed or timed out");
}

po::options_description visibleOptions(FarmCommand command)
{
    po::options_description options("Options");
    auto add = options.add_options();
    const bool serve = command == FarmCommand::Serve;
    const bool world = command == FarmCommand::World;
    if (world)
        addWorldOptions(options);
    add("run", po::value<std::string>()->value_name("FILE|none"), runFileHelp(command));
    add("new",
        "begin another run beside those that are recorded: the date and time are added to the name of "
        "its record");
    add("resume", po::value<std::string>()->value_name("FILE"),
        "go on with a recorded run: what has ended is not run again");
    add("continue", "go on with the run if its record is there, else start it");
    add("requeue",
        "in a Slurm batch job: when the allocation ends and tasks are left, have the job started "
        "again; implies --continue");
    add("time-limit", po::value<std::string>()->value_name("DURATION"),
        "the run ends in order within this time, and can be resumed: no task starts that would take "
        "longer (default: until the Slurm allocation ends)");
    add("retry-failed", "with --resume or --continue: failed and skipped tasks are run again");
    if (!serve && !world) {
        add("retry", po::value<std::string>()->value_name("TASKS"),
            "with --resume: these tasks are run again, however they ended, and what waits for them; "
            "nothing else is. Numbers as show and the window tell them, e.g. 3,7-9");
        add("only", po::value<std::string>()->value_name("TASKS"),
            "with --resume: of what is left, these tasks are run, and what waits for them; nothing "
            "else is");
    }
    add("dedicated-master",
        world ? "without a topology: the first processor only schedules and is no rank"
              : "without a topology: the first processor only schedules and runs no tasks");
    if (!world)
        addTaskOptions(options);
    add("timeout", po::value<std::string>()->value_name("DURATION")->default_value("none"),
        world ? "the program is killed after so long, e.g. 90s, 10m, 1h30m"
              : "time limit of a task, e.g. 90s, 10m, 1h30m");
    if (!world)
        add("topology", po::value<std::string>()->value_name("FILE"),
            "subclusters, standbys and when a processor counts as lost; see check (default: one "
            "subcluster of all processors)");
    add("lost-after", po::value<std::string>()->value_name("DURATION"),
        "without a topology: silence after which a processor is given up and its tasks run "
        "elsewhere (default: 1s)");
    add("cps-log", po::value<std::string>()->value_name("FILE|none")->default_value("cps.log"),
        "log in the format of the program cps");
    add("health-log", po::value<std::string>()->value_name("FILE"),
        "each processor adds to FILE.NUMBER, of its own number, what it gets to know of the health "
        "of the others, and when");
    add("decision-log", po::value<std::string>()->value_name("FILE"),
        "each processor adds to FILE.NUMBER what it decides about leases, majorities and tables, to "
        "be held against docs/membership.md");
    add("listen", po::value<std::string>()->value_name("ADDRESS|none")->default_value("127.0.0.1"),
        "where windows of this host connect, e.g. 127.0.0.1:7070; none: over the Unix socket alone");
    addOutputOptions(options, world ? OutputOrder::Lines : OutputOrder::Grouped);
    if (!serve && !world)
        add("dry-run", "check the list, tell everything that is wrong, run nothing");
    add("quiet", "print neither progress nor the output of tasks");
    add("help,h", "print this");
    return options;
}

Error badValue(const FarmOptions& options, const std::string& option, const std::string& value,
               const std::string& expected)
{
    return Error{.kind = ErrorKind::Input,
                 .message = nameOf(options) + ": --" + option + " '" + value + "' is not valid",
                 .remedy = "expected " + expected};
}

Error excludes(const FarmOptions& options, const std::string& one, const std::string& other,
               std::string remedy)
{
    return Error{.kind = ErrorKind::Input,
                 .message = nameOf(options) + ": --" + one + " and --" + other
                     + " exclude each other",
                 .remedy = std::move(remedy)};
}

std::optional<std::uint32_t> parseNumber(const std::string& text, std::uint32_t most)
{
    std::uint32_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || stop != end || number > most)
        return std::nullopt;
    return number;
}

/// @return ranges of numbers such as 3,7-9; none: it is something else
std::optional<std::vector<farm::TaskRange>> parseRanges(const std::string& text)
{
    std::vector<farm::TaskRange> ranges;
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');) {
        const std::size_t dash = word.find('-');
        constexpr auto most = std::numeric_limits<std::uint32_t>::max();
        const auto first = parseNumber(word.substr(0, dash), most);
        const auto last = dash == std::string::npos ? first
                                                    : parseNumber(word.substr(dash + 1), most);
        if (!first || !last || *last < *first)
            return std::nullopt;
        ranges.push_back({TaskId(*first), TaskId(*last)});
    }
    if (ranges.empty() || text.back() == ',')
        return std::nullopt;
    return ranges;
}

Result<void> readTaskChoice(const po::variables_map& values, FarmOptions& options)
{
    const bool again = values.count("retry") != 0;
    if (!again && values.count("only") == 0)
        return {};
    const std::string name = again ? "retry" : "only";
    for (const char* other : {"only", "retry-failed"}) {
        if (name != other && values.count(other) != 0)
            return excludes(options, name, other, "choose one of them");
    }
    if (!options.resume)
        return Error{.kind = ErrorKind::Input,
                     .message = nameOf(options) + ": --" + name + " needs --resume FILE"};
    const auto text = values[name].as<std::string>();
    const auto ranges = parseRanges(text);
    if (!ranges)
        return badValue(options, name, text,
                        "numbers of tasks as show tells them, and ranges of them, e.g. 3,7-9");
    options.only = *ranges;
    options.onlyAgain = again;
    return {};
}

Result<void> readSlots(const po::variables_map& values, FarmOptions& options)
{
    options.slots = 1;
    if (values.count("slots") == 0)
        return {};
    const auto text = values["slots"].as<std::string>();
    constexpr std::uint32_t most = 4096;
    if (text == "auto") {
        options.slots.reset();
        return {};
    }
    options.slots = parseNumber(text, most);
    if (!options.slots || *options.slots == 0)
        return badValue(options, "slots", text, "a number from 1 to 4096, or auto");
    return {};
}

Result<void> readRetries(const po::variables_map& values, FarmOptions& options)
{
    if (values.count("retries") == 0)
        return {};
    const auto text = values["retries"].as<std::string>();
    const auto retries = parseNumber(text, std::numeric_limits<std::uint16_t>::max());
    if (!retries)
        return badValue(options, "retries", text, "a number from 0 to 65535");
    for (const RetryCause cause : {RetryCause::Exit, RetryCause::Signal, RetryCause::Timeout}) {
        options.retries.allowed[static_cast<std::size_t>(cause)] = static_cast<std::uint16_t>(
            *retries);
    }
    return {};
}

Result<void> readDurations(const po::variables_map& values, FarmOptions& options)
{
    const auto timeout = values["timeout"].as<std::string>();
    if (timeout != "none") {
        const Result<std::chrono::milliseconds> parsed = parseDuration(timeout);
        if (!parsed || *parsed <= std::chrono::milliseconds::zero())
            return badValue(options, "timeout", timeout,
                            "a duration such as 90s, 10m or 1h30m, or none");
        options.timeout = *parsed;
    }
    if (values.count("time-limit") != 0) {
        const auto limit = values["time-limit"].as<std::string>();
        const Result<std::chrono::milliseconds> parsed = parseDuration(limit);
        if (!parsed)
            return badValue(options, "time-limit", limit, "a duration such as 90s, 10m or 1h30m");
        options.timeLimit = *parsed;
    }
    if (values.count("lost-after") == 0)
        return {};
    constexpr std::chrono::milliseconds shortest{100};
    constexpr std::chrono::milliseconds longest{100'000};
    const auto lostAfter = values["lost-after"].as<std::string>();
    const Result<std::chrono::milliseconds> parsed = parseDuration(lostAfter);
    if (!parsed || *parsed < shortest || *parsed > longest)
        return badValue(options, "lost-after", lostAfter, "a duration from 100ms to 100s");
    options.lostAfter = *parsed;
    return {};
}

Result<void> readTopology(const po::variables_map& values, FarmOptions& options)
{
    const char* const key = options.world ? "TOPOLOGY" : "topology";
    if (values.count(key) == 0)
        return {};
    options.topology = values[key].as<std::string>();
    const auto excluded = [&options](const char* option, const char* how) {
        return Error{.kind = ErrorKind::Input,
                     .message = nameOf(options)
                         + (options.world ? ": a topology and --" : ": --topology and --") + option
                         + " exclude each other",
                     .remedy = std::string("say it in the topology file: ") + how};
    };
    if (options.dedicatedMaster)
        return excluded("dedicated-master", "dedicated_master = true");
    if (options.lostAfter)
        return excluded("lost-after", "lost_after, in heartbeats of heartbeat_ms");
    return {};
}

Result<void> readListen(const std::string& text, FarmOptions& options)
{
    const Result<std::optional<link::TcpAddress>> address = link::parseListen(text);
    if (!address) {
        Error error = address.error();
        error.message = nameOf(options) + ": --listen '" + text + "': " + error.message;
        return error;
    }
    options.listen = *address;
    return {};
}

/// What is to run: the words behind --, which program_options does not get to see.
Result<void> readProgram(const Arguments& program, const po::variables_map& values,
                         FarmOptions& options)
{
    WorldOptions& world = *options.world;
    for (const std::string& word : program)
        world.command += (world.command.empty() ? "" : " ") + shellWord(word);
    if (values.count("in") != 0)
        world.subcluster = values["in"].as<std::string>();
    if (values.count("trace") != 0)
        world.trace = std::filesystem::absolute(values["trace"].as<std::string>()).string();
    if (program.empty() && values.count("TOPOLOGY") == 0 && values.count("resume") == 0)
        return Error{.kind = ErrorKind::Input,
                     .message = "world: no program",
                     .remedy = "usage: mpirun -n N tasuki-agent world [TOPOLOGY] -- PROGRAM "
                               "[ARGUMENT...]"};
    if (!program.empty() && options.resume)
        return Error{.kind = ErrorKind::Input,
                     .message = "world: --resume and a program exclude each other",
                     .remedy = "the record has the program; begin another run with --run FILE"};
    if (!world.subcluster.empty() && program.empty())
        return Error{.kind = ErrorKind::Input,
                     .message = "world: --in without a program",
                     .remedy = "name the program behind --"};
    return {};
}

/// @return the usual name of the record
std::string runFileOf(const FarmOptions& options, const Arguments& program)
{
    if (options.serve)
        return "serve.tasuki";
    if (options.world) {
        const std::filesystem::path path = program.empty() ? *options.topology : program.front();
        const std::filesystem::path name = program.empty() ? path.stem() : path.filename();
        return (name.empty() ? "world" : name.string()) + ".tasuki";
    }
    if (*options.taskList == "-")
        return runFileOfStandardInput;
    return std::filesystem::path(*options.taskList).stem().string() + ".tasuki";
}

/// What goes on with a record needs one that it can tell from others.
Result<void> checkContinued(const FarmOptions& options)
{
    if (!options.continues || options.record == RecordChoice::Named
        || options.record == RecordChoice::DatedIfTaken)
        return {};
    const std::string how = options.requeue ? "requeue" : "continue";
    if (options.record == RecordChoice::NotKept)
        return excludes(
            options, "run none", how,
            "what is not recorded cannot be gone on with: name a record with --run FILE");
    if (!options.requeue)
        return excludes(
            options, "new", how,
            "use --new to begin a run, --continue to go on with the one that is recorded");
    const std::string stem = std::filesystem::path(options.runFile).stem().string();
    return excludes(options, "new", how,
                    "name the record after the job, which finds it again: --run " + stem
                        + "-$SLURM_JOB_ID.tasuki");
}

/// Which record the run is to have that begins.
Result<void> readRecord(const po::variables_map& values, const Arguments& program,
                        FarmOptions& options)
{
    options.runFileGiven = values.count("run") != 0;
    const std::string given = options.runFileGiven ? values["run"].as<std::string>()
                                                   : std::string();
    const bool isNew = values.count("new") != 0;
    if (isNew && options.runFileGiven)
        return excludes(options, "new", "run",
                        "use --new for a name with the date, --run FILE for one of your own");
    if (isNew && options.resume)
        return excludes(options, "new", "resume",
                        "use --new to begin a run, --resume FILE to go on with one");
    const bool fromInput = options.taskList && *options.taskList == "-";
    if (!options.resume)
        options.usualRunFile = runFileOf(options, program);
    options.runFile = options.resume                     ? values["resume"].as<std::string>()
        : options.runFileGiven && given != unkeptRunFile ? given
                                                         : options.usualRunFile;
    if (isNew)
        options.record = RecordChoice::Dated;
    else if (given == unkeptRunFile)
        options.record = RecordChoice::NotKept;
    else if (fromInput && !options.runFileGiven && !options.resume && !options.continues)
        options.record = RecordChoice::DatedIfTaken;
    return checkContinued(options);
}

Result<void> readFiles(const po::variables_map& values, const Arguments& program,
                       FarmOptions& options)
{
    if (values.count("TASKS") != 0)
        options.taskList = values["TASKS"].as<std::string>();
    options.resume = values.count("resume") != 0;
    if (options.resume && values.count("run") != 0)
        return excludes(options, "run", "resume",
                        "use --run FILE to begin a run, --resume FILE to go on with one");
    if (options.resume && values.count("continue") != 0)
        return excludes(options, "continue", "resume",
                        "use --continue, with --run FILE if the record has another name");
    options.continues = !options.resume && (options.requeue || values.count("continue") != 0);
    if (options.retryFailed && !options.resume && !options.continues) {
        return Error{.kind = ErrorKind::Input,
                     .message = nameOf(options)
                         + ": --retry-failed needs --resume FILE or --continue"};
    }
    if (options.world) {
        if (const Result<void> read = readProgram(program, values, options); !read)
            return read;
    } else if (!options.taskList && !options.resume && !options.serve) {
        return Error{.kind = ErrorKind::Input,
                     .message = "farm: no task list",
                     .remedy = "usage: tasuki-agent farm TASKS [options]"};
    }
    return readRecord(values, program, options);
}

/// Everything that a command takes.
struct FarmSyntax {
    explicit FarmSyntax(FarmCommand command) : options(visibleOptions(command))
    {
        if (command == FarmCommand::Serve)
            return;
        const char* const file = command == FarmCommand::World ? "TOPOLOGY" : "TASKS";
        options.add_options()(file, po::value<std::string>());
        positional.add(file, 1);
    }

    po::options_description options;
    po::positional_options_description positional;
};

} // namespace

std::optional<FarmCommand> farmCommandOf(std::string_view name)
{
    if (name == "farm")
        return FarmCommand::Farm;
    if (name == "serve")
        return FarmCommand::Serve;
    return name == "world" ? std::optional(FarmCommand::World) : std::nullopt;
}

namespace {

/// What stands before -- and behind it. All is before it for commands that start no program.
std::pair<Arguments, Arguments> splitAtProgram(FarmCommand command, const Arguments& arguments)
{
    const auto dashes = command == FarmCommand::World ? std::ranges::find(arguments, "--")
                                                      : arguments.end();
    return {Arguments(arguments.begin(), dashes),
            Arguments(dashes == arguments.end() ? dashes : dashes + 1, arguments.end())};
}

} // namespace

Result<FarmOptions> parseFarmOptions(FarmCommand command, const Arguments& all)
{
    FarmOptions options;
    options.serve = command == FarmCommand::Serve;
    if (command == FarmCommand::World)
        options.world.emplace();
    const auto [arguments, program] = splitAtProgram(command, all);
    const FarmSyntax syntax(command);
    const Result<po::variables_map> parsed = parseOptions(nameOf(options), arguments,
                                                          syntax.options, syntax.positional);
    if (!parsed)
        return parsed.error();
    const po::variables_map& values = *parsed;
    options.help = values.count("help") != 0;
    if (options.help)
        return options;
    options.retryFailed = values.count("retry-failed") != 0;
    options.requeue = values.count("requeue") != 0;
    options.dedicatedMaster = values.count("dedicated-master") != 0;
    options.dryRun = values.count("dry-run") != 0;
    options.quiet = values.count("quiet") != 0;
    Result<OutputOptions> output = readOutputOptions(
        values, nameOf(options), options.world ? OutputOrder::Lines : OutputOrder::Grouped);
    if (!output)
        return output.error();
    options.output = std::move(*output);
    if (const auto log = values["cps-log"].as<std::string>(); log != "none")
        options.cpsLog = log;
    if (values.count("health-log") != 0)
        options.healthLog = values["health-log"].as<std::string>();
    if (values.count("decision-log") != 0)
        options.decisionLog = values["decision-log"].as<std::string>();
    for (const Result<void>& step :
         {readDurations(values, options), readTopology(values, options),
          readFiles(values, program, options), readTaskChoice(values, options),
          readListen(values["listen"].as<std::string>(), options), readSlots(values, options),
          readRetries(values, options)}) {
        if (!step)
            return step.error();
    }
    return options;
}

Arguments resumingArguments(FarmCommand command, const Arguments& arguments,
                            const std::string& runFile)
{
    const FarmSyntax syntax(command);
    if (command == FarmCommand::World) {
        Arguments world = withoutOptions(
            splitAtProgram(command, arguments).first,
            {"in", "trace", "run", "new", "resume", "continue", "retry-failed"}, syntax.options,
            syntax.positional);
        world.insert(world.end(), {"--resume", runFile});
        return world;
    }
    // A list would take back what windows have added; what failed, or was to be done again, has had
    // its chance.
    Arguments resuming = withoutOptions(
        arguments, {"TASKS", "run", "new", "resume", "continue", "retry-failed", "retry"},
        syntax.options, syntax.positional);
    resuming.insert(resuming.end(), {"--resume", runFile});
    const auto values = parseOptions("farm", arguments, syntax.options, syntax.positional);
    if (values && values->count("retry") != 0)
        resuming.insert(resuming.end(), {"--only", (*values)["retry"].as<std::string>()});
    return resuming;
}

std::string farmHelp(FarmCommand command)
{
    std::ostringstream text;
    if (command == FarmCommand::Farm) {
        text << "Usage: mpirun -n N tasuki-agent farm TASKS [options]\n"
                "       tasuki-agent launch -n N -- farm TASKS [options]\n\n"
                "Runs the commands of a task list, one a line, on the slots of all ranks, and "
                "records\nwhat became of each. TASKS is a file, or - for standard input.\n\n";
    } else if (command == FarmCommand::World) {
        text
            << "Usage: mpirun -n N tasuki-agent world [TOPOLOGY] [options] -- PROGRAM [ARGUMENT...]\n"
               "       tasuki-agent launch -n N -- world [TOPOLOGY] [options] -- PROGRAM ...\n\n"
               "Runs an MPI program as it is, each rank of a subcluster being one of its ranks. "
               "What reads\nstandard input gets it at rank 0. Without PROGRAM, the subclusters of "
               "TOPOLOGY say what\nthey run: world = { command = \"./solver\" }.\n\n";
    } else {
        text << "Usage: mpirun -n N tasuki-agent serve [options]\n"
                "       tasuki-agent launch -n N -- serve [options]\n\n"
                "Stays up, takes tasks from windows, runs them on the slots of all ranks, and "
                "records\nwhat became of each. Ends when a window or Ctrl-C says so.\n\n";
    }
    text << visibleOptions(command)
         << "\nExit codes: 0 every task succeeded; 1 a task failed, was skipped or cancelled;\n"
            "2 wrong options or list; 3 the run file cannot be used; 4 interrupted, can be\n"
            "resumed; 5 MPI could not be started; 6 a subcluster is down and the policy is\n"
            "restart: to be resumed, which launch does by itself, if not too often; 7 every task\n"
            "succeeded, but not all of their output could be printed.\n";
    return text.str();
}

} // namespace tasuki
