// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/processtable.h"

#include "files/uniquefd.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <ctime>
#include <memory>
#include <string_view>
#include <unordered_set>

namespace tasuki {
namespace {

/// More of an environment than any system allows is not read.
constexpr std::size_t largestEnvironment = 8 * 1024 * 1024;

bool readFile(const std::string& path, std::string& content)
{
    const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    content.clear();
    if (!fd)
        return false;
    std::array<char, 4096> buffer;
    while (content.size() < largestEnvironment) {
        const ssize_t count = ::read(fd.get(), buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return false;
        if (count == 0)
            break;
        content.append(buffer.data(), static_cast<std::size_t>(count));
    }
    return true;
}

template <class T>
bool readNumber(std::string_view text, T& value)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size();
}

std::string processPath(pid_t pid, const char* file)
{
    return "/proc/" + std::to_string(pid) + "/" + file;
}

std::optional<ProcessEntry> readProcess(pid_t pid, std::string& buffer)
{
    if (!readFile(processPath(pid, "stat"), buffer))
        return {};
    return parseProcessStat(buffer);
}

/// Older kernels have no pidfd; then the race with a reused pid is accepted.
int openPidfd(pid_t pid)
{
#ifdef SYS_pidfd_open
    return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0U));
#else
    static_cast<void>(pid);
    errno = ENOSYS;
    return -1;
#endif
}

bool sendBy(int pidfd, int signal)
{
#ifdef SYS_pidfd_send_signal
    return ::syscall(SYS_pidfd_send_signal, pidfd, signal, nullptr, 0U) == 0;
#else
    static_cast<void>(pidfd);
    static_cast<void>(signal);
    return false;
#endif
}

} // namespace

std::optional<ProcessEntry> parseProcessStat(const std::string& stat)
{
    // "pid (name) state ppid pgrp session ..."; the name may hold spaces and parentheses.
    const std::size_t open = stat.find('(');
    const std::size_t close = stat.rfind(')');
    if (open == std::string::npos || close == std::string::npos || open < 2 || close < open
        || close + 2 >= stat.size())
        return {};
    ProcessEntry entry;
    entry.name = stat.substr(open + 1, close - open - 1);
    entry.state = stat[close + 2];
    constexpr std::size_t parentField = 1;
    constexpr std::size_t startField = 19;
    std::string_view rest = std::string_view(stat).substr(close + 2);
    bool good = readNumber(std::string_view(stat).substr(0, open - 1), entry.pid);
    std::size_t field = 0;
    for (; good && !rest.empty() && field <= startField; ++field) {
        const std::size_t length = std::min(rest.find_first_of(" \n"), rest.size());
        const std::string_view word = rest.substr(0, length);
        rest.remove_prefix(std::min(length + 1, rest.size()));
        if (field == parentField)
            good = readNumber(word, entry.parent);
        else if (field == parentField + 1)
            good = readNumber(word, entry.group);
        else if (field == parentField + 2)
            good = readNumber(word, entry.session);
        else if (field == startField)
            good = readNumber(word, entry.startTicks);
    }
    if (!good || field <= startField)
        return {};
    return entry;
}

std::optional<ProcessMarker> parseProcessMarker(const std::string& environment)
{
    ProcessMarker marker;
    std::uint32_t epoch = 0;
    std::int32_t rank = 0;
    std::uint32_t task = 0;
    std::uint32_t attempt = 0;
    unsigned found = 0;
    std::string_view rest = environment;
    while (!rest.empty()) {
        const std::size_t length = std::min(rest.find('\0'), rest.size());
        std::string_view variable = rest.substr(0, length);
        rest.remove_prefix(std::min(length + 1, rest.size()));
        if (!variable.starts_with("TASUKI_"))
            continue;
        const std::size_t equals = variable.find('=');
        if (equals == std::string_view::npos)
            continue;
        const std::string_view name = variable.substr(0, equals);
        const std::string_view value = variable.substr(equals + 1);
        if (name == "TASUKI_RUN" && !value.empty()) {
            marker.run = value;
            found |= 1U;
        } else if (name == "TASUKI_EPOCH" && readNumber(value, epoch)) {
            found |= 2U;
        } else if (name == "TASUKI_RANK" && readNumber(value, rank)) {
            found |= 4U;
        } else if (name == "TASUKI_TASK" && readNumber(value, task)) {
            found |= 8U;
        } else if (name == "TASUKI_ATTEMPT" && readNumber(value, attempt)) {
            found |= 16U;
        }
    }
    if (found != 31U)
        return {};
    marker.epoch = Epoch(epoch);
    marker.rank = Rank(rank);
    marker.key = {TaskId(task), AttemptNumber(attempt)};
    return marker;
}

