// SPDX-License-Identifier: GPL-3.0-or-later
#include "owndirectories.h"

#include <cerrno>

#include <sys/stat.h>

namespace tasuki {

void makeOwnDirectories(const std::filesystem::path& path, std::error_code& error, mode_t mode)
{
    namespace fs = std::filesystem;
    error.clear();
    if (path.empty() || fs::is_directory(path, error))
        return;
    if (const fs::path above = path.parent_path(); above != path)
        makeOwnDirectories(above, error, mode);
    if (error)
        return;
    if (::mkdir(path.c_str(), ownersDirectoryMode) != 0) {
        if (errno != EEXIST)
            error.assign(errno, std::system_category());
        return;
    }
    if (mode != ownersDirectoryMode)
        static_cast<void>(::chmod(path.c_str(), mode));
}

} // namespace tasuki
