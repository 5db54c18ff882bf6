// SPDX-License-Identifier: GPL-3.0-or-later
#include "namelessfile.h"

#include <cerrno>
#include <cstdlib>

#include <fcntl.h>

namespace tasuki {

UniqueFd namelessFile(const std::string& directory)
{
    UniqueFd file(::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
    if (file || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
        return file;
    std::string name = directory
        + "/tasuki-XXXXXX"; // some file systems know no files without a name
    file.reset(::mkostemp(name.data(), O_CLOEXEC));
    if (file)
        ::unlink(name.c_str());
    return file;
}

} // namespace tasuki
