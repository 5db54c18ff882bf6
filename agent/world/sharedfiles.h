// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "files/uniquefd.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tasuki::world {

/// Memory that processes of one user on one host have in common: files without a name in any folder, which go with the last
/// process that has them open. The first one holds what all of them write, the others hold logs: the kernel lets one process at
/// a time write into a file, and ranks that write into their logs should not wait for one another.
class SharedFiles {
public:
    struct Sizes {
        std::uint64_t first = 0;  ///< bytes of the first file, whole pages and more than one
        std::uint32_t others = 0; ///< how many there are, not more than mostOthers
        std::uint64_t other = 0;  ///< bytes of each of them, whole pages
        bool operator==(const Sizes&) const = default;
    };
    static constexpr std::uint32_t mostOthers = 64;

    static Result<SharedFiles> create(const Sizes& sizes);
    /// @param path  of who has them open
    /// @return an Error that names the path; of kind Foreign for something else
    static Result<SharedFiles> open(const std::filesystem::path& path);

    SharedFiles(SharedFiles&& other) noexcept;
    SharedFiles& operator=(SharedFiles&& other) noexcept;
    SharedFiles(const SharedFiles&) = delete;
    SharedFiles& operator=(const SharedFiles&) = delete;
    ~SharedFiles();

    [[nodiscard]] const Sizes& sizes() const { return m_sizes; }
    /// Where other processes of the same user and host find them while this one lives.
    [[nodiscard]] std::string path() const;
    /// The memory of the first one. Zeroed at first, but for its first page, which belongs to this class.
    [[nodiscard]] std::byte* first() const { return m_memory; }
    /// The memory of another one. Zeroed at first.
    [[nodiscard]] std::byte* other(std::uint32_t number) const
    {
        return m_memory + m_sizes.first + number * m_sizes.other;
    }
    [[nodiscard]] int descriptor() const { return m_files.front().get(); }
    [[nodiscard]] int descriptorOf(std::uint32_t other) const { return m_files[other + 1].get(); }
    /// The number of the file, by which its descriptor is known.
    [[nodiscard]] std::uint64_t nodeOf(std::uint32_t other) const;

private:
    struct Head;

    SharedFiles(std::vector<UniqueFd> files, const Sizes& sizes)
        : m_files(std::move(files)), m_sizes(sizes)
    {}
    Result<void> map();
    [[nodiscard]] Head& head() const;

    std::vector<UniqueFd> m_files; ///< their numbers follow one another
    Sizes m_sizes;
    std::byte* m_memory = nullptr; ///< all of them, one behind another
};

/// What is there is something else.
Error foreignMemory(const std::filesystem::path& path);

} // namespace tasuki::world
