// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandline.h"

#include <boost/program_options/errors.hpp>
#include <boost/program_options/parsers.hpp>

#include <cstdio>

namespace tasuki {

namespace po = boost::program_options;

Result<po::variables_map> parseOptions(const std::string& command, const Arguments& arguments,
                                       const po::options_description& options,
                                       const po::positional_options_description& positional)
{
    constexpr int style = po::command_line_style::unix_style
        & ~po::command_line_style::allow_guessing;
    try {
        po::variables_map values;
        po::store(po::command_line_parser(arguments)
                      .options(options)
                      .positional(positional)
                      .style(style)
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

void printError(const Error& error)
{
    std::fprintf(stderr, "tasuki-agent: error: %s\n", error.text().c_str());
    std::fflush(stderr);
}

void printWarning(const std::string& text)
{
    std::fprintf(stderr, "tasuki-agent: warning: %s\n", text.c_str());
    std::fflush(stderr);
}

} // namespace tasuki
