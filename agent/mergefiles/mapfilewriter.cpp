// SPDX-License-Identifier: GPL-3.0-or-later
#include "mapfilewriter.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tasuki::merge {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view standardOutput = "-";
constexpr std::size_t bufferBytes = std::size_t{1} << 20U;

fs::path directoryOf(const std::string& path)
{
    const fs::path directory = fs::path(path).parent_path();
    return directory.empty() ? fs::path(".") : directory;
}

/// @return the file that a chain of symbolic links ends at, so that the link stays
std::string target(const std::string& path)
{
    std::error_code error;
    const fs::path resolved = fs::weakly_canonical(path, error);
    return error ? path : resolved.string();
}

/// A file beside the one that it is to become; gone unless it becomes it.
class Scaffold {
public:
    explicit Scaffold(std::string path)
        : m_final(std::move(path)),
          m_temporary(m_final + ".XXXXXX"),
          m_descriptor(::mkostemp(m_temporary.data(), O_CLOEXEC))
    {}
    Scaffold(const Scaffold&) = delete;
    Scaffold& operator=(const Scaffold&) = delete;
    ~Scaffold()
    {
        if (m_descriptor < 0)
            return;
        ::close(m_descriptor);
        if (!m_done)
            ::unlink(m_temporary.c_str());
    }

    [[nodiscard]] int descriptor() const { return m_descriptor; }
    Result<void> become()
    {
        // As any new file of this user, or as the one that it replaces.
        struct stat old = {};
        const mode_t mask = ::umask(0);
        ::umask(mask);
        constexpr mode_t everybody = 0666;
        const mode_t mode = ::stat(m_final.c_str(), &old) == 0 ? old.st_mode & 07777U
                                                               : everybody & ~mask;
        if (::fchmod(m_descriptor, mode) != 0 || ::fsync(m_descriptor) != 0
            || ::rename(m_temporary.c_str(), m_final.c_str()) != 0)
            return systemError("cannot write " + m_final, errno);
        m_done = true;
        const int directory = ::open(directoryOf(m_final).c_str(), O_RDONLY | O_CLOEXEC);
        if (directory >= 0) {
            ::fsync(directory);
            ::close(directory);
        }
        return {};
    }

private:
    std::string m_final;
    std::string m_temporary;
    int m_descriptor;
    bool m_done = false;
};

bool writeAll(int descriptor, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

bool writeLines(int descriptor, const MergeMap& map, WriteProgress& progress)
{
    std::string buffer;
    for (std::size_t index = 0; index < map.size(); ++index) {
        const Entry entry = map.entry(index);
        buffer += entry.key;
        buffer += '\t';
        buffer += entry.value;
        buffer += '\n';
        if (buffer.size() >= bufferBytes || index + 1 == map.size()) {
            if (progress.cancelled) {
                errno = ECANCELED;
                return false;
            }
            if (!writeAll(descriptor, buffer))
                return false;
            progress.bytes += buffer.size();
            buffer.clear();
        }
    }
    return true;
}

} // namespace

Result<void> checkOutput(const std::string& path)
{
    if (path == standardOutput)
        return {};
    std::error_code error;
    const auto refused = [&path](int number) {
        return systemError("cannot write " + path, number);
    };
    if (fs::is_directory(path, error))
        return refused(EISDIR);
    if (fs::exists(path, error) && !fs::is_regular_file(path, error)) {
        return Error{.kind = ErrorKind::Input,
                     .message = path + " is no regular file",
                     .remedy = "name a file, or - for standard output"};
    }
    if (::access(directoryOf(target(path)).c_str(), W_OK | X_OK) != 0)
        return refused(errno);
    return {};
}

Result<void> writeMapFile(const std::string& path, const MergeMap& map, WriteProgress& progress)
{
    if (path == standardOutput) {
        if (std::fflush(stdout) != 0 || !writeLines(STDOUT_FILENO, map, progress))
            return systemError("cannot write to standard output", errno);
        return {};
    }
    Scaffold scaffold(target(path));
    if (scaffold.descriptor() < 0 || !writeLines(scaffold.descriptor(), map, progress))
        return systemError("cannot write " + path, errno);
    return scaffold.become();
}

std::string mapListing(int rank, const MergeMap& map)
{
    std::string text = "rank = " + std::to_string(rank) + '\n';
    for (std::size_t index = 0; index < map.size(); ++index) {
        const Entry entry = map.entry(index);
        text += entry.key;
        text += ':';
        text += entry.value;
        text += '\n';
    }
    return text;
}

} // namespace tasuki::merge
