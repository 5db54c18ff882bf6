// SPDX-License-Identifier: GPL-3.0-or-later
#include "planoptions.h"

#include "tasklist/duration.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string_view>
#include <vector>

namespace tasuki {

namespace po = boost::program_options;

namespace {

constexpr std::size_t mostKept = 10'000'000;
constexpr std::size_t mostThreads = 1024;

po::options_description shownOptions()
{
    po::options_description options("Options");
    auto add = options.add_options();
    add("environment,e", po::value<std::string>()->value_name("FILE"),
        "nodes and links (TOML), as probe writes it");
    add("model", po::value<std::string>()->value_name("replay|lsmg")->default_value("replay"),
        "how runtimes are predicted: causally, or by the procedure of the LSMG paper");
    add("measured", po::value<std::string>()->value_name("FILE"),
        "measured runtimes (CSV: task0, task1, ..., seconds), printed beside the predicted ones");
    add("format", po::value<std::string>()->value_name("FORMAT")->default_value("table"),
        "table, csv or jsonl (one JSON object a line)");
    add("bundle", po::value<std::string>()->value_name("DIRECTORY"),
        "write what mpirun needs for the best allocation: run, rankfile, machinefile");
    add("csv", po::value<std::string>()->value_name("FILE"), "write the allocations as a table");
    add("rows", po::value<std::string>()->value_name("N")->default_value("100"),
        "print so many of the best allocations");
    add("keep", po::value<std::string>()->value_name("N")->default_value("10000"),
        "keep so many of the best allocations for --csv");
    add("threads", po::value<std::string>()->value_name("N|auto")->default_value("auto"),
        "threads of each rank; auto: one a core");
    add("unfollowed",
        po::value<std::string>()->value_name("PERCENT")->default_value(
            std::to_string(plan::usualUnfollowedPercent)),
        "plan although so much of a task is in calls that are not followed");
    add("lost-after", po::value<std::string>()->value_name("DURATION")->default_value("10s"),
        "silence after which a rank's share is given up");
    add("quiet", "print no progress");
    add("help,h", "print this");
    return options;
}

Error notValid(const std::string& option, const std::string& value, const std::string& expected)
{
    return Error{.kind = ErrorKind::Input,
                 .message = "plan: --" + option + " '" + value + "' is not valid",
                 .remedy = "expected " + expected};
}

Result<std::size_t> readNumber(const po::variables_map& values, const char* option,
                               std::size_t most)
{
    const auto& text = values[option].as<std::string>();
    std::size_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || stop != end || number == 0 || number > most)
        return notValid(option, text, "a whole number from 1 to " + std::to_string(most));
    return number;
}

Result<void> readNumbers(const po::variables_map& values, PlanOptions& options)
{
    const Result<std::size_t> rows = readNumber(values, "rows", mostKept);
    if (!rows)
        return rows.error();
    options.rows = *rows;
    const Result<std::size_t> keep = readNumber(values, "keep", mostKept);
    if (!keep)
        return keep.error();
    options.keep = std::max(*keep, *rows);
    if (values["threads"].as<std::string>() != "auto") {
        const Result<std::size_t> threads = readNumber(values, "threads", mostThreads);
        if (!threads)
            return threads.error();
        options.threads = static_cast<std::uint32_t>(*threads);
    }
    const Result<std::size_t> unfollowed = readNumber(values, "unfollowed", 100);
    if (!unfollowed)
        return unfollowed.error();
    options.unfollowedPercent = static_cast<unsigned>(*unfollowed);
    constexpr std::chrono::milliseconds shortest{1'000};
    const auto& lostAfter = values["lost-after"].as<std::string>();
    const Result<std::chrono::milliseconds> parsed = parseDuration(lostAfter);
    if (!parsed || *parsed < shortest)
        return notValid("lost-after", lostAfter, "a duration of at least 1s");
    options.lostAfter = *parsed;
    return {};
}

Result<void> readPlaces(const po::variables_map& values, PlanOptions& options)
{
    const std::string usage = "usage: tasuki-agent plan TRACE -e ENVIRONMENT [options]";
    const auto given = [&values](const char* name) { return values.count(name) != 0; };
    if (!given("TRACE"))
        return Error{.kind = ErrorKind::Input, .message = "plan: no trace", .remedy = usage};
    const auto traces = values["TRACE"].as<std::vector<std::string>>();
    if (traces.size() > 1)
        return Error{.kind = ErrorKind::Input,
                     .message = "plan: more than one trace: '" + traces[1] + "'",
                     .remedy = usage};
    options.trace = traces.front();
    if (!given("environment"))
        return Error{.kind = ErrorKind::Input,
                     .message = "plan: no -e ENVIRONMENT",
                     .remedy = "tasuki-agent probe measures one; " + usage};
    options.environment = values["environment"].as<std::string>();
    if (given("csv"))
        options.csv = values["csv"].as<std::string>();
    if (given("bundle"))
        options.bundle = values["bundle"].as<std::string>();
    if (given("measured"))
        options.measured = values["measured"].as<std::string>();
    return {};
}

} // namespace

const char* planModelName(PlanModel model) { return model == PlanModel::Lsmg ? "lsmg" : "replay"; }

Result<PlanOptions> parsePlanOptions(const Arguments& arguments)
{
    po::options_description all = shownOptions();
    all.add_options()("TRACE", po::value<std::vector<std::string>>());
    po::positional_options_description positional;
    positional.add("TRACE", -1);
    const Result<po::variables_map> values = parseOptions("plan", arguments, all, positional);
    if (!values)
        return values.error();
    PlanOptions options;
    options.help = values->count("help") != 0;
    if (options.help)
        return options;
    options.quiet = values->count("quiet") != 0;
    const auto& model = (*values)["model"].as<std::string>();
    if (model != "replay" && model != "lsmg")
        return notValid("model", model, "replay or lsmg");
    options.model = model == "lsmg" ? PlanModel::Lsmg : PlanModel::Replay;
    const auto& format = (*values)["format"].as<std::string>();
    if (format == "csv")
        options.format = PlanFormat::Csv;
    else if (format == "jsonl")
        options.format = PlanFormat::JsonLines;
    else if (format != "table")
        return notValid("format", format, "table, csv or jsonl");
    for (const Result<void>& read : {readNumbers(*values, options), readPlaces(*values, options)}) {
        if (!read)
            return read.error();
    }
    return options;
}

std::string planHelp()
{
    std::ostringstream text;
    text << "Usage: tasuki-agent plan TRACE -e ENVIRONMENT [options]\n"
            "       mpirun -n N tasuki-agent plan TRACE -e ENVIRONMENT [options]\n\n"
            "Predicts how long an MPI program runs under every allocation of its tasks to nodes,\n"
            "from an ALOG trace of it, and prints the allocations, the best one first. Under\n"
            "mpirun all ranks search; they need to see both files.\n\n"
         << shownOptions();
    return text.str();
}

} // namespace tasuki
