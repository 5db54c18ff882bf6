// SPDX-License-Identifier: GPL-3.0-or-later
#include "probeoptions.h"

#include <charconv>
#include <sstream>

namespace tasuki {

namespace po = boost::program_options;

namespace {

po::options_description visibleProbeOptions()
{
    po::options_description options("Options");
    auto add = options.add_options();
    add("output,o", po::value<std::string>()->value_name("ENVIRONMENT"),
        "where the environment file goes; - is standard output");
    add("repetitions", po::value<std::string>()->value_name("N"),
        "messages of each size up to 1000 bytes; larger ones are fewer (default: 5000, or what "
        "takes about 45 s)");
    add("largest", po::value<std::string>()->value_name("BYTES"),
        "largest message (default: 1048576, less where it would take long)");
    add("speed-seconds", po::value<std::string>()->value_name("S")->default_value("2"),
        "how long every rank computes to tell its node's speed");
    add("reference", po::value<std::string>()->value_name("NODE"),
        "node of speed 1 (default: the fastest)");
    add("one-by-one", "compute on one node after the other, not on all of them at once");
    add("parallel", "measure links that share no node at the same time");
    add("ranks-as-nodes",
        "take every rank for a node of its own, to try things out on one "
        "computer");
    add("csv", po::value<std::string>()->value_name("FILE"),
        "write every single measurement to this file too");
    add("quiet", "print no progress and no tables");
    add("help,h", "print this");
    return options;
}

Error badProbeValue(const std::string& option, const std::string& value,
                    const std::string& expected)
{
    return Error{.kind = ErrorKind::Input,
                 .message = "probe: --" + option + " '" + value + "' is not valid",
                 .remedy = "expected " + expected};
}

/// Reads a number if the option was given.
template <class Number>
Result<std::optional<Number>> readNumber(const po::variables_map& values, const char* option,
                                         Number least, Number most, const std::string& expected)
{
    if (values.count(option) == 0)
        return std::optional<Number>();
    const std::string& text = values[option].as<std::string>();
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    // Written so that NaN is none either.
    if (error != std::errc{} || stop != end || !(number >= least && number <= most))
        return badProbeValue(option, text, expected);
    return std::optional(number);
}

std::optional<std::string> textOf(const po::variables_map& values, const char* option)
{
    return values.count(option) != 0 ? std::optional(values[option].as<std::string>())
                                     : std::nullopt;
}

Result<void> readNumbers(const po::variables_map& values, ProbeOptions& options)
{
    constexpr std::uint64_t mostRepetitions = 1'000'000;
    constexpr std::uint64_t largest = std::uint64_t{1} << 30U;
    constexpr double leastSeconds = 0.1;
    constexpr double mostSeconds = 3600.0;
    constexpr double usPerSecond = 1e6;
    const auto repetitions = readNumber<std::uint64_t>(values, "repetitions", 1, mostRepetitions,
                                                       "a number from 1 to 1000000");
    if (!repetitions)
        return repetitions.error();
    options.repetitions = *repetitions;
    const auto bytes = readNumber<std::uint64_t>(values, "largest", 0, largest,
                                                 "a number of bytes from 0 to 1073741824");
    if (!bytes)
        return bytes.error();
    options.largestBytes = *bytes;
    const auto seconds = readNumber<double>(values, "speed-seconds", leastSeconds, mostSeconds,
                                            "seconds from 0.1 to 3600");
    if (!seconds)
        return seconds.error();
    options.speedSpan = std::chrono::microseconds(
        static_cast<std::int64_t>(seconds->value() * usPerSecond));
    return {};
}

} // namespace

Result<ProbeOptions> parseProbeOptions(const Arguments& arguments)
{
    const Result<po::variables_map> values = parseOptions("probe", arguments, visibleProbeOptions(),
                                                          po::positional_options_description());
    if (!values)
        return values.error();
    ProbeOptions options;
    options.help = values->count("help") != 0;
    if (options.help)
        return options;
    options.output = textOf(*values, "output");
    options.csv = textOf(*values, "csv");
    options.reference = textOf(*values, "reference");
    options.oneNodeAtATime = values->count("one-by-one") != 0;
    options.pairsAtOnce = values->count("parallel") != 0;
    options.ranksAsNodes = values->count("ranks-as-nodes") != 0;
    options.quiet = values->count("quiet") != 0;
    if (const Result<void> read = readNumbers(*values, options); !read)
        return read.error();
    if (options.quiet && !options.output && !options.csv)
        return Error{.kind = ErrorKind::Input,
                     .message = "probe: --quiet without -o or --csv would tell nothing",
                     .remedy = "add -o ENVIRONMENT"};
    return options;
}

std::string probeHelp()
{
    std::ostringstream text;
    text
        << "Usage: mpirun -n N [mpirun options] tasuki-agent probe [-o ENVIRONMENT] [options]\n\n"
           "Measures how fast the nodes compute and what messages between them take, for\n"
           "tasuki-agent plan. Start one rank on every node, or as many as the node shall take\n"
           "tasks. Speeds are relative: each rank does the same work again and again. A message\n"
           "of N bytes is taken to need a0 + a1 N: messages of 0 to 1000 bytes by 25, and larger\n"
           "ones, go to and fro, and a line is fitted to the mean times by least squares. Every\n"
           "figure comes with its 95 % confidence interval. Nothing is written when interrupted.\n\n"
        << visibleProbeOptions();
    return text.str();
}

} // namespace tasuki
