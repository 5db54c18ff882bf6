// SPDX-License-Identifier: GPL-3.0-or-later
#include "temporarydirectory.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

namespace tasuki {

namespace fs = std::filesystem;

Result<TemporaryDirectory> TemporaryDirectory::make(const fs::path& in, std::string_view prefix)
{
    std::string name = (in / (std::string(prefix) + "XXXXXX")).native();
    if (::mkdtemp(name.data()) != nullptr)
        return TemporaryDirectory(name);
    return about(in, systemError("no temporary directory can be made", errno));
}

Result<TemporaryDirectory> TemporaryDirectory::make(std::string_view prefix)
{
    std::error_code error;
    const fs::path in = fs::temp_directory_path(error);
    if (error)
        return systemError("there is no directory for temporary files", error.value());
    return make(in, prefix);
}

TemporaryDirectory::~TemporaryDirectory()
{
    std::error_code ignored;
    if (!m_path.empty())
        fs::remove_all(m_path, ignored);
}

} // namespace tasuki
