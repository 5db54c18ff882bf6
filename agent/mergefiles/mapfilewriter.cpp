// SPDX-License-Identifier: GPL-3.0-or-later
#include "mapfilewriter.h"

#include "files/wholefile.h"

#include <cerrno>
#include <cstdio>
#include <string_view>

#include <unistd.h>

namespace tasuki::merge {

namespace {

constexpr std::string_view standardOutput = "-";
constexpr std::size_t bufferBytes = std::size_t{1} << 20U;

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
    return checkWritable(path, "name a file, or - for standard output");
}

Result<void> writeMapFile(const std::string& path, const MergeMap& map, WriteProgress& progress)
{
    if (path == standardOutput) {
        if (std::fflush(stdout) != 0 || !writeLines(STDOUT_FILENO, map, progress))
            return systemError("cannot write to standard output", errno);
        return {};
    }
    WholeFile file(path);
    if (file.descriptor() < 0 || !writeLines(file.descriptor(), map, progress))
        return systemError("cannot write " + path, errno);
    return file.become();
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
