// SPDX-License-Identifier: GPL-3.0-or-later
#include "steeroptions.h"

#include "tasklist/duration.h"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace tasuki {

namespace po = boost::program_options;

namespace {

constexpr std::string_view runWords =
    "RUN is a run file, or the access file of an agent. A TASK is its number, a range of numbers (3-9) or a label.\n\n";

constexpr std::string_view endsWords = "a line of JSON for each task as it ends";

std::string_view purpose(SteerCommand command)
{
    switch (command) {
    case SteerCommand::Cancel:
        return "Tasks that wait will not run, and those that run are killed.";
    case SteerCommand::Hold: return "Tasks that wait do not start until they are released.";
    case SteerCommand::Release: return "Held tasks may start again.";
    case SteerCommand::Retry:
        return "Tasks that have ended are done again with fresh retries, and with them what was skipped because of them.";
    case SteerCommand::Wait:
        return "Waits until tasks have ended; without TASK: all of the run. Exit code 0: all have succeeded. Of one task "
               "the exit code is that of the task (128 and the number of a signal, 124: its time was over), of several 1. "
               "4: the run ended before them, 124: --timeout is over, 8: the run could not be followed any longer.";
    case SteerCommand::Tail:
        return "Shows what a task has written, and goes on until it has ended. Exit code 4: the run ended before it.";
    case SteerCommand::Top:
        return "Shows ranks, rates, running tasks, failures and alarms on the whole terminal, and keeps them fresh; q ends. "
               "Where it cannot draw, in lines; into a pipe or a file once.";
    case SteerCommand::Why:
        return "Says why tasks are as they are: why one waits, was skipped, ran again, failed, or is not run again.";
    case SteerCommand::Relay:
        return "Carries the link of a window on another host, which starts this over ssh (tasuki ssh://HOST/PATH), between "
               "standard input and output and the agent of the run. Where none works on it, its record answers.";
    }
    return {};
}

/// How its tasks are named.
std::string_view tasksOf(SteerCommand command)
{
    switch (command) {
    case SteerCommand::Tail: return " TASK";
    case SteerCommand::Top:
    case SteerCommand::Relay: return "";
    default: return " [TASK...]";
    }
}

std::string usageOf(SteerCommand command)
{
    return "usage: tasuki-agent " + std::string(steerName(command)) + " RUN"
        + std::string(tasksOf(command)) + " [options]";
}

bool changes(SteerCommand command)
{
    return command == SteerCommand::Cancel || command == SteerCommand::Hold
        || command == SteerCommand::Release || command == SteerCommand::Retry;
}

po::options_description visibleOptions(SteerCommand command)
{
    po::options_description options("Options");
    auto add = options.add_options();
    if (command != SteerCommand::Tail && !tasksOf(command).empty()) {
        add("state", po::value<std::vector<std::string>>()->value_name("STATE")->composing(),
            "only tasks in this state, e.g. queued, running, failed; may be given more than once");
    }
    if (changes(command))
        add("all", "all tasks of the run");
    if (command == SteerCommand::Wait)
        add("timeout", po::value<std::string>()->value_name("DURATION"),
            "wait no longer than this, e.g. 90s, 2h");
    if (command == SteerCommand::Wait)
        add("ends", endsWords.data());
    if (command == SteerCommand::Tail) {
        add("lines,n", po::value<std::string>()->value_name("N")->default_value("10"),
            "lines of each stream that were written before, or all");
        add("attempt", po::value<std::uint32_t>()->value_name("N"),
            "this attempt alone (default: the latest one, and those that follow)");
        add("no-follow", "show what there is, and end");
    } else if (!tasksOf(command).empty()) {
        add("json", "say what became of it as a line of JSON");
    }
    add("help,h", "print this");
    return options;
}

Error wrongUse(std::string_view command, std::string message, std::string remedy)
{
    return {.kind = ErrorKind::Input,
            .message = std::string(command) + ": " + std::move(message),
            .remedy = std::move(remedy)};
}

Result<std::optional<std::size_t>> parseLines(const std::string& text)
{
    if (text == "all")
        return std::optional<std::size_t>();
    std::size_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || stop != end)
        return wrongUse("tail", "--lines '" + text + "' is no number", "expected a number, or all");
    return std::optional(number);
}

/// What only some of the commands have.
Result<void> takeOwn(SteerCommand command, const po::variables_map& values, SteerOptions& options)
{
    if (values.count("timeout") != 0) {
        const auto parsed = parseDuration(values["timeout"].as<std::string>());
        if (!parsed)
            return wrongUse("wait", "--timeout: " + parsed.error().message, parsed.error().remedy);
        options.timeout = *parsed;
    }
    if (command == SteerCommand::Tail) {
        const auto lines = parseLines(values["lines"].as<std::string>());
        if (!lines)
            return lines.error();
        options.lines = *lines;
        options.follow = values.count("no-follow") == 0;
        if (values.count("attempt") != 0)
            options.attempt = values["attempt"].as<std::uint32_t>();
        options.pieces = values.count("pieces") != 0;
        if (values.count("from") != 0) {
            options.from = steering::tailPlaceOf(values["from"].as<std::string>());
            if (!options.from)
                return wrongUse("tail", "--from is no place", "expected ATTEMPT,OUTPUT,ERROR");
        }
        if (options.tasks.words.size() != 1)
            return wrongUse("tail", "name one task", usageOf(command));
    }
    if (tasksOf(command).empty() && !options.tasks.words.empty())
        return wrongUse(steerName(command), "more than a run is named", usageOf(command));
    if (changes(command) && options.tasks.words.empty() && !options.tasks.all)
        return wrongUse(steerName(command), "no task is named",
                        "name tasks, or give --state STATE or --all");
    return {};
}

} // namespace

