// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/recordrows.h"
#include "domain/result.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace tasuki {

/// Reads the rows of a run file for a copy of it, also while it is written. Changes nothing. Not
/// thread-safe, but not bound to the thread that made it.
class RowReader {
public:
    /// @return an Error of kind Foreign, Damaged or System
    static Result<RowReader> open(const std::filesystem::path& path);

    RowReader(RowReader&&) noexcept;
    RowReader& operator=(RowReader&&) noexcept;
    ~RowReader();

    /// The events that come next, with all that belongs to them, as of one moment.
    /// @param bytes  about how much is wanted; one event at least, if there is one
    /// @return none when the file has no later ones now
    Result<RecordRows> read(EventId after, std::size_t bytes);

    /// @return the first of these marks that the file has too
    Result<std::optional<RecordMark>> firstShared(std::span<const RecordMark> marks);
    /// @return the mark of the latest event; none when there is none
    Result<std::optional<RecordMark>> latest();

    [[nodiscard]] const RunId& run() const;
    /// Of which file this one is a copy; none: of none.
    Result<std::optional<RecordPlace>> copyOf();

private:
    class Impl;
    explicit RowReader(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace tasuki
