// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/event.h"
#include "domain/result.h"

#include <filesystem>
#include <memory>
#include <span>

namespace tasuki {

/// The one writer of a run file. Holds the right to write it (AgentLock) as long as it lives; its
/// destructor folds the write-ahead log into the file and removes the side files.
///
/// Not thread-safe, but not bound to the thread that made it.
class RunFileWriter {
public:
    /// Makes a new run file. It appears under its name complete or not at all.
    /// @return an Error of kind Input when something has that name already, InUse when another
    ///         agent is about to make it, NoSpace, System
    static Result<RunFileWriter> create(const std::filesystem::path& path, const RunId& run);

    /// Opens a run file to append to it, also one that a killed agent left behind.
    /// @return an Error of kind InUse, Foreign, Damaged (all leave the file as it is), NoSpace,
    ///         System. Damage inside shows when the events are replayed.
    static Result<RunFileWriter> open(const std::filesystem::path& path);

    RunFileWriter(RunFileWriter&&) noexcept;
    RunFileWriter& operator=(RunFileWriter&&) noexcept;
    ~RunFileWriter();

    /// Adds events, all or none. When it returns they are on the disk: not even a power cut
    /// takes them back. Blocks for the disk's synchronisation.
    ///
    /// @param events  ids greater than lastEvent(), ascending; epochs below 2^23, sequences
    ///                below 2^40, else an Error of kind Damaged
    /// @return after an Error of kind NoSpace or InUse (somebody's own SQL held the file for more
    ///         than 10 s) the writer can be used on: append the same events again later
    [[nodiscard]] Result<void> append(std::span<const Event> events);

    [[nodiscard]] const RunId& run() const;
    /// The latest event in the file; the default id when there is none.
    [[nodiscard]] EventId lastEvent() const;

private:
    class Impl;
    explicit RunFileWriter(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace tasuki
