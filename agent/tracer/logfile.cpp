// SPDX-License-Identifier: GPL-3.0-or-later
#include "logfile.h"

#include "blockedsignals.h"
#include "systemcall.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace tasuki::tracer {

LogFile::LogFile(std::string path, std::string beside, int descriptor)
    : m_path(std::move(path)), m_beside(std::move(beside)), m_descriptor(descriptor)
{}

LogFile::LogFile(LogFile&& other) noexcept
    : m_path(std::move(other.m_path)),
      m_beside(std::move(other.m_beside)),
      m_descriptor(std::exchange(other.m_descriptor, -1))
{
    other.m_beside.clear();
}

LogFile::~LogFile()
{
    if (m_descriptor >= 0)
        close(m_descriptor);
    if (!m_beside.empty())
        unlink(m_beside.c_str());
}

Result<LogFile> LogFile::create(const std::string& path)
{
    struct stat found = {};
    std::string target = followed(path);
    std::string beside;
    // To open a pipe that nobody reads would wait for ever.
    int flags = O_WRONLY | O_CLOEXEC | O_NONBLOCK;
    if (stat(target.c_str(), &found) != 0 || S_ISREG(found.st_mode)) {
        beside = target + "." + std::to_string(getpid()) + ".part";
        flags = O_WRONLY | O_CLOEXEC | O_CREAT | O_TRUNC;
    }
    const int descriptor = open(beside.empty() ? target.c_str() : beside.c_str(), flags, 0666);
    if (descriptor < 0)
        return failure("cannot write '" + path + "'", errno);
    if (beside.empty())
        fcntl(descriptor, F_SETFL, O_WRONLY);
    return LogFile{std::move(target), std::move(beside), descriptor};
}

Result<void> LogFile::probe(const std::string& path)
{
    struct stat found = {};
    if (stat(path.c_str(), &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode)) {
        // Who reads a pipe need not be there yet.
        if (access(path.c_str(), W_OK) != 0)
            return failure("cannot write '" + path + "'", errno);
        return {};
    }
    if (auto file = create(path); !file)
        return file.error();
    return {};
}

std::string LogFile::followed(const std::string& path)
{
    const std::unique_ptr<char, decltype(&std::free)> real{realpath(path.c_str(), nullptr),
                                                           &std::free};
    return real ? std::string{real.get()} : path;
}

Result<std::string> LogFile::putAside(const std::string& path)
{
    struct stat found = {};
    const std::string target = followed(path);
    if (stat(target.c_str(), &found) != 0 || !S_ISREG(found.st_mode))
        return std::string{};
    std::string aside = target + ".earlier";
    if (std::rename(target.c_str(), aside.c_str()) != 0)
        return failure("cannot rename '" + target + "', which is of an earlier run", errno);
    return aside;
}

Result<void> LogFile::write(std::string_view text)
{
    const BlockedSignals blocked;
    while (!text.empty()) {
        const ssize_t written = ::write(m_descriptor, text.data(), text.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return failure("cannot write '" + m_path + "'", errno);
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

Result<void> LogFile::finish()
{
    const int descriptor = std::exchange(m_descriptor, -1);
    if (close(descriptor) != 0 && errno != EINTR)
        return failure("cannot write '" + m_path + "'", errno);
    if (!m_beside.empty()) {
        if (std::rename(m_beside.c_str(), m_path.c_str()) != 0)
            return failure("cannot rename '" + m_beside + "' to '" + m_path + "'", errno);
        m_beside.clear();
    }
    return {};
}

} // namespace tasuki::tracer
