// SPDX-License-Identifier: GPL-3.0-or-later
#include "shipmentwriter.h"

#include "files/recordmode.h"

#include "shipmentreader.h"
#include "writercheck.h"

#include <cerrno>
#include <chrono>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tasuki {

namespace fs = std::filesystem;

namespace {

WallTime wallNow()
{
    return std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
}

} // namespace

Result<ShipmentWriter> ShipmentWriter::create(const fs::path& file, const ShipmentOpening& opening)
{
    const Result<mode_t> mode = recordMode();
    if (!mode)
        return mode.error();
    const fs::path draft = draftOf(file, opening.owner.token);
    ::unlink(draft.c_str());
    const int descriptor = makeFile(draft, *mode);
    ShipmentWriter writer(descriptor, file, opening.owner.token);
    if (descriptor < 0)
        return writer.error("cannot be made", errno);
    writer.m_draft = draft;
    if (auto begun = writer.put(shipmentMagic); !begun)
        return begun.error();
    if (auto begun = writer.add(ShipmentKind::Opening, textOf(opening)); !begun)
        return begun.error();
    return writer;
}

ShipmentWriter::ShipmentWriter(int descriptor, fs::path path, std::string token)
    : m_descriptor(descriptor), m_path(std::move(path)), m_token(std::move(token))
{}

ShipmentWriter::ShipmentWriter(ShipmentWriter&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1)),
      m_path(std::move(other.m_path)),
      m_draft(std::exchange(other.m_draft, {})),
      m_token(std::move(other.m_token)),
      m_mark(other.m_mark)
{}

ShipmentWriter& ShipmentWriter::operator=(ShipmentWriter&& other) noexcept
{
    std::swap(m_descriptor, other.m_descriptor);
    std::swap(m_path, other.m_path);
    std::swap(m_draft, other.m_draft);
    std::swap(m_token, other.m_token);
    std::swap(m_mark, other.m_mark);
    return *this;
}

ShipmentWriter::~ShipmentWriter()
{
    if (m_descriptor < 0)
        return;
    ::close(m_descriptor);
    if (!m_draft.empty())
        ::unlink(m_draft.c_str());
}

Result<void> ShipmentWriter::add(ShipmentKind kind, std::string_view content)
{
    const Mark before = m_mark;
    const ShipmentFrame frame{.kind = kind, .number = m_mark.number, .at = wallNow()};
    auto done = put(shipmentHead(frame, content));
    if (done)
        done = put(content);
    if (!done)
        takeBack(before);
    else
        ++m_mark.number;
    return done;
}

Result<void> ShipmentWriter::put(std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t count = ::pwrite(m_descriptor, bytes.data(), bytes.size(),
                                       static_cast<off_t>(m_mark.end));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return error("cannot be written", count < 0 ? errno : ENOSPC);
        m_mark.end += static_cast<std::uint64_t>(count);
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return {};
}

void ShipmentWriter::takeBack(Mark mark)
{
    m_mark = mark;
    // A rest that stays is no whole frame in sequence, or one that nobody was told of.
    static_cast<void>(::ftruncate(m_descriptor, static_cast<off_t>(mark.end)) != 0);
}

Result<void> ShipmentWriter::sync()
{
    if (::fsync(m_descriptor) != 0)
        return error("cannot be written", errno);
    return {};
}

Result<void> ShipmentWriter::publish()
{
    if (auto synced = sync(); !synced)
        return synced;
    if (::rename(m_draft.c_str(), m_path.c_str()) != 0)
        return error("cannot be made", errno);
    m_draft.clear();
    syncFolderOf(m_path);
    return {};
}

ShipmentWriter::Name ShipmentWriter::name() const
{
    struct stat mine {};
    struct stat there {};
    if (::stat(m_path.c_str(), &there) != 0)
        return errno == ENOENT || errno == ENOTDIR ? Name::Gone : Name::Unknown;
    if (::fstat(m_descriptor, &mine) == 0 && mine.st_dev == there.st_dev
        && mine.st_ino == there.st_ino)
        return Name::Mine;
    // Some file systems draw the numbers of files anew.
    const auto found = ShipmentReader::open(m_path);
    if (found)
        return found->opening().owner.token == m_token ? Name::Mine : Name::Others;
    return found.error().kind == ErrorKind::System ? Name::Unknown : Name::Others;
}

Error ShipmentWriter::error(const char* what, int number) const
{
    Error error = about(m_path, systemError(what, number));
    if (number == EFBIG)
        error.kind = ErrorKind::NoSpace;
    return error;
}

} // namespace tasuki
