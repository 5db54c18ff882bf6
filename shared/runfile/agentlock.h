// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <filesystem>
#include <optional>
#include <string>

namespace tasuki {

/// Keeps two agents from writing a run file by accident, as long as the object lives. That they do not is not its
/// affair but that of WriterToken: the lock file may be deleted.
///
/// An flock() on a file beside the run file, which says who holds it. The system frees the lock
/// when the process ends in whatever way, so a file that was left behind is no obstacle. A child
/// that is forked without exec holds the lock too, as long as it lives.
class AgentLock {
public:
    /// @param runFile  path of the run file, which need not exist; the lock is "RUNFILE.lock"
    /// @return an Error of kind InUse that names the holder when another has it, or says that the lock file is
    ///         another user's
    static Result<AgentLock> acquire(const std::filesystem::path& runFile);

    /// The same, in the place of a holder that may write no more: it keeps a lock that nobody looks at. Without
    /// a lock where another user has taken its name.
    static Result<AgentLock> seize(const std::filesystem::path& runFile);

    /// @return who holds the lock now, for people; none: nobody, or it cannot be told
    static std::optional<std::string> holder(const std::filesystem::path& runFile);

    AgentLock(AgentLock&& other) noexcept;
    AgentLock& operator=(AgentLock&& other) noexcept;
    AgentLock(const AgentLock&) = delete;
    AgentLock& operator=(const AgentLock&) = delete;
    ~AgentLock();

private:
    AgentLock(int descriptor, std::filesystem::path path);
    void release();

    int m_descriptor = -1;
    std::filesystem::path m_path;
};

} // namespace tasuki