std::vector<ProcessEntry> readProcesses()
{
    std::vector<ProcessEntry> table;
    const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir("/proc"), ::closedir);
    if (!directory)
        return table;
    std::string buffer;
    while (const dirent* const entry = ::readdir(directory.get())) {
        pid_t pid = 0;
        if (!readNumber(std::string_view(entry->d_name), pid))
            continue;
        if (auto process = readProcess(pid, buffer))
            table.push_back(std::move(*process));
    }
    std::sort(table.begin(), table.end(),
              [](const auto& a, const auto& b) { return a.pid < b.pid; });
    return table;
}

namespace {

/// Adds the children of a process, as its threads' files list them.
/// @return false when the system keeps no such lists
bool addChildren(pid_t parent, std::vector<pid_t>& children)
{
    const std::string tasks = processPath(parent, "task");
    const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(tasks.c_str()), ::closedir);
    if (!directory)
        return true; // it has gone
    bool listed = false;
    bool any = false;
    std::string text;
    while (const dirent* const entry = ::readdir(directory.get())) {
        pid_t thread = 0;
        if (!readNumber(std::string_view(entry->d_name), thread))
            continue;
        any = true;
        if (!readFile(tasks + '/' + entry->d_name + "/children", text))
            continue;
        listed = true;
        std::string_view rest = text;
        for (std::size_t end = rest.find(' '); end != std::string_view::npos;
             end = rest.find(' ')) {
            pid_t child = 0;
            if (readNumber(rest.substr(0, end), child))
                children.push_back(child);
            rest.remove_prefix(end + 1);
        }
    }
    return listed || !any;
}

} // namespace

std::vector<ProcessEntry> readChildrenOf(std::initializer_list<pid_t> parents)
{
    std::vector<pid_t> children;
    for (const pid_t parent : parents) {
        // Each thread has those that it has made.
        if (!addChildren(parent, children)) {
            std::vector<ProcessEntry> table = readProcesses();
            std::erase_if(table, [&](const ProcessEntry& process) {
                return std::ranges::find(parents, process.parent) == parents.end();
            });
            return table;
        }
    }
    std::ranges::sort(children);
    std::vector<ProcessEntry> table;
    std::string buffer;
    for (const pid_t child : children) {
        if (auto process = readProcess(child, buffer))
            table.push_back(std::move(*process));
    }
    return table;
}

std::optional<ProcessMarker> readProcessMarker(pid_t pid)
{
    std::string environment;
    if (!readFile(processPath(pid, "environ"), environment))
        return {};
    return parseProcessMarker(environment);
}

std::vector<ProcessEntry> descendantsOf(const std::vector<ProcessEntry>& table, pid_t ancestor)
{
    std::vector<ProcessEntry> found;
    std::unordered_set<pid_t> known{ancestor};
    for (bool grown = true; grown;) {
        grown = false;
        for (const ProcessEntry& process : table) {
            if (known.contains(process.parent) && known.insert(process.pid).second) {
                found.push_back(process);
                grown = true;
            }
        }
    }
    return found;
}

bool signalProcess(const ProcessEntry& process, int signal)
{
    const UniqueFd pidfd(openPidfd(process.pid));
    if (!pidfd)
        return errno == ENOSYS && ::kill(process.pid, signal) == 0;
    std::string buffer;
    const auto current = readProcess(process.pid, buffer);
    return current && current->startTicks == process.startTicks && sendBy(pidfd.get(), signal);
}

std::uint64_t nowInTicks()
{
    timespec now{};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    const auto perSecond = static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
    return static_cast<std::uint64_t>(now.tv_sec) * perSecond
        + static_cast<std::uint64_t>(now.tv_nsec) * perSecond / 1'000'000'000U;
}

} // namespace tasuki
