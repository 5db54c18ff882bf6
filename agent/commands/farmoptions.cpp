// SPDX-License-Identifier: GPL-3.0-or-later
#include "farmoptions.h"

#include "outputoptions.h"

#include "tasklist/duration.h"

#include <charconv>
#include <filesystem>
#include <limits>
#include <sstream>

namespace tasuki {

namespace po = boost::program_options;

namespace {

po::options_description visibleOptions(FarmCommand command)
{
    po::options_description options("Options");
    auto add = options.add_options();
    const bool serve = command == FarmCommand::Serve;
    add("run", po::value<std::string>()->value_name("FILE"),
        serve ? "record of the run, must not exist (default: serve.tasuki in this directory)"
              : "record of the run, must not exist (default: NAME-OF-LIST.tasuki in this "
                "directory, stdin.tasuki for -)");
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
    if (!serve) {
        add("retry", po::value<std::string>()->value_name("TASKS"),
            "with --resume: these tasks are run again, however they ended, and what waits for them; "
            "nothing else is. Numbers as show and the window tell them, e.g. 3,7-9");
        add("only", po::value<std::string>()->value_name("TASKS"),
            "with --resume: of what is left, these tasks are run, and what waits for them; nothing "
            "else is");
    }
    add("dedicated-master",
        "without a topology: the first processor only schedules and runs no tasks");
    add("slots", po::value<std::string>()->value_name("N|auto")->default_value("1"),
        "tasks that a rank runs at a time; auto: the host's cores shared by its ranks");
    add("retries", po::value<std::string>()->value_name("N")->default_value("0"),
        "how often a task is tried again after it failed, was killed or timed out");
    add("timeout", po::value<std::string>()->value_name("DURATION")->default_value("none"),
        "time limit of a task, e.g. 90s, 10m, 1h30m");
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
    addOutputOptions(options);
    if (!serve)
        add("dry-run", "check the list, tell everything that is wrong, run nothing");
    add("quiet", "print neither progress nor the output of tasks");
    add("help,h", "print this");
    return options;
}

std::string nameOf(const FarmOptions& options) { return options.serve ? "serve" : "farm"; }

Error badValue(const FarmOptions& options, const std::string& option, const std::string& value,
               const std::string& expected)
{
    return Error{.kind = ErrorKind::Input,
                 .message = nameOf(options) + ": --" + option + " '" + value + "' is not valid",
                 .remedy = "expected " + expected};
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
            return Error{.kind = ErrorKind::Input,
                         .message = nameOf(options) + ": --" + name + " and --" + other
                             + " exclude each other",
                         .remedy = "choose one of them"};
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

Result<void> readSlots(const std::string& text, FarmOptions& options)
{
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

Result<void> readRetries(const std::string& text, FarmOptions& options)
{
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
    if (values.count("topology") == 0)
        return {};
    options.topology = values["topology"].as<std::string>();
    const auto excluded = [&options](const char* option, const char* key) {
        return Error{.kind = ErrorKind::Input,
                     .message = nameOf(options) + ": --topology and --" + option
                         + " exclude each other",
                     .remedy = std::string("say it in the topology file: ") + key};
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

Result<void> readFiles(const po::variables_map& values, FarmOptions& options)
{
    if (values.count("TASKS") != 0)
        options.taskList = values["TASKS"].as<std::string>();
    options.resume = values.count("resume") != 0;
    if (options.resume && values.count("run") != 0) {
        return Error{.kind = ErrorKind::Input,
                     .message = nameOf(options) + ": --run and --resume exclude each other",
                     .remedy = "use --run FILE to begin a run, --resume FILE to go on with one"};
    }
    if (options.resume && values.count("continue") != 0) {
        return Error{.kind = ErrorKind::Input,
                     .message = nameOf(options) + ": --continue and --resume exclude each other",
                     .remedy = "use --continue, with --run FILE if the record has another name"};
    }
    options.continues = !options.resume && (options.requeue || values.count("continue") != 0);
    if (options.retryFailed && !options.resume && !options.continues) {
        return Error{.kind = ErrorKind::Input,
                     .message = nameOf(options)
                         + ": --retry-failed needs --resume FILE or --continue"};
    }
    if (!options.taskList && !options.resume && !options.serve) {
        return Error{.kind = ErrorKind::Input,
                     .message = "farm: no task list",
                     .remedy = "usage: tasuki-agent farm TASKS [options]"};
    }
    if (options.resume)
        options.runFile = values["resume"].as<std::string>();
    else if (values.count("run") != 0)
        options.runFile = values["run"].as<std::string>();
    else if (options.serve)
        options.runFile = "serve.tasuki";
    else if (*options.taskList == "-")
        options.runFile = runFileOfStandardInput;
    else
        options.runFile = std::filesystem::path(*options.taskList).stem().string() + ".tasuki";
    return {};
}

/// Everything that a command takes.
struct FarmSyntax {
    explicit FarmSyntax(FarmCommand command) : options(visibleOptions(command))
    {
        if (command == FarmCommand::Serve)
            return;
        options.add_options()("TASKS", po::value<std::string>());
        positional.add("TASKS", 1);
    }

    po::options_description options;
    po::positional_options_description positional;
};

} // namespace

Result<FarmOptions> parseFarmOptions(FarmCommand command, const Arguments& arguments)
{
    FarmOptions options;
    options.serve = command == FarmCommand::Serve;
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
    Result<OutputOptions> output = readOutputOptions(values, nameOf(options));
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
         {readFiles(values, options), readTaskChoice(values, options),
          readListen(values["listen"].as<std::string>(), options),
          readSlots(values["slots"].as<std::string>(), options),
          readRetries(values["retries"].as<std::string>(), options), readDurations(values, options),
          readTopology(values, options)}) {
        if (!step)
            return step.error();
    }
    return options;
}

Arguments resumingArguments(FarmCommand command, const Arguments& arguments,
                            const std::string& runFile)
{
    const FarmSyntax syntax(command);
    // A list would take back what windows have added; what failed, or was to be done again, has had
    // its chance.
    Arguments resuming = withoutOptions(
        arguments, {"TASKS", "run", "resume", "continue", "retry-failed", "retry"}, syntax.options,
        syntax.positional);
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
