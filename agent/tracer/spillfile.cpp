// SPDX-License-Identifier: GPL-3.0-or-later
#include "spillfile.h"

#include "blockedsignals.h"
#include "systemcall.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace tasuki::tracer {

SpillFile::~SpillFile()
{
    if (m_descriptor >= 0)
        close(m_descriptor);
}

Result<void> SpillFile::open()
{
    m_descriptor = ::open(m_directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (m_descriptor < 0) {
        // Some file systems know no files without a name.
        std::string name = m_directory + "/tasuki-alog.XXXXXX";
        m_descriptor = mkostemp(name.data(), O_CLOEXEC);
        if (m_descriptor < 0)
            return failure("cannot make a file in '" + m_directory + "'", errno);
        unlink(name.c_str());
    }
    return {};
}

Result<void> SpillFile::append(std::span<const Record> records)
{
    if (m_descriptor < 0) {
        if (auto opened = open(); !opened)
            return opened;
    }
    const BlockedSignals blocked;
    const auto bytes = std::as_bytes(records);
    std::size_t done = 0;
    while (done < bytes.size()) {
        const auto offset = static_cast<off_t>(m_records * sizeof(Record) + done);
        const ssize_t written = pwrite(m_descriptor, bytes.data() + done, bytes.size() - done,
                                       offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            return failure("cannot write to a file in '" + m_directory + "'",
                           written < 0 ? errno : ENOSPC);
        }
        done += static_cast<std::size_t>(written);
    }
    m_records += records.size();
    return {};
}

Result<std::size_t> SpillFile::read(std::uint64_t first, std::span<Record> into) const
{
    const std::uint64_t left = m_records - std::min(first, m_records);
    const auto bytes = std::as_writable_bytes(
        into.first(static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), left))));
    std::size_t done = 0;
    while (done < bytes.size()) {
        const auto offset = static_cast<off_t>(first * sizeof(Record) + done);
        const ssize_t got = pread(m_descriptor, bytes.data() + done, bytes.size() - done, offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            return failure("cannot read back a file in '" + m_directory + "'",
                           got < 0 ? errno : EIO);
        }
        done += static_cast<std::size_t>(got);
    }
    return bytes.size() / sizeof(Record);
}

} // namespace tasuki::tracer
