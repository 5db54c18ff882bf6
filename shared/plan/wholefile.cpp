// SPDX-License-Identifier: GPL-3.0-or-later
#include "wholefile.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tasuki::plan {

namespace {

namespace fs = std::filesystem;

fs::path folderOf(const std::string& path)
{
    const fs::path folder = fs::path(path).parent_path();
    return folder.empty() ? fs::path(".") : folder;
}

/// @return the file that a chain of symbolic links ends at, so that the link stays
std::string linkTarget(const std::string& path)
{
    std::error_code error;
    const fs::path resolved = fs::weakly_canonical(path, error);
    return error ? path : resolved.string();
}

/// A file beside the one that it is to become; gone unless it becomes it.
class FileInTheMaking {
public:
    explicit FileInTheMaking(std::string path)
        : m_final(std::move(path)),
          m_temporary(m_final + ".XXXXXX"),
          m_descriptor(::mkostemp(m_temporary.data(), O_CLOEXEC))
    {}
    FileInTheMaking(const FileInTheMaking&) = delete;
    FileInTheMaking& operator=(const FileInTheMaking&) = delete;
    ~FileInTheMaking()
    {
        if (m_descriptor < 0)
            return;
        ::close(m_descriptor);
        if (!m_done)
            ::unlink(m_temporary.c_str());
    }

    /// @return whether it worked; errno says why not, also in become()
    [[nodiscard]] bool write(std::string_view bytes) const
    {
        while (m_descriptor >= 0 && !bytes.empty()) {
            const ssize_t count = ::write(m_descriptor, bytes.data(), bytes.size());
            if (count < 0 && errno != EINTR)
                return false;
            bytes.remove_prefix(static_cast<std::size_t>(count < 0 ? 0 : count));
        }
        return m_descriptor >= 0;
    }

    [[nodiscard]] bool become()
    {
        // As any new file of this user, or as the one that it replaces.
        struct stat old = {};
        const mode_t mask = ::umask(0);
        ::umask(mask);
        constexpr mode_t everybody = 0666;
        const mode_t mode = ::stat(m_final.c_str(), &old) == 0 ? old.st_mode & 07777U
                                                               : everybody & ~mask;
        m_done = ::fchmod(m_descriptor, mode) == 0 && ::fsync(m_descriptor) == 0
            && ::rename(m_temporary.c_str(), m_final.c_str()) == 0;
        if (!m_done)
            return false;
        const int folder = ::open(folderOf(m_final).c_str(), O_RDONLY | O_CLOEXEC);
        if (folder >= 0) {
            ::fsync(folder);
            ::close(folder);
        }
        return true;
    }

private:
    std::string m_final;
    std::string m_temporary;
    int m_descriptor;
    bool m_done = false;
};

} // namespace

Result<void> checkWritable(const std::string& path)
{
    std::error_code error;
    const std::string what = "cannot write " + path;
    if (path.empty())
        return Error{.kind = ErrorKind::Input, .message = "no name for a file to write"};
    if (fs::is_directory(path, error))
        return systemError(what, EISDIR);
    if (fs::exists(path, error) && !fs::is_regular_file(path, error))
        return Error{.kind = ErrorKind::Input,
                     .message = path + " is no regular file",
                     .remedy = "name a file"};
    if (::access(folderOf(linkTarget(path)).c_str(), W_OK | X_OK) != 0)
        return systemError(what, errno);
    return {};
}

Result<void> writeWholeFile(const std::string& path, std::string_view content)
{
    if (Result<void> writable = checkWritable(path); !writable)
        return writable;
    FileInTheMaking file(linkTarget(path));
    if (!file.write(content) || !file.become())
        return systemError("cannot write " + path, errno);
    return {};
}

} // namespace tasuki::plan