std::string_view steerName(SteerCommand command)
{
    switch (command) {
    case SteerCommand::Cancel: return "cancel";
    case SteerCommand::Hold: return "hold";
    case SteerCommand::Release: return "release";
    case SteerCommand::Retry: return "retry";
    case SteerCommand::Wait: return "wait";
    case SteerCommand::Tail: return "tail";
    case SteerCommand::Top: return "top";
    case SteerCommand::Why: return "why";
    case SteerCommand::Relay: return "relay";
    }
    return {};
}

Result<SteerOptions> parseSteerOptions(SteerCommand command, const Arguments& arguments)
{
    const std::string name(steerName(command));
    po::options_description all = visibleOptions(command);
    all.add_options()("RUN", po::value<std::string>())("TASK",
                                                       po::value<std::vector<std::string>>());
    // What tail on one host asks of that on another.
    if (command == SteerCommand::Tail)
        all.add_options()("pieces", "")("from", po::value<std::string>());
    po::positional_options_description positional;
    positional.add("RUN", 1).add("TASK", -1);
    const Result<po::variables_map> values = parseOptions(name, arguments, all, positional);
    if (!values)
        return values.error();
    SteerOptions options;
    options.help = values->count("help") != 0;
    if (options.help)
        return options;
    if (values->count("RUN") == 0)
        return wrongUse(name, "no run is named", usageOf(command));
    options.run = (*values)["RUN"].as<std::string>();
    if (values->count("TASK") != 0)
        options.tasks.words = (*values)["TASK"].as<std::vector<std::string>>();
    options.json = values->count("json") != 0;
    options.ends = values->count("ends") != 0;
    if (values->count("state") != 0) {
        for (const auto& word : (*values)["state"].as<std::vector<std::string>>()) {
            const auto state = steering::parseTaskState(word);
            if (!state)
                return wrongUse(name, state.error().message, state.error().remedy);
            options.tasks.states.push_back(*state);
        }
    }
    // Who asks only, asks of all.
    options.tasks.all = !changes(command) || values->count("all") != 0
        || !options.tasks.states.empty();
    const Result<void> own = takeOwn(command, *values, options);
    return own ? Result<SteerOptions>(std::move(options)) : own.error();
}

std::string steerHelp(SteerCommand command)
{
    const std::string name(steerName(command));
    std::ostringstream text;
    text << "Usage: tasuki-agent " << name << " RUN" << tasksOf(command) << " [options]\n\n"
         << purpose(command) << "\n\n"
         << runWords << visibleOptions(command);
    return text.str();
}

namespace {

po::options_description visibleAddOptions()
{
    po::options_description options("Options");
    auto add = options.add_options();
    add("jsonl",
        "standard input has a task a line as a JSON object: command, label, after, retries, timeout, time, warn, "
        "cwd, env, barrier");
    add("wait", "wait until the new tasks have ended, and exit as `wait` does");
    add("ends",
        (std::string(endsWords) + ", and for each piece that was added; implies --wait").c_str());
    add("json", "say what became of it as a line of JSON");
    add("help,h", "print this");
    return options;
}

} // namespace

Result<AddOptions> parseAddOptions(const Arguments& arguments)
{
    const auto dashes = std::ranges::find(arguments, "--");
    AddOptions options;
    if (dashes != arguments.end())
        options.program.assign(dashes + 1, arguments.end());
    po::options_description all = visibleAddOptions();
    all.add_options()("RUN", po::value<std::string>())("LINE",
                                                       po::value<std::vector<std::string>>());
    po::positional_options_description positional;
    positional.add("RUN", 1).add("LINE", -1);
    const Result<po::variables_map> values = parseOptions(
        "add", Arguments(arguments.begin(), dashes), all, positional);
    if (!values)
        return values.error();
    options.help = values->count("help") != 0;
    if (options.help)
        return options;
    if (values->count("RUN") == 0)
        return wrongUse("add", "no run is named",
                        "usage: tasuki-agent add RUN [LINE...] [options]");
    options.run = (*values)["RUN"].as<std::string>();
    if (values->count("LINE") != 0)
        options.lines = (*values)["LINE"].as<std::vector<std::string>>();
    options.ends = values->count("ends") != 0;
    options.wait = values->count("wait") != 0 || options.ends;
    options.json = values->count("json") != 0;
    options.jsonLines = values->count("jsonl") != 0;
    if (options.jsonLines && (!options.lines.empty() || !options.program.empty()))
        return wrongUse("add", "--jsonl is of standard input", "leave out the lines");
    if (dashes != arguments.end() && options.program.empty())
        return wrongUse("add", "nothing is behind --", "write the program and its arguments there");
    if (!options.program.empty() && !options.lines.empty())
        return wrongUse("add", "there are lines and, behind --, a program",
                        "give one or the other");
    return options;
}

std::string addHelp()
{
    std::ostringstream text;
    text
        << "Usage: tasuki-agent add RUN [LINE...] [options]\n"
           "       tasuki-agent add RUN [options] -- PROGRAM [ARGUMENT...]\n"
           "       ... | tasuki-agent add RUN [options]\n\n"
           "Adds tasks to a living run. Each LINE is a line of a task list: a command for the shell, or a directive. Without "
           "LINE they are read from standard input, and added as they come. What is behind -- is one task, word by word.\n\n"
           "RUN is a run file, or the access file of an agent.\n\n"
        << visibleAddOptions();
    return text.str();
}

} // namespace tasuki
