// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "files/uniquefd.h"

#include "domain/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace tasuki {

/// A file that another host may be writing, as its file system has it when it is opened: networked ones look
/// anew then.
class FreshFile {
public:
    /// @return an Error of kind System
    static Result<FreshFile> open(const std::filesystem::path& path);

    [[nodiscard]] std::uint64_t size() const { return m_size; }
    /// Microseconds since 1970-01-01.
    [[nodiscard]] std::int64_t changedUs() const { return m_changedUs; }
    /// Lets this host forget what it keeps of the content, to read what others have written.
    void dropKept() const;
    /// Fills a buffer. @return how many bytes there were
    [[nodiscard]] std::size_t read(std::uint64_t offset, char* to, std::size_t bytes) const;

    /// Tells two files under one name apart.
    struct Identity {
        std::uint64_t device = 0;
        std::uint64_t inode = 0;
        bool operator==(const Identity&) const = default;
    };
    [[nodiscard]] Identity identity() const { return m_identity; }

private:
    explicit FreshFile(UniqueFd descriptor) : m_descriptor(std::move(descriptor)) {}

    UniqueFd m_descriptor;
    std::uint64_t m_size = 0;
    std::int64_t m_changedUs = 0;
    Identity m_identity;
};

/// @return what stands under a name, told without opening it; none: nothing, or errno says why not
std::optional<FreshFile::Identity> identityUnder(const std::filesystem::path& path);

/// @return what a small file has now
Result<std::string> freshText(const std::filesystem::path& path, std::size_t mostBytes);

/// Makes the name of a file as durable as its content, where the file system can.
void syncFolderOf(const std::filesystem::path& file);

} // namespace tasuki
