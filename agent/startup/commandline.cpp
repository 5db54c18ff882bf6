// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandline.h"

#include "domain/visibletext.h"

#include <boost/program_options/errors.hpp>
#include <boost/program_options/parsers.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>

namespace tasuki {

namespace po = boost::program_options;

namespace {

constexpr int optionStyle = po::command_line_style::unix_style
    & ~po::command_line_style::allow_guessing;

} // namespace

Result<po::variables_map> parseOptions(const std::string& command, const Arguments& arguments,
                                       const po::options_description& options,
                                       const po::positional_options_description& positional)
{
    try {
        po::variables_map values;
        po::store(po::command_line_parser(arguments)
                      .options(options)
                      .positional(positional)
                      .style(optionStyle)
                      .run(),
                  values);
        po::notify(values);
        return values;
    } catch (const po::error& problem) {
        return Error{.kind = ErrorKind::Input,
                     .message = command + ": " + problem.what(),
                     .remedy = "see tasuki-agent " + command + " --help"};
    }
}

Arguments withoutOptions(const Arguments& arguments, const std::vector<std::string>& names,
                         const po::options_description& options,
                         const po::positional_options_description& positional)
{
    Arguments kept;
    try {
        const po::parsed_options parsed = po::command_line_parser(arguments)
                                              .options(options)
                                              .positional(positional)
                                              .style(optionStyle)
                                              .run();
        for (const po::option& option : parsed.options) {
            if (std::ranges::find(names, option.string_key) == names.end())
                kept.insert(kept.end(), option.original_tokens.begin(),
                            option.original_tokens.end());
        }
    } catch (const po::error&) {
        return {};
    }
    return kept;
}

Result<void> printText(const std::string& text)
{
    if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0)
        return systemError("cannot write to standard output", errno);
    return {};
}

void printError(const Error& error)
{
    std::fprintf(stderr, "tasuki-agent: error: %s\n", error.text().c_str());
    std::fflush(stderr);
}

void printWarning(const std::string& text)
{
    std::fprintf(stderr, "tasuki-agent: warning: %s\n", visible(text, Breaks::Kept).c_str());
    std::fflush(stderr);
}

} // namespace tasuki
