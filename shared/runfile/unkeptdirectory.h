// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "files/uniquefd.h"

#include <filesystem>
#include <utility>

namespace tasuki {

/// The directory on this host of a run of which no record is kept, held by each of its processes here: docs/record.md,
/// "A run without a record". The last one that lets go of it removes it with all that is in it; one that is killed
/// leaves that to the others, or to removeLeft().
class UnkeptDirectory {
public:
    /// Makes one with a name that is not in use, where live records of this node lie, and removes those that are left.
    static Result<UnkeptDirectory> make();
    /// Holds the one of a run, which is made here unless it is there.
    /// @param path  as make() had it, perhaps on another host
    /// @return an Error: it cannot be here, where it is on the host that made it
    static Result<UnkeptDirectory> join(const std::filesystem::path& path);
    /// Removes those of this user on this node that no process holds.
    static void removeLeft();

    UnkeptDirectory(UnkeptDirectory&& other) noexcept = default;
    UnkeptDirectory& operator=(UnkeptDirectory&& other) noexcept
    {
        std::swap(m_path, other.m_path);
        std::swap(m_use, other.m_use);
        return *this;
    }
    UnkeptDirectory(const UnkeptDirectory&) = delete;
    UnkeptDirectory& operator=(const UnkeptDirectory&) = delete;
    /// Lets go of it. Nothing in it may be open any more.
    ~UnkeptDirectory();

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
    UnkeptDirectory(std::filesystem::path path, UniqueFd use)
        : m_path(std::move(path)), m_use(std::move(use))
    {}
    static Result<UnkeptDirectory> held(const std::filesystem::path& path);

    std::filesystem::path m_path;
    UniqueFd m_use; ///< has the shared lock; none: moved from
};

} // namespace tasuki
