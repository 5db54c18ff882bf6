// SPDX-License-Identifier: GPL-3.0-or-later
#include "environmentfile.h"

#include "config/tomllines.h"
#include "files/streamtext.h"
#include "files/wholefile.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>

namespace tasuki::plan {

namespace {

using config::TomlLines;
using config::tomlString;

void putNode(TomlLines& lines, const NodeSpec& node, bool first)
{
    const auto comment = [first](std::string_view text) { return first ? text : ""; };
    lines.line("\n[[node]]");
    lines.put("name", tomlString(node.name));
    lines.put("speed", node.speed, comment("relative: at 0.5 computation takes twice the time"));
    lines.put("speed_ci95", node.speedConfidence,
              comment("half the width of its 95 % confidence interval"));
    lines.put("slots", std::to_string(node.slots), comment("tasks that it takes"));
    if (node.cores != 0)
        lines.put("cores", std::to_string(node.cores), comment("that a task may be bound to"));
    if (node.egressUsPerByte != 0.0)
        lines.put("egress_us_per_byte", node.egressUsPerByte);
    if (node.ingressUsPerByte != 0.0)
        lines.put("ingress_us_per_byte", node.ingressUsPerByte);
}

void putFigures(TomlLines& lines, const LinkSpec& link)
{
    lines.put("a0_us", link.a0Us);
    lines.put("a1_us_per_byte", link.a1UsPerByte);
    if (link.burstBytes != 0.0)
        lines.put("burst_bytes", link.burstBytes);
    lines.put("a0_ci95_us", link.a0Confidence);
    lines.put("a1_ci95_us_per_byte", link.a1Confidence);
}

void putLinks(TomlLines& lines, const Environment& environment)
{
    const std::size_t count = environment.nodes.size();
    const auto given = [&](std::size_t from, std::size_t to) -> std::optional<LinkSpec> {
        const std::size_t index = from * count + to;
        return index < environment.links.size() ? environment.links[index] : std::nullopt;
    };
    const auto name = [&](std::size_t node) { return tomlString(environment.nodes[node].name); };
    const auto putOneWay = [&](std::size_t from, std::size_t to) {
        if (!given(from, to))
            return;
        lines.line("\n[[link]]");
        lines.put("from", name(from));
        lines.put("to", name(to));
        putFigures(lines, *given(from, to));
    };
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = a; b < count; ++b) {
            if (given(a, b) && given(a, b) == given(b, a)) {
                lines.line("\n[[link]]");
                lines.put("between", '[' + name(a) + ", " + name(b) + ']');
                putFigures(lines, *given(a, b));
            } else {
                putOneWay(a, b);
                putOneWay(b, a);
            }
        }
    }
}

EnvironmentReading unreadable(const std::string& path, int number)
{
    Diagnostic told; // GCC 12 takes members of a temporary for unset
    told.place.file = path;
    told.message = systemError("cannot read it", number).message;
    told.remedy = "name an environment file; tasuki-agent probe makes one";
    EnvironmentReading reading;
    reading.diagnostics.push_back(std::move(told));
    return reading;
}

} // namespace

EnvironmentReading readEnvironmentFile(const std::string& path)
{
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        return unreadable(path, EISDIR);
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return unreadable(path, errno != 0 ? errno : EIO);
    const std::string text = textOf(file);
    if (file.bad())
        return unreadable(path, EIO);
    return readEnvironmentText(text, path);
}

std::string environmentText(const Environment& environment)
{
    TomlLines lines;
    lines.line("# Nodes and links for tasuki-agent plan. Times are microseconds, sizes bytes; a\n"
               "# message of N bytes takes a0 + a1 N.\n");
    lines.put("trace_speed", environment.traceSpeed, "of the nodes that the trace was taken on");
    lines.put("eager_bytes",
              std::to_string(std::min(environment.eagerBytes, limits::mostEagerBytes)),
              "longer messages wait for their receive");
    if (environment.sendBufferBytes != 0.0)
        lines.put("send_buffer_bytes", environment.sendBufferBytes,
                  "that a sender need not wait for");
    for (const NodeSpec& node : environment.nodes)
        putNode(lines, node, &node == environment.nodes.data());
    lines.line("\n# Where no [[link]] says otherwise.\n[link_default]");
    putFigures(lines, environment.linkDefault);
    lines.line("\n# Between tasks of one node.\n[link_inside]");
    putFigures(lines, environment.linkInside);
    putLinks(lines, environment);
    return lines.take();
}

Result<void> writeEnvironmentFile(const std::string& path, const Environment& environment)
{
    return writeWholeFile(path, environmentText(environment));
}

} // namespace tasuki::plan
