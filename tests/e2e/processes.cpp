// SPDX-License-Identifier: GPL-3.0-or-later
#include "processes.h"

#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace tasuki::testing {

namespace {

/// @return the whole file, empty when it cannot be read: the process may have ended, also while it
///         is being read, which is no end of file but an error of the stream
std::string readAll(pid_t pid, const char* file)
{
    std::ifstream stream("/proc/" + std::to_string(pid) + '/' + file, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return stream.bad() || text.bad() ? std::string() : text.str();
}

/// @return the environment as the kernel shows it. For a moment during exec it shows none: then
///         that moment is waited for, as a process that is skipped would look as if it had ended.
std::string readEnvironment(pid_t pid)
{
    constexpr int mostTries = 10;
    constexpr pid_t kernelThreads = 2;
    std::string environment = readAll(pid, "environ");
    for (int tries = 1; environment.empty() && tries < mostTries; ++tries) {
        const auto info = processInfo(pid);
        if (!info || info->parent == kernelThreads || pid == kernelThreads) {
            break;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        environment = readAll(pid, "environ");
    }
    return environment;
}

} // namespace

std::optional<ProcessInfo> processInfo(pid_t pid)
{
    const std::string stat = readAll(pid, "stat");
    // The name stands in parentheses and may itself hold blanks and parentheses.
    const std::size_t open = stat.find('(');
    const std::size_t close = stat.rfind(')');
    if (open == std::string::npos || close == std::string::npos) {
        return std::nullopt;
    }
    ProcessInfo info;
    info.pid = pid;
    info.name = stat.substr(open + 1, close - open - 1);
    std::istringstream fields(stat.substr(close + 1));
    std::uint64_t userTicks = 0;
    std::uint64_t systemTicks = 0;
    fields >> info.state >> info.parent;
    std::string skipped;
    for (int field = 5; field < 14; ++field) {
        fields >> skipped;
    }
    fields >> userTicks >> systemTicks;
    if (!fields || info.state == 'Z' || info.state == 'X') {
        return std::nullopt;
    }
    info.cpuTicks = userTicks + systemTicks;
    return info;
}

std::optional<std::string> environmentOf(pid_t pid, std::string_view variable)
{
    const std::string environment = readEnvironment(pid);
    std::size_t begin = 0;
    while (begin < environment.size()) {
        std::size_t end = environment.find('\0', begin);
        if (end == std::string::npos) {
            end = environment.size();
        }
        const std::string_view entry(environment.data() + begin, end - begin);
        if (entry.size() > variable.size() && entry.starts_with(variable)
            && entry[variable.size()] == '=') {
            return std::string(entry.substr(variable.size() + 1));
        }
        begin = end + 1;
    }
    return std::nullopt;
}

std::vector<ProcessInfo> processesMarked(std::string_view variable, std::string_view value)
{
    std::vector<ProcessInfo> found;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
        const std::string name = entry.path().filename().string();
        pid_t pid = 0;
        const auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), pid);
        if (failure != std::errc() || end != name.data() + name.size()) {
            continue;
        }
        if (environmentOf(pid, variable) != value) {
            continue;
        }
        if (auto info = processInfo(pid)) {
            found.push_back(std::move(*info));
        }
    }
    return found;
}

std::string describe(const ProcessInfo& process)
{
    std::string line = readAll(process.pid, "cmdline");
    for (char& character : line) {
        if (character == '\0' || character == '\n') {
            character = ' ';
        }
    }
    constexpr std::size_t shown = 160;
    return std::to_string(process.pid) + " (" + process.name + ", parent "
        + std::to_string(process.parent) + ", state " + process.state
        + "): " + line.substr(0, shown);
}

} // namespace tasuki::testing
