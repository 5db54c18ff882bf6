// SPDX-License-Identifier: GPL-3.0-or-later
#include "mergeoptions.h"

#include "node/farmoptions.h"

#include "tasklist/duration.h"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace tasuki {

namespace po = boost::program_options;

namespace {

std::string lawNames()
{
    std::string text;
    for (const std::string& name : merge::Law::names())
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

po::options_description visibleOptions()
{
    po::options_description options("Options");
    auto add = options.add_options();
    const std::string laws = "what becomes of a key's values: " + lawNames();
    add("output,o", po::value<std::string>()->value_name("OUT"),
        "where the merged map goes, sorted by key; - is standard output");
    add("law", po::value<std::string>()->value_name("LAW")->default_value("last"), laws.c_str());
    add("keep", po::value<std::string>()->value_name("K|all")->default_value("all"),
        "keep the K entries of the highest score, of those the youngest");
    add("score", po::value<std::string>()->value_name("none|number")->default_value("none"),
        "what an entry is worth to --keep: the same, or its value as a number");
    add("verbose", "print the rounds with who tells whom");
    add("before-after", "print every rank's map before and after");
    add("lost-after", po::value<std::string>()->value_name("DURATION")->default_value("10s"),
        "silence after which a rank is given up; the others go on");
    add("run", po::value<std::string>()->value_name("FILE|none"),
        "keep a record of the merge, for the window and for show (default: none)");
    add("listen", po::value<std::string>()->value_name("ADDRESS|none")->default_value("127.0.0.1"),
        "where windows of this host connect, as for farm");
    add("quiet", "print no progress and no summary");
    add("help,h", "print this");
    return options;
}

Error badValue(const std::string& option, const std::string& value, const std::string& expected)
{
    return Error{.kind = ErrorKind::Input,
                 .message = "merge: --" + option + " '" + value + "' is not valid",
                 .remedy = "expected " + expected};
}

Result<void> readKeep(const std::string& text, MergeOptions& options)
{
    if (text == "all")
        return {};
    std::size_t keep = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, keep);
    if (error != std::errc{} || stop != end || keep == 0)
        return badValue("keep", text, "a number of entries from 1 on, or all");
    options.keep = keep;
    return {};
}

Result<void> readScore(const std::string& text, MergeOptions& options)
{
    if (text != "none" && text != "number")
        return badValue("score", text, "none or number");
    options.score = text == "number" ? merge::ScoreRule::Number : merge::ScoreRule::None;
    return {};
}

Result<void> readLostAfter(const std::string& text, MergeOptions& options)
{
    constexpr std::chrono::milliseconds shortest{1'000};
    const Result<std::chrono::milliseconds> parsed = parseDuration(text);
    if (!parsed || *parsed < shortest)
        return badValue("lost-after", text, "a duration of at least 1s");
    options.lostAfter = *parsed;
    return {};
}

Result<void> readFiles(const po::variables_map& values, MergeOptions& options)
{
    const std::string usage = "usage: tasuki-agent merge FILE... -o OUT [options]";
    if (values.count("FILE") != 0)
        options.files = values["FILE"].as<std::vector<std::string>>();
    if (options.files.empty())
        return Error{.kind = ErrorKind::Input, .message = "merge: no files", .remedy = usage};
    if (values.count("output") == 0)
        return Error{.kind = ErrorKind::Input, .message = "merge: no -o OUT", .remedy = usage};
    options.output = values["output"].as<std::string>();
    if (values.count("run") != 0 && values["run"].as<std::string>() != unkeptRunFile)
        options.runFile = values["run"].as<std::string>();
    return {};
}

} // namespace

Result<MergeOptions> parseMergeOptions(const Arguments& arguments)
{
    po::options_description all = visibleOptions();
    all.add_options()("FILE", po::value<std::vector<std::string>>());
    po::positional_options_description positional;
    positional.add("FILE", -1);
    const Result<po::variables_map> values = parseOptions("merge", arguments, all, positional);
    if (!values)
        return values.error();
    MergeOptions options;
    options.help = values->count("help") != 0;
    if (options.help)
        return options;
    options.verbose = values->count("verbose") != 0;
    options.beforeAfter = values->count("before-after") != 0;
    options.quiet = values->count("quiet") != 0;
    const auto text = [&values](const char* name) { return (*values)[name].as<std::string>(); };
    Result<merge::Law> law = merge::Law::named(text("law"));
    if (!law)
        return badValue("law", text("law"), "one of " + lawNames());
    options.law = std::move(*law);
    const Result<std::optional<link::TcpAddress>> listen = link::parseListen(text("listen"));
    if (!listen) {
        Error error = listen.error();
        error.message = "merge: --listen '" + text("listen") + "': " + error.message;
        return error;
    }
    options.listen = *listen;
    for (const Result<void>& read :
         {readKeep(text("keep"), options), readScore(text("score"), options),
          readLostAfter(text("lost-after"), options), readFiles(*values, options)}) {
        if (!read)
            return read.error();
    }
    return options;
}

std::string mergeHelp()
{
    std::ostringstream text;
    text << "Usage: mpirun -n N tasuki-agent merge FILE... -o OUT [options]\n"
            "       tasuki-agent launch -n N -- merge FILE... -o OUT [options]\n\n"
            "Merges files of lines key<TAB>value into one. The files are dealt to the ranks in\n"
            "turn, the ranks merge what they have read until all hold the same map, and one of\n"
            "them writes it. The result does not depend on the number of ranks. A rank that dies\n"
            "is left behind: its files' entries may be missing then, and the exit code is 1.\n\n"
         << visibleOptions();
    return text.str();
}

} // namespace tasuki
