// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracefile.h"

#include "alogwriter.h"
#include "files/uniquefd.h"
#include "files/wholefile.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tasuki::trace {

namespace {

constexpr std::size_t blockBytes = std::size_t{1} << 20U;

void tellProgress(const FileWatch& watch, std::uint64_t bytes, std::uint64_t total)
{
    if (watch.progress)
        watch.progress({.bytes = bytes, .total = total});
}

Error cannotRead(const std::string& path, int number)
{
    return systemError("cannot read " + path, number);
}

Error cannotWrite(const std::string& path, int number)
{
    return systemError("cannot write " + path, number);
}

/// One pass over a file from where it stands.
Result<AlogPass> readPass(const std::string& path, int descriptor, std::uint64_t total,
                          const AlogDefinitions& known, const FileWatch& watch,
                          const AlogLimits& limits)
{
    AlogReader reader(path, known, limits);
    reader.expect(total);
    std::vector<char> block(blockBytes);
    std::uint64_t bytes = 0;
    while (true) {
        if (watch.stop.stop_requested())
            return cannotRead(path, ECANCELED);
        const ssize_t count = ::read(descriptor, block.data(), block.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return cannotRead(path, errno);
        if (count == 0)
            return reader.finish();
        reader.add({block.data(), static_cast<std::size_t>(count)});
        bytes += static_cast<std::uint64_t>(count);
        tellProgress(watch, bytes, total);
    }
}

} // namespace

Result<TraceReading> readTraceFile(const std::string& path, const FileWatch& watch,
                                   const AlogLimits& limits)
{
    const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    struct stat status = {};
    if (file.get() < 0 || ::fstat(file.get(), &status) != 0)
        return cannotRead(path, errno);
    const bool isRegular = S_ISREG(status.st_mode);
    const std::uint64_t total = isRegular ? static_cast<std::uint64_t>(status.st_size) : 0;
    Result<AlogPass> first = readPass(path, file.get(), total, {}, watch, limits);
    if (!first)
        return first.error();
    if (!first->late || !isRegular || ::lseek(file.get(), 0, SEEK_SET) != 0)
        return std::move(first->reading);
    const AlogDefinitions late = std::move(*first->late);
    *first = {}; // two traces need not fit into memory
    Result<AlogPass> second = readPass(path, file.get(), total, late, watch, limits);
    if (!second)
        return second.error();
    return std::move(second->reading);
}

bool looksLikeTrace(const std::string& path)
{
    constexpr std::size_t lookedAt = 16'384; // bytes
    struct stat status = {};
    // Nobody waits for the other end of a FIFO.
    if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
        return false;
    std::ifstream file(path, std::ios::binary);
    std::string text(lookedAt, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    // Half a line says nothing, unless it is all that there is.
    if (const std::size_t end = text.rfind('\n'); end != std::string::npos)
        text.resize(end);
    std::size_t good = 0;
    std::size_t bad = 0;
    for (std::string_view rest = text; !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        const AlogLine parsed = parseAlogLine(line);
        if (std::holds_alternative<MalformedLine>(parsed))
            ++bad;
        else if (!std::holds_alternative<BlankLine>(parsed))
            ++good;
    }
    return good > bad;
}

Result<void> writeTraceFile(const std::string& path, const Trace& trace, const FileWatch& watch)
{
    if (std::error_code ignored; std::filesystem::exists(path, ignored)
        && !std::filesystem::is_regular_file(path, ignored)) {
        return Error{.kind = ErrorKind::Input,
                     .message = path + " is no regular file",
                     .remedy = "name a file"};
    }
    WholeFile file(path);
    if (file.descriptor() < 0)
        return cannotWrite(path, errno);
    std::uint64_t bytes = 0;
    Result<void> written = writeAlog(trace, [&](std::string_view part) -> Result<void> {
        if (watch.stop.stop_requested())
            return cannotWrite(path, ECANCELED);
        if (Result<void> taken = file.write(part); !taken)
            return taken;
        bytes += part.size();
        tellProgress(watch, bytes, 0);
        return {};
    });
    if (!written)
        return written;
    return file.become();
}

} // namespace tasuki::trace
