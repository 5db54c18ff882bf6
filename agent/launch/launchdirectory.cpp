// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchdirectory.h"

#include <cstdlib>
#include <string>
#include <system_error>

namespace tasuki {

namespace {

constexpr const char* namePrefix = "tasuki-launch-";

} // namespace

LaunchDirectory::LaunchDirectory(const std::filesystem::path& in)
{
    std::string path = (in / (std::string(namePrefix) + "XXXXXX")).native();
    if (::mkdtemp(path.data()) != nullptr)
        m_path = path;
}

LaunchDirectory::~LaunchDirectory()
{
    std::error_code ignored;
    if (!m_path.empty())
        std::filesystem::remove_all(m_path, ignored);
}

bool LaunchDirectory::isOne(const std::filesystem::path& path)
{
    return path.filename().native().starts_with(namePrefix);
}

} // namespace tasuki
