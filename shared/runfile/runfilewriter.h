// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/event.h"
#include "domain/result.h"
#include "ownerwaiting.h"
#include "writertoken.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

namespace tasuki {

struct OpenedRecord;

/// The one writer of a run file, wherever its record lies (RecordLay). Holds the right to write it as long
/// as it lives; its destructor does what close() does.
///
/// Looks every two seconds, on a thread of its own, whether its file is still under its name. When that was
/// deleted or replaced the record goes on, whole, in another file: see trouble().
///
/// Each opening raises the record's WriterToken; a writer whose token is not the newest any more records nothing, and
/// trouble() is fatal. The lock beside the file only spares people an accident: nothing depends on it.
///
/// Not thread-safe but for trouble() and revoke(), and not bound to the thread that made it.
class RunFileWriter {
public:
    /// Makes a new run file. It appears under its name complete or not at all.
    /// @return an Error of kind Input when something has that name already, InUse when another
    ///         agent is about to make it, NoSpace, System
    static Result<RunFileWriter> create(const std::filesystem::path& path, const RunId& run);

    /// Opens a run file to append to it in its next epoch, also one that a killed agent left behind.
    /// @return an Error of kind InUse, Foreign, Damaged (all leave the file as it is), NoSpace,
    ///         System. Damage inside shows when the events are replayed.
    ///
    /// @param patience  how long an owner of the record on another host must be silent to count as dead
    static Result<RunFileWriter> open(const std::filesystem::path& path,
                                      std::chrono::milliseconds patience = ownerPatience,
                                      const OwnerWaiting& waiting = {});

    /// Opens a run file to go on with its epoch in the place of another writer.
    /// @return an Error of the kinds that open() gives; Foreign, too: of another run, or resumed by somebody
    ///         in a later epoch; then nothing is changed
    struct Successor {
        RunId run;
        Epoch epoch;
        /// The former writer may write no more (its seat is given on, its leases are over) and is not waited
        /// for, whatever it still holds: it tells nobody of what it writes from now on, and finds that out by
        /// itself. Else InUse while it has the file.
        bool breaks = false;
    };
    static Result<RunFileWriter> succeed(const std::filesystem::path& path,
                                         const Successor& successor);

    RunFileWriter(RunFileWriter&&) noexcept;
    RunFileWriter& operator=(RunFileWriter&&) noexcept;
    ~RunFileWriter();

    /// Adds events, all or none. When it returns they are on the disk: not even a power cut
    /// takes them back, and whoever succeeds this writer has them. Blocks for the disk's synchronisation.
    ///
    /// @param events  ids greater than lastEvent(), ascending; epochs below 2^23, sequences
    ///                below 2^40, else an Error of kind Damaged
    /// @return an Error for good when this writer has been succeeded, see trouble(), or revoked: nobody may be
    ///         told of the events, which may be in the file or not.
    ///         After an Error of kind NoSpace or InUse (somebody's own SQL held the file for more
    ///         than 10 s) the writer can be used on: append the same events again later
    [[nodiscard]] Result<void> append(std::span<const Event> events);

    /// What has become of the run file that it is not the whole record under its name, for people; from
    /// any thread.
    struct Trouble {
        std::string words;
        bool fatal = false; ///< nothing can be recorded any more: another agent does by now
        /// That one goes on with the same epoch: another processor of the same launch.
        bool succeeded = false;
    };
    [[nodiscard]] std::optional<Trouble> trouble() const;

    /// Folds the write-ahead log into the file and removes the side files; of a record that lies elsewhere,
    /// puts it under its name. Nothing can be appended afterwards.
    /// @return an Error: what is under the name has everything, but is no SQLite file yet
    Result<void> close();

    /// From now on nothing is recorded: a transaction that is not committed yet is taken back, and append()
    /// fails. Returns at once; from any thread.
    void revoke();
    /// revoke(), and lets go of the file and of all rights to it when what is under way has ended. It stays as
    /// after a kill: complete, to be opened by whoever goes on with it. Instead of close().
    void drop();

    [[nodiscard]] const RunId& run() const;
    [[nodiscard]] WriterToken token() const;
    /// The latest event in the file; the default id when there is none.
    [[nodiscard]] EventId lastEvent() const;

private:
    class Impl;
    static Result<RunFileWriter> of(Result<OpenedRecord> record);
    explicit RunFileWriter(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace tasuki
