// SPDX-License-Identifier: GPL-3.0-or-later
#include "wholefile.h"

#include "recordmode.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tasuki {

namespace {

namespace fs = std::filesystem;

fs::path folderOf(const std::string& path)
{
    const fs::path folder = fs::path(path).parent_path();
    return folder.empty() ? fs::path(".") : folder;
}

/// Whether somebody else has put a link there, to have another file replaced.
bool isLinkOfAnother(const std::string& path)
{
    struct stat status {};
    return ::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode) && status.st_uid != 0
        && status.st_uid != ::geteuid();
}

/// @return the file that a chain of symbolic links ends at, so that the link stays; a link of another
///         user does not
std::string linkTarget(const std::string& path)
{
    if (isLinkOfAnother(path))
        return path;
    std::error_code error;
    const fs::path resolved = fs::weakly_canonical(path, error);
    return error ? path : resolved.string();
}

Error cannotWrite(const std::string& path) { return systemError("cannot write " + path, errno); }

} // namespace

Result<void> checkWritable(const std::string& path, const std::string& remedy)
{
    std::error_code error;
    if (path.empty())
        return Error{.kind = ErrorKind::Input, .message = "no name for a file to write"};
    if (fs::is_directory(path, error))
        return systemError("cannot write " + path, EISDIR);
    if (fs::exists(path, error) && !fs::is_regular_file(path, error))
        return Error{
            .kind = ErrorKind::Input, .message = path + " is no regular file", .remedy = remedy};
    if (::access(folderOf(linkTarget(path)).c_str(), W_OK | X_OK) != 0)
        return cannotWrite(path);
    return {};
}

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

WholeFile::WholeFile(std::string path, std::optional<mode_t> mode)
    : m_path(std::move(path)),
      m_final(linkTarget(m_path)),
      m_temporary(m_final + ".XXXXXX"),
      m_mode(mode),
      m_descriptor(::mkostemp(m_temporary.data(), O_CLOEXEC))
{}

WholeFile::~WholeFile()
{
    if (m_descriptor && !m_done)
        ::unlink(m_temporary.c_str());
}

Result<void> WholeFile::write(std::string_view bytes)
{
    if (!writeAll(m_descriptor.get(), bytes))
        return cannotWrite(m_path);
    return {};
}

Result<void> WholeFile::become()
{
    // As any new file of this user, or as the one that it replaces.
    struct stat old = {};
    const mode_t mask = ::umask(0);
    ::umask(mask);
    constexpr mode_t everybody = 0666;
    const bool own = ::lstat(m_final.c_str(), &old) == 0 && S_ISREG(old.st_mode)
        && !isOfStranger(old, m_final);
    const mode_t usual = own ? old.st_mode & 07777U : everybody & ~mask;
    if (::fchmod(m_descriptor.get(), m_mode.value_or(usual)) != 0
        || ::fsync(m_descriptor.get()) != 0 || ::rename(m_temporary.c_str(), m_final.c_str()) != 0)
        return cannotWrite(m_path);
    m_done = true;
    if (const UniqueFd folder(::open(folderOf(m_final).c_str(), O_RDONLY | O_CLOEXEC)); folder)
        ::fsync(folder.get());
    return {};
}

Result<void> writeWholeFile(const std::string& path, std::string_view content,
                            std::optional<mode_t> mode)
{
    if (Result<void> writable = checkWritable(path); !writable)
        return writable;
    WholeFile file(path, mode);
    if (file.descriptor() < 0)
        return cannotWrite(path);
    if (Result<void> written = file.write(content); !written)
        return written;
    return file.become();
}

} // namespace tasuki
