// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkcommand.h"

#include "checkoptions.h"
#include "config/layout.h"
#include "config/topologyfile.h"

#include <cstdio>

namespace tasuki {

namespace {

std::string linesOf(const std::vector<Diagnostic>& diagnostics)
{
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics)
        text += diagnostic.text() + '\n';
    return text;
}

/// @return the hosts of the launch that is asked about
std::vector<std::string> launchHosts(const CheckOptions& options, const config::Topology& topology)
{
    if (!options.hosts.empty())
        return options.hosts;
    if (options.processors && *options.processors != topology.processors())
        return std::vector<std::string>(*options.processors, "host 1"); // which does not fit
    return config::exampleHosts(topology);
}

CheckReport checkWith(const CheckOptions& options)
{
    const config::TopologyReading reading = config::readTopologyFile(options.topology);
    CheckReport report{.errors = linesOf(reading.diagnostics)};
    if (!reading.topology) {
        report.code = ExitCode::Wrong;
        return report;
    }
    report.output = config::topologySummary(*reading.topology);
    const std::vector<std::string> hosts = launchHosts(options, *reading.topology);
    const config::LayoutReading laidOut = config::layOut(*reading.topology, hosts, reading.places);
    report.errors += linesOf(laidOut.diagnostics);
    if (!laidOut.layout) {
        report.code = ExitCode::Wrong;
        return report;
    }
    const config::LineStyle style = options.ascii ? config::LineStyle::Ascii
                                                  : environmentLineStyle();
    report.output += '\n' + config::drawLayout(*laidOut.layout, style);
    return report;
}

} // namespace

CheckReport checkTopology(const Arguments& arguments)
{
    const Result<CheckOptions> options = parseCheckOptions(arguments);
    if (!options) {
        return {.code = ExitCode::BadInput,
                .errors = "tasuki-agent: error: " + options.error().text() + '\n'};
    }
    if (options->help)
        return {.output = checkHelp()};
    return checkWith(*options);
}

int checkCommand(const Arguments& arguments)
{
    const CheckReport report = checkTopology(arguments);
    std::fputs(report.output.c_str(), stdout);
    std::fflush(stdout);
    std::fputs(report.errors.c_str(), stderr);
    return toInt(report.code);
}

} // namespace tasuki
