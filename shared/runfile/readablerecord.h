// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "database.h"
#include "domain/clock.h"
#include "domain/ids.h"
#include "domain/result.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace tasuki {

/// Of a record that cannot be read itself, because another host writes it: when what is seen was so.
struct RecordAge {
    WallTime asOf{};         ///< by the clock of the writer's host
    std::string writer = {}; ///< process and host, for people; empty: not known
    bool closed = false;     ///< the writer has ended in order: nothing is missing
};

/// A writer that lives is heard of within this: some of its beats, and what file systems keep of old answers.
inline constexpr std::chrono::seconds recordSilence{10};

/// The record of a run, to be read from wherever this process is:
///
///   under the name stands  | and                                  | what is read
///   -----------------------+--------------------------------------+-----------------------------------------
///   an SQLite file         | its file system is this host's alone | that, also while it is written
///   an SQLite file         | no log or lock lies beside it        | that, without locks: nobody writes it
///   an SQLite file         | one does                             | a copy of both
///   a shipment             | its live record is on this node      | the live record
///   a shipment             |                                      | a database that is made of it
class ReadableRecord {
public:
    /// Called between looks for a file that its writer is just replacing.
    using Pause = std::function<void()>;
    static constexpr int looksForReplaced = 25; ///< at most, after the first one
    static void pauseForReplaced();             ///< all of them take half a second

    /// @return an Error of kind Foreign, Damaged or System; none of them changes anything
    static Result<ReadableRecord> open(const std::filesystem::path& path,
                                       const Pause& pause = pauseForReplaced);

    ReadableRecord(ReadableRecord&&) noexcept;
    ReadableRecord& operator=(ReadableRecord&&) noexcept;
    ~ReadableRecord();

    /// Looks for what has come since. Nothing may be under way in the database.
    /// @return true: it is another database now, and statements of the old one are void
    Result<bool> refresh();
    [[nodiscard]] Database& database();
    [[nodiscard]] const RunId& run() const;
    /// @return none: it is the record itself that is read
    [[nodiscard]] std::optional<RecordAge> age() const;

private:
    class Impl;
    explicit ReadableRecord(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace tasuki
