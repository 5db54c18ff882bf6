// SPDX-License-Identifier: GPL-3.0-or-later
#include "showcommand.h"

#include "showworlds.h"

#include "domain/visibletext.h"
#include "replica/recordage.h"
#include "report/recordviews.h"
#include "report/runhistory.h"
#include "report/runtables.h"
#include "report/systemtables.h"
#include "report/taskoutput.h"
#include "runfile/runfilereader.h"
#include "startup/exitcode.h"

#include <charconv>
#include <cstdio>
#include <limits>
#include <map>
#include <optional>
#include <sstream>

namespace tasuki {

namespace po = boost::program_options;

namespace {

enum class Format { Table, JsonLines, Joblog };

struct ShowOptions {
    bool help = false;
    std::string run;
    Format format = Format::Table;
    std::optional<TaskId> task;
    bool events = false;
    bool failovers = false;
    bool alarms = false;
    bool worlds = false;
    bool schema = false;
};

po::options_description visibleOptions()
{
    po::options_description options("Options");
    auto add = options.add_options();
    add("format", po::value<std::string>()->value_name("FORMAT")->default_value("table"),
        "table, jsonl (one JSON object a line) or joblog (as GNU Parallel writes it)");
    add("task", po::value<std::string>()->value_name("ID"),
        "one task: every attempt with usage and output");
    add("events", "every event, in the order in which they happened");
    add("failovers",
        "ranks and other places that another processor took over, the system master's too");
    add("alarms", "what an operator should look after, and who has said so");
    add("worlds", "ranks of worlds, and what their programs do now");
    add("schema", "views and columns of run files, for queries of your own; needs no RUN");
    add("help,h", "print this");
    return options;
}

Error wrongUse(std::string message, std::string remedy)
{
    return {.kind = ErrorKind::Input,
            .message = "show: " + std::move(message),
            .remedy = std::move(remedy)};
}

Result<Format> parseFormat(const std::string& text)
{
    if (text == "table")
        return Format::Table;
    if (text == "jsonl")
        return Format::JsonLines;
    if (text == "joblog")
        return Format::Joblog;
    return wrongUse("--format '" + text + "' is not known", "expected table, jsonl or joblog");
}

Result<TaskId> parseTask(const std::string& text)
{
    std::uint32_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || stop != end)
        return wrongUse("--task '" + text + "' is not a task", "expected a number as in the table");
    return TaskId(number);
}

Result<ShowOptions> parseShowOptions(const Arguments& arguments)
{
    po::options_description all = visibleOptions();
    all.add_options()("RUN", po::value<std::string>());
    po::positional_options_description positional;
    positional.add("RUN", 1);
    const Result<po::variables_map> values = parseOptions("show", arguments, all, positional);
    if (!values)
        return values.error();
    ShowOptions options;
    options.help = values->count("help") != 0;
    options.schema = values->count("schema") != 0;
    if (options.help || options.schema)
        return options;
    if (values->count("RUN") == 0)
        return wrongUse("no run file", "usage: tasuki-agent show RUN [options]");
    options.run = (*values)["RUN"].as<std::string>();
    options.events = values->count("events") != 0;
    options.failovers = values->count("failovers") != 0;
    options.alarms = values->count("alarms") != 0;
    options.worlds = values->count("worlds") != 0;
    const Result<Format> format = parseFormat((*values)["format"].as<std::string>());
    if (!format)
        return format.error();
    options.format = *format;
    if (values->count("task") != 0) {
        const Result<TaskId> task = parseTask((*values)["task"].as<std::string>());
        if (!task)
            return task.error();
        options.task = *task;
    }
    const int ofSystem = int{options.failovers} + int{options.alarms} + int{options.worlds};
    if (options.format == Format::Joblog && (options.events || options.task || ofSystem != 0))
        return wrongUse("--format joblog shows all attempts",
                        "leave out --events, --task, --failovers, --alarms and --worlds");
    if (ofSystem > 1 || (ofSystem == 1 && (options.events || options.task)))
        return wrongUse(options.failovers    ? "--failovers stands alone"
                            : options.alarms ? "--alarms stands alone"
                                             : "--worlds stands alone",
                        "ask for one table at a time");
    return options;
}

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

TaskId taskOf(const Event& event)
{
    constexpr TaskId none(std::numeric_limits<std::uint32_t>::max());
    return std::visit(
        [none]<class Payload>(const Payload& payload) {
            if constexpr (requires { payload.id; })
                return payload.id;
            else if constexpr (requires { payload.key; })
                return payload.key.task;
            else
                return none;
        },
        event.payload);
}

/// Follows what the failure hierarchy tells. What does not fit is left out: this is about names.
void follow(SystemState& system, const Event& event)
{
    if (std::holds_alternative<RunOpened>(event.payload))
        system.open();
    const SystemState::Stamp stamp{.id = event.id, .at = event.wallTime};
    std::visit(
        [&](const auto& payload) {
            if constexpr (requires { system.apply(stamp, payload); })
                static_cast<void>(system.apply(stamp, payload));
        },
        event.payload);
}

Result<void> showEvents(RunFileReader& reader, const ShowOptions& options)
{
    SystemState system;
    return reader.replay(
        [&](const Event& event) -> Result<void> {
            follow(system, event);
            if (!options.task || taskOf(event) == *options.task)
                print(options.format == Format::JsonLines ? eventJson(event)
                                                          : eventLine(event, system));
            return {};
        },
        {}, RunFileReader::Outputs::Skip);
}

Result<void> showFailovers(RunFileReader& reader, Format format)
{
    RunState state;
    const Result<void> replayed = reader.replay(
        [&](const Event& event) { return state.apply(event); }, {}, RunFileReader::Outputs::Skip);
    if (!replayed)
        return replayed;
    if (format == Format::Table)
        print(failoverHeading());
    for (const Failover& failover : state.failovers())
        print(format == Format::Table ? failoverRow(failover) : failoverJson(failover));
    return {};
}

Result<void> showAlarms(RunFileReader& reader, Format format)
{
    RunState state;
    std::map<EventId, std::string> texts;
    const Result<void> replayed = reader.replay(
        [&](const Event& event) -> Result<void> {
            Result<void> applied = state.apply(event);
            if (applied && state.alarms().find(event.id) != nullptr)
                texts[event.id] = eventText(event, state.system());
            return applied;
        },
        {}, RunFileReader::Outputs::Skip);
    if (!replayed)
        return replayed;
    const WallTime now = SystemClock().wallNow();
    if (format == Format::Table)
        print(alarmHeading());
    for (const Alarm& alarm : state.alarms().all())
        print(format == Format::Table ? alarmRow(alarm, texts[alarm.id], now)
                                      : alarmJson(alarm, texts[alarm.id], now));
    return {};
}

Result<void> showTask(RunFileReader& reader, TaskId id, Format format)
{
    RunHistory history;
    const Result<void> replayed = reader.replay([&](const Event& event) -> Result<void> {
        const bool concerned = taskOf(event) == id;
        const Result<const AttemptSummary*> attempt = history.apply(event);
        if (!attempt)
            return attempt.error();
        const auto* finished = std::get_if<AttemptFinished>(&event.payload);
        if (concerned && *attempt != nullptr && finished != nullptr && format == Format::Table) {
            print(attemptDetails(history, **attempt) + outputSizes(finished->result));
            printOutput(finished->result, stdout, stdout);
        }
        return {};
    });
    if (!replayed)
        return replayed;
    if (id.value() >= history.state().tasks().size()) {
        return wrongUse("there is no task " + std::to_string(id.value()),
                        "the run has tasks 0 to " + std::to_string(history.state().tasks().size())
                            + " (not included)");
    }
    if (format == Format::JsonLines)
        print(taskJson(history, id));
    else
        print(taskTableHeading(history.state().system()) + taskTableRow(history, id));
    return {};
}

/// On standard error: what is shown stays the same.
void tellOriginalOf(RunFileReader& reader, const std::string& run)
{
    const auto copyOf = reader.copyOf();
    if (copyOf && *copyOf)
        std::fprintf(stderr, "tasuki-agent: %s is a copy of %s on %s\n", visible(run).c_str(),
                     visible((*copyOf)->path).c_str(), visible((*copyOf)->host).c_str());
}

/// Before anything is shown: whoever reads no further knows it.
void tellAge(const RunFileReader& reader, const std::string& run)
{
    if (const auto age = reader.age())
        std::fprintf(stderr, "tasuki-agent: %s\n",
                     visible(recordAgeText(run, *age, SystemClock().wallNow())).c_str());
}

Result<void> showRun(RunFileReader& reader, Format format)
{
    RunHistory history;
    if (format == Format::Joblog)
        print(joblogHeading());
    const Result<void> replayed = reader.replay(
        [&](const Event& event) -> Result<void> {
            const Result<const AttemptSummary*> attempt = history.apply(event);
            if (!attempt)
                return attempt.error();
            if (format == Format::Joblog && *attempt != nullptr && (*attempt)->ended)
                print(joblogRow(history, **attempt));
            return {};
        },
        {},
        format == Format::Table ? RunFileReader::Outputs::Skip : RunFileReader::Outputs::Totals);
    if (!replayed || format == Format::Joblog)
        return replayed;
    if (format == Format::Table)
        print(taskTableHeading(history.state().system()));
    for (std::uint32_t i = 0; i < history.state().tasks().size(); ++i) {
        print(format == Format::Table ? taskTableRow(history, TaskId(i))
                                      : taskJson(history, TaskId(i)));
    }
    if (format == Format::Table)
        print(runSummary(history));
    return {};
}

} // namespace

