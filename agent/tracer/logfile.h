// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <string>
#include <string_view>

namespace tasuki::tracer {

/// A file that has its name only when it is whole: until then it stands beside, and is gone when it is
/// given up. What is no ordinary file, such as a pipe, is written to as it is.
class LogFile {
public:
    /// @param path  what was there is replaced in the end; a symbolic link stays one
    static Result<LogFile> create(const std::string& path);
    /// @return whether create() would succeed now; leaves nothing behind
    static Result<void> probe(const std::string& path);

    /// The file of an earlier run gets another name, so that nobody takes it for that of this run.
    /// @param path  a symbolic link stays one
    /// @return its new name; empty when there is none
    static Result<std::string> putAside(const std::string& path);
    /// @return where a symbolic link leads to; the path itself where there is nothing yet
    static std::string followed(const std::string& path);

    LogFile(LogFile&& other) noexcept;
    LogFile& operator=(LogFile&&) = delete;
    ~LogFile();

    Result<void> write(std::string_view text);
    /// Closes the file and gives it its name.
    Result<void> finish();

private:
    LogFile(std::string path, std::string beside, int descriptor);

    std::string m_path;
    std::string m_beside; ///< empty: m_path itself is written
    int m_descriptor = -1;
};

} // namespace tasuki::tracer
