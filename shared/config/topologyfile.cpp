// SPDX-License-Identifier: GPL-3.0-or-later
#include "topologyfile.h"

#include "files/wholefile.h"
#include "tomllines.h"

#include <cerrno>
#include <filesystem>
#include <fstream>

namespace tasuki::config {

namespace {

Error noTopology(const std::string& path, std::string message)
{
    return about(path, ErrorKind::Input, std::move(message), "name a topology file");
}

Error unreadableTopology(const std::string& path, int number)
{
    return noTopology(path, systemError("cannot read it", number).message);
}

void putSystem(TomlLines& lines, const Topology& topology)
{
    lines.line("[system]");
    lines.put("heartbeat_ms", std::to_string(topology.heartbeat.count()),
              "every processor says so often that it lives");
    lines.put("suspect_after", std::to_string(topology.suspectAfter),
              "heartbeats of silence; it gets nothing new then");
    lines.put("lost_after", std::to_string(topology.lostAfter),
              "heartbeats of silence; it is killed and replaced then");
    lines.put("policy", tomlString(policyWord(topology.policy)),
              "continue | restart | stop, when a subcluster is down");
    lines.put("rejoin", topology.rejoin ? "true" : "false",
              "who was cut off and gave itself up may come back as a standby");
}

std::string hostList(const std::vector<std::string>& hosts)
{
    std::string text;
    for (const std::string& host : hosts)
        text += (text.empty() ? "[" : ", ") + tomlString(host);
    return text + ']';
}

std::string worldTable(const WorldSpec& world)
{
    std::string text = "{ command = " + tomlString(world.command);
    if (!world.directory.empty())
        text += ", cwd = " + tomlString(world.directory);
    if (world.deadline)
        text += ", deadline_s = " + std::to_string(world.deadline->count());
    if (!world.deterministic)
        text += ", deterministic = false";
    if (world.logMb)
        text += ", log_mb = " + std::to_string(*world.logMb);
    if (!world.environment.empty()) {
        text += ", env = {";
        for (const auto& [name, value] : world.environment)
            text += (&name == &world.environment.front().first ? " " : ", ") + name + " = "
                + tomlString(value);
        text += " }";
    }
    return text + " }";
}

void putSubcluster(TomlLines& lines, const SubclusterSpec& spec, bool first)
{
    const auto comment = [first](std::string_view text) { return first ? text : ""; };
    lines.line("\n[[subcluster]]");
    lines.put("name", tomlString(spec.name));
    lines.put("active", std::to_string(spec.active), comment("processors that hold a rank"));
    lines.put("standby", std::to_string(spec.standby),
              comment("processors that take over the rank of a lost one"));
    lines.put("io", std::to_string(spec.io), comment("processors that pass data in and out"));
    lines.put("minimum", std::to_string(spec.minimum), comment("with fewer ranks held it is down"));
    if (!spec.hosts.empty())
        lines.put("hosts", hostList(spec.hosts), comment("whose processors it takes"));
    if (spec.units)
        lines.put("units", std::to_string(*spec.units), comment("of each host"));
    lines.put("restarts",
              "{ count = " + std::to_string(spec.restarts.count)
                  + ", within_s = " + std::to_string(spec.restarts.within.count()) + " }",
              comment("more takeovers: ranks are given up"));
    lines.put("dedicated_master", spec.dedicatedMaster ? "true" : "false",
              comment("one more processor, which is master alone"));
    if (spec.world)
        lines.put("world", worldTable(*spec.world), comment("what runs as its ranks"));
}

} // namespace

Result<std::string> readTopologyBytes(const std::string& path)
{
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        return unreadableTopology(path, EISDIR);
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return unreadableTopology(path, errno != 0 ? errno : EIO);
    std::string text;
    constexpr std::size_t block = std::size_t{64} << 10U;
    while (file && text.size() <= largestTopologyFile) {
        const std::size_t begin = text.size();
        text.resize(begin + block);
        file.read(text.data() + begin, static_cast<std::streamsize>(block));
        text.resize(begin + static_cast<std::size_t>(file.gcount()));
    }
    if (file.bad())
        return unreadableTopology(path, EIO);
    if (text.size() > largestTopologyFile)
        return noTopology(
            path, "it is larger than " + std::to_string(largestTopologyFile >> 20U) + " MiB");
    return text;
}

TopologyReading readTopologyFile(const std::string& path)
{
    const Result<std::string> text = readTopologyBytes(path);
    if (text)
        return readTopologyText(*text, path);
    Diagnostic told; // GCC 12 takes members of a temporary for unset
    told.place.file = path;
    told.message = text.error().message;
    told.remedy = text.error().remedy;
    TopologyReading reading;
    reading.places.file = path;
    reading.diagnostics.push_back(std::move(told));
    return reading;
}

std::string topologyFileText(const Topology& topology)
{
    TomlLines lines;
    lines.line("# Subclusters and their processors; tasuki-agent check draws them.\n");
    putSystem(lines, topology);
    for (const SubclusterSpec& spec : topology.subclusters)
        putSubcluster(lines, spec, &spec == topology.subclusters.data());
    return lines.take();
}

Result<void> writeTopologyFile(const std::string& path, const Topology& topology)
{
    return writeWholeFile(path, topologyFileText(topology));
}

} // namespace tasuki::config
