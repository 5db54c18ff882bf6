// SPDX-License-Identifier: GPL-3.0-or-later
#include "tasklistfile.h"

#include "files/uniquefd.h"

#include <cerrno>
#include <deque>
#include <fcntl.h>
#include <new>
#include <optional>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

namespace tasuki {

namespace {

Error unusable(const std::string& path, std::string message, std::string remedy)
{
    return about(taskListName(path), ErrorKind::Input, std::move(message), std::move(remedy));
}

Error refusal(const std::string& path, int errorNumber)
{
    switch (errorNumber) {
    case ENOENT:
    case ENOTDIR:
        return unusable(path, "there is no such file", "name a file with one command a line");
    case EACCES:
        return unusable(path, "the file may not be read",
                        "give yourself the right, e.g. with: chmod u+r");
    case EISDIR: return unusable(path, "this is a directory", "name a file in it");
    default: break;
    }
    return about(taskListName(path), systemError("the file cannot be read", errorNumber));
}

/// @return the Error that tells why this is nothing to read a list from
std::optional<Error> checkType(const std::string& path, const struct stat& status, int descriptor)
{
    if (S_ISDIR(status.st_mode))
        return refusal(path, EISDIR);
    const bool isNamed = path != "-";
    const bool isTerminal = ::isatty(descriptor) == 1;
    if (isNamed && (S_ISBLK(status.st_mode) || (S_ISCHR(status.st_mode) && !isTerminal)))
        return unusable(path, "this is a device", "name a file, a FIFO, or - for standard input");
    return std::nullopt;
}

/// Reads up to `size` bytes; fewer only at the end.
/// @return 0 or errno
int readUpTo(int descriptor, std::size_t size, std::string& text)
{
    constexpr std::size_t mostAtOnce = std::size_t{1} << 30U; // one call takes less than 2 GiB
    text.resize(size);
    std::size_t filled = 0;
    while (filled < size) {
        const ssize_t count = ::read(descriptor, text.data() + filled,
                                     std::min(size - filled, mostAtOnce));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return errno;
        if (count == 0)
            break;
        filled += static_cast<std::size_t>(count);
    }
    text.resize(filled);
    return 0;
}

Result<std::string> readAll(const std::string& path, int descriptor, std::size_t expected)
{
    constexpr std::size_t chunkSize = std::size_t{4} << 20U;
    // One byte more than expected, so that the end shows in the first call.
    std::string text;
    int failure = readUpTo(descriptor, expected == 0 ? chunkSize : expected + 1, text);
    const std::size_t asked = expected == 0 ? chunkSize : expected + 1;
    if (failure != 0)
        return refusal(path, failure);
    if (text.size() < asked)
        return text;

    // Chunks, joined and freed one by one: growing one string would hold it up to three times.
    std::deque<std::string> chunks;
    std::size_t total = text.size();
    do {
        failure = readUpTo(descriptor, chunkSize, chunks.emplace_back());
        if (failure != 0)
            return refusal(path, failure);
        total += chunks.back().size();
    } while (chunks.back().size() == chunkSize);
    text.reserve(total);
    for (; !chunks.empty(); chunks.pop_front())
        text += chunks.front();
    return text;
}

} // namespace

std::string taskListName(const std::string& path) { return path == "-" ? "standard input" : path; }

Result<std::string> readWholeFile(const std::string& path)
{
    const UniqueFd file(path == "-" ? -1 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    const int descriptor = path == "-" ? STDIN_FILENO : file.get();
    if (descriptor < 0)
        return errno == ENXIO ? unusable(path, "this is a socket or a device that is not there",
                                         "name a file, a FIFO, or - for standard input")
                              : refusal(path, errno);
    struct stat status {};
    if (::fstat(descriptor, &status) != 0)
        return refusal(path, errno);
    if (const std::optional<Error> error = checkType(path, status, descriptor))
        return *error;
    try {
        const bool isRegular = S_ISREG(status.st_mode);
        return readAll(path, descriptor, isRegular ? static_cast<std::size_t>(status.st_size) : 0);
    } catch (const std::bad_alloc&) {
        return unusable(path, "the list does not fit in memory", "split it");
    } catch (const std::length_error&) {
        return unusable(path, "the list does not fit in memory", "split it");
    }
}

} // namespace tasuki
