// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "record.h"

#include "domain/result.h"

#include <cstdint>
#include <span>
#include <string>

namespace tasuki::tracer {

/// Records that do not fit into memory: a file without a name, which is gone with its process
/// however that ends. Made by the first append().
class SpillFile {
public:
    /// @param directory  where there is room for it
    explicit SpillFile(std::string directory) : m_directory(std::move(directory)) {}
    ~SpillFile();
    SpillFile(const SpillFile&) = delete;
    SpillFile& operator=(const SpillFile&) = delete;

    /// After an error the file has what it had before.
    Result<void> append(std::span<const Record> records);
    /// @param first  number of a record
    /// @return how many were read; 0 after the last
    Result<std::size_t> read(std::uint64_t first, std::span<Record> into) const;
    [[nodiscard]] std::uint64_t size() const { return m_records; }

private:
    Result<void> open();

    std::string m_directory;
    int m_descriptor = -1;
    std::uint64_t m_records = 0;
};

} // namespace tasuki::tracer
