// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/event.h"
#include "domain/result.h"
#include "ownerwaiting.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

namespace tasuki {

/// The one writer of a run file, wherever its record lies (RecordLay). Holds the right to write it as long
/// as it lives; its destructor does what close() does.
///
/// Looks every two seconds, on a thread of its own, whether its file is still under its name. When that was
/// deleted or replaced the record goes on, whole, in another file: see trouble().
///
/// Not thread-safe but for trouble(), and not bound to the thread that made it.
class RunFileWriter {
public:
    /// Makes a new run file. It appears under its name complete or not at all.
    /// @return an Error of kind Input when something has that name already, InUse when another
    ///         agent is about to make it, NoSpace, System
    static Result<RunFileWriter> create(const std::filesystem::path& path, const RunId& run);

    /// Opens a run file to append to it, also one that a killed agent left behind.
    /// @return an Error of kind InUse, Foreign, Damaged (all leave the file as it is), NoSpace,
    ///         System. Damage inside shows when the events are replayed.
    ///
    /// @param patience  how long an owner of the record on another host must be silent to count as dead
    static Result<RunFileWriter> open(const std::filesystem::path& path,
                                      std::chrono::milliseconds patience = ownerPatience,
                                      const OwnerWaiting& waiting = {});

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

    /// What has become of the run file that it is not the whole record under its name, for people; from
    /// any thread.
    struct Trouble {
        std::string words;
        bool fatal = false; ///< nothing can be recorded any more: another agent does by now
    };
    [[nodiscard]] std::optional<Trouble> trouble() const;

    /// Folds the write-ahead log into the file and removes the side files; of a record that lies elsewhere,
    /// puts it under its name. Nothing can be appended afterwards.
    /// @return an Error: what is under the name has everything, but is no SQLite file yet
    Result<void> close();

    [[nodiscard]] const RunId& run() const;
    /// The latest event in the file; the default id when there is none.
    [[nodiscard]] EventId lastEvent() const;

private:
    class Impl;
    explicit RunFileWriter(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace tasuki
