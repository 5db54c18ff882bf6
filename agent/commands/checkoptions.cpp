// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkoptions.h"

#include "config/topologyrules.h"

#include <charconv>
#include <langinfo.h>
#include <locale.h>
#include <sstream>
#include <string_view>

namespace tasuki {

namespace po = boost::program_options;

namespace {

constexpr auto checkUsage = "usage: tasuki-agent check TOPOLOGY [-n N] [--hosts HOST:N,...]";

po::options_description offeredOptions()
{
    po::options_description options("Options");
    auto add = options.add_options();
    add(",n", po::value<std::string>()->value_name("N"),
        "processors of the launch that it is to fit");
    add("hosts", po::value<std::string>()->value_name("HOST:N,..."),
        "hosts of that launch, in order, with their processors");
    add("ascii", "draw with characters that every terminal shows");
    add("help,h", "print this");
    return options;
}

Error wrongCheck(std::string message, std::string remedy)
{
    return {.kind = ErrorKind::Input,
            .message = "check: " + std::move(message),
            .remedy = std::move(remedy)};
}

std::optional<std::uint32_t> processorNumber(std::string_view text)
{
    std::uint32_t number = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || stop != text.data() + text.size() || number == 0
        || number > config::limits::mostProcessors)
        return std::nullopt;
    return number;
}

Result<std::vector<std::string>> readHostList(std::string_view text)
{
    const auto refused = [](std::string_view part) {
        return wrongCheck("--hosts has '" + std::string(part) + "'",
                          "expected hosts and how many processors each has, e.g. --hosts "
                          "node0:4,node1:8");
    };
    std::vector<std::string> hosts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string_view part = text.substr(begin, end - begin);
        const std::size_t colon = part.rfind(':');
        if (colon == std::string_view::npos)
            return refused(part);
        const std::string name(part.substr(0, colon));
        const auto count = processorNumber(part.substr(colon + 1));
        if (!count || config::hostNameFault(name)
            || hosts.size() + *count > config::limits::mostProcessors)
            return refused(part);
        hosts.insert(hosts.end(), *count, name);
        begin = end + 1;
    }
    return hosts;
}

Result<void> readLaunch(const po::variables_map& values, CheckOptions& options)
{
    if (values.count("-n") != 0) {
        const auto& text = values["-n"].as<std::string>();
        options.processors = processorNumber(text);
        if (!options.processors)
            return wrongCheck("-n '" + text + "' is not valid",
                              "expected a whole number from 1 to "
                                  + std::to_string(config::limits::mostProcessors));
    }
    if (values.count("hosts") == 0)
        return {};
    Result<std::vector<std::string>> hosts = readHostList(values["hosts"].as<std::string>());
    if (!hosts)
        return hosts.error();
    options.hosts = std::move(*hosts);
    if (!options.processors)
        return {};
    if (*options.processors > options.hosts.size())
        return wrongCheck("-n " + std::to_string(*options.processors) + ", but --hosts has "
                              + std::to_string(options.hosts.size()),
                          "give the hosts more processors, or leave out -n");
    options.hosts.resize(*options.processors);
    return {};
}

} // namespace

Result<CheckOptions> parseCheckOptions(const Arguments& arguments)
{
    po::options_description all = offeredOptions();
    all.add_options()("TOPOLOGY", po::value<std::vector<std::string>>());
    po::positional_options_description positional;
    positional.add("TOPOLOGY", -1);
    const Result<po::variables_map> values = parseOptions("check", arguments, all, positional);
    if (!values)
        return values.error();
    CheckOptions options;
    options.help = values->count("help") != 0;
    if (options.help)
        return options;
    options.ascii = values->count("ascii") != 0;
    if (values->count("TOPOLOGY") == 0)
        return wrongCheck("no topology", checkUsage);
    const auto files = (*values)["TOPOLOGY"].as<std::vector<std::string>>();
    if (files.size() > 1)
        return wrongCheck("more than one topology: '" + files[1] + "'", checkUsage);
    options.topology = files.front();
    if (const Result<void> launch = readLaunch(*values, options); !launch)
        return launch.error();
    return options;
}

std::string checkHelp()
{
    std::ostringstream text;
    text << "Usage: tasuki-agent check TOPOLOGY [-n N] [--hosts HOST:N,...] [--ascii]\n\n"
            "Tells everything that is wrong in a topology file, or what it says, and draws which\n"
            "processor of a launch would be what. Without -n and --hosts the launch is one that\n"
            "fits. Exit code: 0 fine, 1 something is wrong with it, 2 wrong usage.\n\n"
         << offeredOptions();
    return text.str();
}

config::LineStyle environmentLineStyle()
{
    const locale_t locale = ::newlocale(LC_CTYPE_MASK, "", nullptr);
    if (locale == nullptr)
        return config::LineStyle::Ascii;
    const bool utf8 = std::string_view(::nl_langinfo_l(CODESET, locale)) == "UTF-8";
    ::freelocale(locale);
    return utf8 ? config::LineStyle::Box : config::LineStyle::Ascii;
}

} // namespace tasuki
