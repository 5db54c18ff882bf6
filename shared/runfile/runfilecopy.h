// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/recordrows.h"
#include "domain/result.h"
#include "writertoken.h"

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace tasuki {

/// A run file that is kept like another one, row by row. Holds the right to write it as long as it
/// lives, as RunFileWriter does, who may go on with the file afterwards. Not thread-safe, but not
/// bound to the thread that made it.
class RunFileCopy {
public:
    /// Makes a run file without events that says of which one it is a copy.
    /// @return an Error of the kinds that RunFileWriter::create() gives
    static Result<RunFileCopy> create(const std::filesystem::path& path, const RunId& run,
                                      const RecordPlace& original);
    /// Opens one that is to have the rows of another one: a copy, or the original itself.
    /// @return an Error of the kinds that RunFileWriter::open() gives
    static Result<RunFileCopy> open(const std::filesystem::path& path);

    RunFileCopy(RunFileCopy&&) noexcept;
    RunFileCopy& operator=(RunFileCopy&&) noexcept;
    ~RunFileCopy();

    [[nodiscard]] const RunId& run() const;
    /// Of which file this one is a copy; none: of none.
    Result<std::optional<RecordPlace>> copyOf();
    [[nodiscard]] EventId lastEvent() const;
    /// Marks of the latest event and of ever earlier ones.
    Result<std::vector<RecordMark>> marks();

    /// Whose record it follows from now on: a writer with an earlier token that has the file, too, records nothing
    /// there any more. Until then it is the one that the file had when it was opened.
    /// @return an Error of kind InUse: the file has had a later one
    Result<void> follow(WriterToken token);

    /// Takes back all events after one: the other file has others in their place. All or nothing.
    Result<void> cutAfter(EventId last);
    /// Adds rows, of all of these or of none. When it returns they are on the disk.
    /// @param batches  each goes on where the one before ends, the first at lastEvent()
    /// @return an Error of kind Protocol for rows that do not follow or are malformed, or as
    ///         RunFileWriter::append() gives
    Result<void> append(std::span<const RecordRows> batches);

private:
    class Impl;
    explicit RunFileCopy(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace tasuki
