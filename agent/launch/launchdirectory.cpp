// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchdirectory.h"

namespace tasuki {

namespace {

constexpr const char* namePrefix = "tasuki-launch-";

} // namespace

LaunchDirectory::LaunchDirectory(const std::filesystem::path& in)
    : m_directory(TemporaryDirectory::make(in, namePrefix))
{}

std::filesystem::path LaunchDirectory::path() const
{
    return m_directory ? m_directory->path() : std::filesystem::path();
}

bool LaunchDirectory::isOne(const std::filesystem::path& path)
{
    return path.filename().native().starts_with(namePrefix);
}

} // namespace tasuki
