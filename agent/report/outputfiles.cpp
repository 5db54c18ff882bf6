// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputfiles.h"

#include "files/recordmode.h"

#include <cerrno>
#include <string_view>
#include <utility>

#include <unistd.h>

namespace tasuki {

namespace {

constexpr std::array kinds{StreamKind::Output, StreamKind::Error};
constexpr std::string_view unfinishedSuffix = ".part";

/// @return a new file, for whoever may read the record, in the place of what an earlier life has left; never
///         what somebody else has put there, or through a link
std::unique_ptr<std::FILE, int (*)(std::FILE*)> makeUnfinished(const std::string& path)
{
    const Result<mode_t> mode = recordMode();
    constexpr mode_t ownersAlone = 0600;
    ::unlink(path.c_str());
    const int descriptor = makeFile(path, mode ? *mode : ownersAlone);
    return {descriptor < 0 ? nullptr : ::fdopen(descriptor, "w"), &std::fclose};
}

} // namespace

OutputFiles::OutputFiles(std::string directory)
    : m_directory(std::move(directory)),
      m_files{File(nullptr, &std::fclose), File(nullptr, &std::fclose)}
{}

std::string OutputFiles::path(StreamKind stream) const
{
    return m_directory + '/' + outputFileName(m_open->task, stream);
}

Error OutputFiles::failed(StreamKind stream)
{
    const int number = errno;
    const std::string name = path(stream);
    for (const StreamKind kind : kinds) {
        m_files[static_cast<std::size_t>(kind)].reset();
        ::unlink((path(kind) += unfinishedSuffix).c_str());
    }
    m_failed = std::exchange(m_open, std::nullopt);
    return systemError("cannot write " + name, number);
}

Result<void> OutputFiles::begin(AttemptKey key)
{
    m_open = key;
    for (const StreamKind kind : kinds) {
        File& file = m_files[static_cast<std::size_t>(kind)];
        file = makeUnfinished(path(kind) += unfinishedSuffix);
        if (!file)
            return failed(kind);
    }
    return {};
}

Result<void> OutputFiles::end()
{
    for (const StreamKind kind : kinds) {
        File& file = m_files[static_cast<std::size_t>(kind)];
        const std::string name = path(kind);
        if (std::fclose(file.release()) != 0
            || std::rename((name + std::string(unfinishedSuffix)).c_str(), name.c_str()) != 0)
            return failed(kind);
    }
    m_open.reset();
    return {};
}

Result<std::size_t> OutputFiles::write(const OutputBlock& block, std::size_t from)
{
    const std::size_t count = block.bytes.size() - from;
    if (m_failed == block.key)
        return count;
    if (m_open != block.key) {
        if (Result<void> begun = begin(block.key); !begun)
            return begun.error();
    }
    std::FILE* const file = m_files[static_cast<std::size_t>(block.stream)].get();
    if (std::fwrite(block.bytes.data() + from, 1, count, file) != count)
        return failed(block.stream);
    if (block.last) {
        if (Result<void> ended = end(); !ended)
            return ended.error();
    }
    return count;
}

} // namespace tasuki
