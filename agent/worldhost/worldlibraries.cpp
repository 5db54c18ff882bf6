// SPDX-License-Identifier: GPL-3.0-or-later
#include "worldlibraries.h"

#include <array>
#include <filesystem>

namespace tasuki::worldhost {

namespace {

std::string libraryOfThisProgram(const std::string& name)
{
    std::error_code error;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
    const std::filesystem::path place = self.parent_path().parent_path();
    const std::filesystem::path installed = place / TASUKI_LIBRARY_DIRECTORY / "tasuki" / name;
    const std::array others{place / "lib" / "tasuki" / name, place / "lib64" / "tasuki" / name,
                            place / "lib" / name}; // the last one: where it is built
    for (const std::filesystem::path& path : others) {
        if (!std::filesystem::exists(installed, error) && std::filesystem::exists(path, error))
            return path.string();
    }
    return installed.string();
}

} // namespace

std::string worldLibrary() { return libraryOfThisProgram("libtasuki-world.so"); }
std::string tracerLibrary() { return libraryOfThisProgram("libtasuki-alog.so"); }

} // namespace tasuki::worldhost
