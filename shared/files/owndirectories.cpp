// SPDX-License-Identifier: GPL-3.0-or-later
#include "owndirectories.h"

#include <cerrno>

#include <sys/stat.h>

namespace tasuki {

void makeOwnDirectories(const std::filesystem::path& path, std::error_code& error)
{
    namespace fs = std::filesystem;
    constexpr mode_t ownersAlone = 0700;
    error.clear();
    if (path.empty() || fs::is_directory(path, error))
        return;
    if (const fs::path above = path.parent_path(); above != path)
        makeOwnDirectories(above, error);
    if (!error && ::mkdir(path.c_str(), ownersAlone) != 0 && errno != EEXIST)
        error.assign(errno, std::system_category());
}

} // namespace tasuki
