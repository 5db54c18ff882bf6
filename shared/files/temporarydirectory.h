// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <filesystem>
#include <string_view>
#include <utility>

namespace tasuki {

/// A directory of its owner alone (mode 0700) that goes, with all that is in it, when this object does.
class TemporaryDirectory {
public:
    /// Makes one with a name that is not in use.
    /// @param in      where; exists
    /// @param prefix  what its name begins with
    /// @return an Error of kind System that names `in`
    static Result<TemporaryDirectory> make(const std::filesystem::path& in,
                                           std::string_view prefix);
    /// The same where the system keeps temporary files.
    static Result<TemporaryDirectory> make(std::string_view prefix);

    TemporaryDirectory(TemporaryDirectory&& other) noexcept
        : m_path(std::exchange(other.m_path, {}))
    {}
    TemporaryDirectory& operator=(TemporaryDirectory&& other) noexcept
    {
        std::swap(m_path, other.m_path);
        return *this;
    }
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
    ~TemporaryDirectory();

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
    explicit TemporaryDirectory(std::filesystem::path path) : m_path(std::move(path)) {}
    std::filesystem::path m_path; ///< empty: moved from
};

} // namespace tasuki
