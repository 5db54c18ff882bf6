// SPDX-License-Identifier: GPL-3.0-or-later
#include "environmentfile.h"

#include "files/wholefile.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace tasuki::plan {

namespace {

/// @return the shortest decimal that reads back as the same number, as TOML writes one
std::string tomlNumber(double value)
{
    std::array<char, 40> buffer{};
    constexpr double leastFixed = 1e-6;
    constexpr double mostFixed = 1e15;
    const auto format = value == 0.0 || (value >= leastFixed && value < mostFixed)
        ? std::chars_format::fixed
        : std::chars_format::scientific;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format).ptr;
    std::string text(buffer.data(), end);
    if (text.find_first_not_of("-0123456789") == std::string::npos)
        text += ".0";
    return text;
}

std::string tomlString(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        constexpr unsigned char firstPrintable = 0x20;
        constexpr unsigned char deleted = 0x7F;
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte < firstPrintable || byte == deleted) {
            constexpr std::string_view digits = "0123456789ABCDEF";
            out += "\\u00";
            out += digits[byte >> 4U];
            out += digits[byte & 15U];
        } else {
            out += c;
        }
    }
    return out + '"';
}

/// TomlLines "key = value", the first ones of a kind with a comment.
class TomlLines {
public:
    void line(const std::string& text) { m_text += text + '\n'; }
    void put(std::string_view key, const std::string& value, std::string_view comment = {})
    {
        constexpr std::size_t commentColumn = 26;
        std::string text = std::string(key) + " = " + value;
        if (!comment.empty()) {
            text.resize(std::max(text.size() + 2, commentColumn), ' ');
            text += "# ";
            text += comment;
        }
        line(text);
    }
    void put(std::string_view key, double value, std::string_view comment = {})
    {
        put(key, tomlNumber(value), comment);
    }
    void put(std::string_view key, Confidence value, std::string_view comment = {})
    {
        if (value)
            put(key, *value, comment);
    }
    [[nodiscard]] std::string take() { return std::move(m_text); }

private:
    std::string m_text;
};

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
    const std::string text{std::istreambuf_iterator<char>(file), {}};
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