int showCommand(const Arguments& arguments)
{
    const Result<ShowOptions> options = parseShowOptions(arguments);
    if (!options) {
        printError(options.error());
        return toInt(ExitCode::BadInput);
    }
    if (options->help) {
        std::ostringstream text;
        text << "Usage: tasuki-agent show RUN [options]\n\nTells what a run file holds, also while "
                "the run goes on.\n\n"
             << visibleOptions();
        print(text.str());
        return toInt(ExitCode::Success);
    }
    if (options->schema) {
        print(recordViewsText());
        return toInt(ExitCode::Success);
    }
    Result<RunFileReader> reader = RunFileReader::open(options->run);
    if (!reader) {
        printError(reader.error());
        return toInt(ExitCode::RunFileUnusable);
    }
    tellOriginalOf(*reader, options->run);
    tellAge(*reader, options->run);
    const Result<void> shown = options->events ? showEvents(*reader, *options)
        : options->failovers                   ? showFailovers(*reader, options->format)
        : options->alarms                      ? showAlarms(*reader, options->format)
        : options->worlds ? showWorlds(*reader, options->run, options->format == Format::JsonLines)
        : options->task   ? showTask(*reader, *options->task, options->format)
                          : showRun(*reader, options->format);
    std::fflush(stdout);
    if (!shown) {
        printError(shown.error());
        return toInt(shown.error().kind == ErrorKind::Input ? ExitCode::BadInput
                                                            : ExitCode::RunFileUnusable);
    }
    return toInt(ExitCode::Success);
}

} // namespace tasuki
