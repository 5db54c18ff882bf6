// SPDX-License-Identifier: GPL-3.0-or-later
#include "options.h"

#include <boost/program_options/errors.hpp>
#include <boost/program_options/parsers.hpp>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace tasuki::workloads {

namespace po = boost::program_options;

namespace {

constexpr int mostPasses = 1000;
constexpr const char* loose = "word"; ///< what is no option

std::optional<int> numberIn(std::string_view text, int least, int most)
{
    int number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || stop != end || number < least || number > most)
        return std::nullopt;
    return number;
}

bool given(const po::variables_map& values, const char* option)
{
    return values.count(option) != 0 && !values[option].defaulted();
}

/// @return an Error when an option was given that the distribution does not use
Result<void> refuseUnused(const po::variables_map& values, const std::string& name)
{
    constexpr std::pair<const char*, const char*> uses[] = {{"width", "cyclic"},
                                                            {"shares", "uneven"}};
    for (const auto& [option, user] : uses) {
        if (name != user && given(values, option)) {
            return badValue(option, values[option].as<std::string>(),
                            std::string("it with --distribution ") + user + " only, not with "
                                + name);
        }
    }
    return {};
}

} // namespace

po::options_description commonDescription()
{
    po::options_description options("Options of every workload");
    auto add = options.add_options();
    add("passes", po::value<std::string>()->value_name("N")->default_value("1"),
        "compute everything so often, to take as long as a slower node");
    add("no-check", "do not compare the result with what it must be");
    add("where", "print each rank's host too");
    add("lose-message", "forget what one message said: the check must fail then");
    add("help,h", "print this");
    return options;
}

Result<po::variables_map> parseWords(const std::string& program,
                                     const std::vector<std::string>& words,
                                     const po::options_description& options)
{
    constexpr int style = po::command_line_style::unix_style
        & ~po::command_line_style::allow_guessing;
    const std::string remedy = "see " + program + " --help";
    po::options_description all;
    all.add(options).add_options()(loose, po::value<std::vector<std::string>>());
    po::positional_options_description positional;
    positional.add(loose, -1);
    try {
        po::variables_map values;
        po::store(
            po::command_line_parser(words).options(all).positional(positional).style(style).run(),
            values);
        po::notify(values);
        if (values.count(loose) != 0) {
            const auto& found = values[loose].as<std::vector<std::string>>();
            return Error{.kind = ErrorKind::Input,
                         .message = "'" + found.front() + "' is no option",
                         .remedy = remedy};
        }
        return values;
    } catch (const po::error& problem) {
        return Error{.kind = ErrorKind::Input, .message = problem.what(), .remedy = remedy};
    }
}

Result<CommonOptions> commonOptions(const po::variables_map& values)
{
    const Result<int> passes = numberOption(values, "passes", 1, mostPasses);
    if (!passes)
        return passes.error();
    return CommonOptions{.help = values.count("help") != 0,
                         .check = values.count("no-check") == 0,
                         .where = values.count("where") != 0,
                         .loseMessage = values.count("lose-message") != 0,
                         .passes = *passes};
}

Error badValue(const std::string& option, const std::string& value, const std::string& expected)
{
    return Error{.kind = ErrorKind::Input,
                 .message = "--" + option + " '" + value + "' is not valid",
                 .remedy = "expected " + expected};
}

Result<int> numberOption(const po::variables_map& values, const std::string& option, int least,
                         int most)
{
    const auto& text = values[option].as<std::string>();
    if (const auto number = numberIn(text, least, most))
        return *number;
    return badValue(option, text,
                    "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
}

std::vector<int> numbersIn(const std::string& text, char separator, int least, int most)
{
    std::vector<int> numbers;
    std::string_view rest = text;
    while (true) {
        const std::size_t end = std::min(rest.find(separator), rest.size());
        const auto number = numberIn(rest.substr(0, end), least, most);
        if (!number)
            return {};
        numbers.push_back(*number);
        if (end == rest.size())
            return numbers;
        rest.remove_prefix(end + 1);
    }
}

void describeDistribution(po::options_description& options, const char* ofWhat, bool withCyclic,
                          const char* usual)
{
    auto add = options.add_options();
    add("size", po::value<std::string>()->value_name("N")->default_value("1000"), ofWhat);
    add("distribution", po::value<std::string>()->value_name("NAME")->default_value(usual),
        withCyclic ? "cyclic, block or uneven" : "block or uneven");
    if (withCyclic) {
        add("width", po::value<std::string>()->value_name("N")->default_value("5"),
            "neighbours that stay together when cyclic");
    }
    add("shares", po::value<std::string>()->value_name("A:B:...")->default_value("4:2:1:1"),
        "what each rank has when uneven, in proportion");
}

Result<NamedDistribution> distributionOption(const po::variables_map& values, int ranks)
{
    const Result<int> size = numberOption(values, "size", 1, largestSize);
    if (!size)
        return size.error();
    const bool withCyclic = values.count("width") != 0;
    const auto& name = values["distribution"].as<std::string>();
    if (name != "block" && name != "uneven" && (name != "cyclic" || !withCyclic)) {
        return badValue("distribution", name,
                        withCyclic ? "cyclic, block or uneven" : "block or uneven");
    }
    if (const Result<void> used = refuseUnused(values, name); !used)
        return used.error();
    if (name == "block")
        return NamedDistribution{name, Distribution::blocks(*size, ranks)};
    if (name == "cyclic") {
        const Result<int> width = numberOption(values, "width", 1, largestSize);
        if (!width)
            return width.error();
        return NamedDistribution{name, Distribution::cyclic(*size, ranks, *width)};
    }
    const auto& text = values["shares"].as<std::string>();
    const std::vector<int> shares = numbersIn(text, ':', 1, largestSize);
    if (shares.size() != static_cast<std::size_t>(ranks)) {
        return badValue("shares", text,
                        "a whole number from 1 for every rank, of which there are "
                            + std::to_string(ranks) + "; such as 4:2:1:1 for four");
    }
    return NamedDistribution{name, Distribution::shared(*size, shares)};
}

} // namespace tasuki::workloads
