// SPDX-License-Identifier: GPL-3.0-or-later
#include "mpiremains.h"

#include "launchdirectory.h"

#include "files/streamtext.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <system_error>

#include <sys/stat.h>
#include <unistd.h>

namespace tasuki {

namespace {

/// How the files of segments are called by Open MPI 4 and 5, before host, user, job and rank.
constexpr std::array<std::string_view, 2> segmentNames{"/vader_segment.", "/sm_segment."};
/// The session directory is /tmp/ompi.HOST.USER/pid.MPIRUN.
constexpr std::string_view sessionsName = "/ompi.";
constexpr std::string_view sessionName = "/pid.";

bool isNumber(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// @return the path of a segment up to its rank; empty: the path is none
std::string_view segmentPrefix(std::string_view path)
{
    const std::size_t name = path.rfind('/');
    const bool segment = name != std::string_view::npos
        && std::ranges::any_of(segmentNames, [&](std::string_view beginning) {
                             return path.substr(name).starts_with(beginning);
                         });
    const std::size_t dot = path.rfind('.');
    if (!segment || !isNumber(path.substr(dot + 1)))
        return {};
    return path.substr(0, dot + 1);
}

/// @return the session directory that a path lies in; empty: in none
std::string_view sessionOf(std::string_view path)
{
    const std::size_t sessions = path.find(sessionsName);
    if (sessions == std::string_view::npos)
        return {};
    const std::size_t session = path.find('/', sessions + 1);
    if (session == std::string_view::npos || !path.substr(session).starts_with(sessionName))
        return {};
    const std::size_t end = path.find('/', session + 1);
    const std::size_t number = session + sessionName.size();
    if (end == std::string_view::npos || !isNumber(path.substr(number, end - number)))
        return {};
    return path.substr(0, end);
}

/// @param type  S_IFREG or S_IFDIR; a link is neither
bool isOwn(const std::filesystem::path& path, mode_t type)
{
    struct stat status {};
    return ::lstat(path.c_str(), &status) == 0 && (status.st_mode & S_IFMT) == type
        && status.st_uid == ::geteuid();
}

} // namespace

void MpiRemains::note(pid_t process)
{
    std::ifstream file("/proc/" + std::to_string(process) + "/maps");
    noteMaps(textOf(file)); // nothing, when it ends meanwhile
}

void MpiRemains::noteMaps(std::string_view maps)
{
    while (!maps.empty()) {
        const std::string_view line = maps.substr(0, maps.find('\n'));
        maps.remove_prefix(std::min(line.size() + 1, maps.size()));
        const std::size_t begin = line.find('/');
        if (begin == std::string_view::npos)
            continue;
        const std::string_view path = line.substr(begin);
        if (const std::string_view prefix = segmentPrefix(path); !prefix.empty())
            m_segments.emplace(prefix);
        else if (const std::string_view session = sessionOf(path); !session.empty())
            m_sessions.emplace(session);
    }
}

void MpiRemains::remove() const
{
    std::error_code error;
    for (const std::filesystem::path prefix : m_segments) {
        const std::string beginning = prefix.filename().string();
        for (std::filesystem::directory_iterator entry(prefix.parent_path(), error), end;
             !error && entry != end; entry.increment(error)) {
            const std::string name = entry->path().filename().string();
            if (name.starts_with(beginning) && isNumber(name.substr(beginning.size()))
                && isOwn(entry->path(), S_IFREG))
                ::unlink(entry->path().c_str());
        }
    }
    for (const std::filesystem::path& session : m_sessions) {
        if (isOwn(session, S_IFDIR))
            std::filesystem::remove_all(session, error);
    }
    // What `launch` has made for both goes with it, unless that was killed, too.
    for (const std::filesystem::path prefix : m_segments) {
        if (LaunchDirectory::isOne(prefix.parent_path()) && isOwn(prefix.parent_path(), S_IFDIR))
            std::filesystem::remove_all(prefix.parent_path(), error);
    }
}

} // namespace tasuki
