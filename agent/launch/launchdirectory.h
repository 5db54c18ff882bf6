// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "files/temporarydirectory.h"
#include "files/uniquefd.h"

#include <filesystem>

namespace tasuki {

/// A directory of this user alone for what Open MPI keeps of a launch on this host: segments of shared memory
/// and mpirun's session directory. Their usual names in public places are known beforehand, and Open MPI
/// opens whatever stands there: who takes them gets the memory over which ranks talk, or keeps runs from
/// beginning. Gone with this object, with all that is in it.
class LaunchDirectory {
public:
    /// Removes those of this user that nobody uses any more, as all of a launch was killed at once.
    /// @param in  where there is memory for segments
    explicit LaunchDirectory(const std::filesystem::path& in = "/dev/shm");

    /// Empty: none could be made.
    [[nodiscard]] std::filesystem::path path() const;

    /// Whether a directory is one by its name.
    [[nodiscard]] static bool isOne(const std::filesystem::path& path);

private:
    Result<TemporaryDirectory> m_directory;
    UniqueFd m_use; ///< open and locked; the processes that this one starts have it, too
};

} // namespace tasuki
