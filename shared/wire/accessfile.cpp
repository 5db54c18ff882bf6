// SPDX-License-Identifier: GPL-3.0-or-later
#include "accessfile.h"

#include "accessjson.h"

#include "files/streamtext.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <system_error>

#include <unistd.h>

namespace tasuki::link {

namespace {

constexpr std::size_t largestAccessFile = 64 * 1024;
constexpr std::size_t runDigitsInName = 12;
constexpr std::string_view extension = ".json";

/// @return the value of a variable; empty when it is not set
std::string fromEnvironment(const char* name)
{
    const char* value = std::getenv(name);
    return value ? value : "";
}

} // namespace

Result<std::filesystem::path> accessDirectory()
{
    if (const auto own = fromEnvironment("TASUKI_ACCESS_DIR"); !own.empty())
        return std::filesystem::absolute(own);
    // Relative values are to be ignored, says the standard that defines the variable.
    if (const auto state = fromEnvironment("XDG_STATE_HOME"); state.starts_with('/'))
        return std::filesystem::path(state) / "tasuki" / "agents";
    const auto home = fromEnvironment("HOME");
    if (!home.starts_with('/'))
        return Error{.kind = ErrorKind::System,
                     .message = "there is no place for access files: HOME is not set",
                     .remedy = "set HOME or TASUKI_ACCESS_DIR"};
    return std::filesystem::path(home) / ".local" / "state" / "tasuki" / "agents";
}

std::filesystem::path socketDirectory()
{
    if (const auto own = fromEnvironment("TASUKI_SOCKET_DIR"); !own.empty())
        return std::filesystem::absolute(own);
    return "/tmp/tasuki-" + std::to_string(::geteuid());
}

Result<std::filesystem::path> makeSocketDirectory()
{
    const std::filesystem::path usual = socketDirectory();
    if (fromEnvironment("TASUKI_SOCKET_DIR").empty())
        return makePrivateDirectoryLike(usual);
    const Result<void> made = makePrivateDirectory(usual);
    return made ? Result<std::filesystem::path>(usual) : made.error();
}

std::string accessFileName(const RunId& run, Epoch epoch)
{
    return run.hex.substr(0, runDigitsInName) + '-' + std::to_string(epoch.value())
        + std::string(extension);
}

Result<std::filesystem::path> writeAccessFile(const std::filesystem::path& directory,
                                              const AccessFile& access)
{
    if (auto made = makePrivateDirectory(directory); !made)
        return made.error();
    std::filesystem::path path = directory / accessFileName(access.run, access.epoch);
    if (auto written = writePrivateFile(path, jsonOf(access)); !written)
        return written.error();
    return path;
}

Result<AccessFile> readAccessFile(const std::filesystem::path& path)
{
    auto bytes = readPrivateFile(path, largestAccessFile);
    if (!bytes)
        return bytes.error();
    auto access = accessOfJson(*bytes);
    if (access)
        return access;
    return about(path, access.error());
}

AccessListing listAccessFiles(const std::filesystem::path& directory)
{
    AccessListing listing;
    std::error_code error;
    std::filesystem::directory_iterator files(directory, error);
    if (error && error != std::errc::no_such_file_or_directory)
        listing.unreadable.push_back(
            about(directory, systemError("cannot be read", error.value())));
    if (error)
        return listing;
    for (; files != std::filesystem::directory_iterator(); files.increment(error)) {
        if (files->path().extension() != extension)
            continue;
        auto access = readAccessFile(files->path());
        if (access)
            listing.agents.push_back({files->path(), std::move(*access)});
        else if (std::error_code gone; std::filesystem::exists(files->symlink_status(gone)))
            listing.unreadable.push_back(access.error());
    }
    std::sort(listing.agents.begin(), listing.agents.end(),
              [](const AccessListing::Entry& a, const AccessListing::Entry& b) {
                  return a.access.started != b.access.started ? a.access.started > b.access.started
                                                              : a.path < b.path;
              });
    std::sort(listing.unreadable.begin(), listing.unreadable.end(),
              [](const Error& a, const Error& b) { return a.text() < b.text(); });
    return listing;
}

Result<void> removeAccessFile(const std::filesystem::path& path, const Secret& token)
{
    const auto access = readAccessFile(path);
    if (!access || access->token != token)
        return {};
    std::error_code error;
    std::filesystem::remove(path, error);
    if (!error)
        return {};
    return about(path, systemError("cannot be removed", error.value()));
}

std::uint64_t processStart(std::int64_t pid)
{
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    const std::string stat = textOf(file); // nothing, when the process ends meanwhile
    // The name of the program, in parentheses, may contain anything.
    const auto name = stat.rfind(") ");
    if (pid <= 0 || name == std::string::npos)
        return 0;
    constexpr std::size_t stateAt = 2;
    const char state = name + stateAt < stat.size() ? stat[name + stateAt] : 'X';
    if (state == 'Z' || state == 'X')
        return 0;
    std::size_t at = name + 1;
    constexpr int fieldsBetween = 19; // the state is field 3, the start is field 22
    for (int i = 0; i < fieldsBetween && at != std::string::npos; ++i)
        at = stat.find(' ', at + 1);
    return at == std::string::npos ? 0 : std::strtoull(stat.c_str() + at, nullptr, 10);
}

bool isStale(const AccessFile& access, const std::string& hostKey)
{
    if (access.hostKey != hostKey)
        return false;
    const std::uint64_t start = processStart(access.pid);
    return start == 0 || (access.processStart != 0 && access.processStart != start);
}

} // namespace tasuki::link
