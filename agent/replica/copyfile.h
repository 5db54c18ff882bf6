// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ports.h"

#include "recorder/filejobs.h"
#include "runfile/runfilecopy.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tasuki {

/// Where a processor keeps a copy of a run's record when it cannot be under the original's path:
/// $XDG_STATE_HOME/tasuki/copies, else ~/.local/state/tasuki/copies. Need not exist.
std::filesystem::path copiesDirectory();
/// The path of a copy there. Homes may be shared by hosts that share nothing else.
std::filesystem::path copyInState(const RunId& run, const std::string& host);

/// Keeps a copy of a run's record in a run file, on a thread of its own:
///
///   under the original's path | is where the copy lies
///   --------------------------+---------------------------------------------------
///   the original itself       | there
///   a copy of this run        | there
///   nothing                   | there, if a file can be made; else in copiesDirectory()
///   anything else             | in copiesDirectory()
class CopyFile final : public replica::CopyStore {
public:
    struct Setup {
        std::string host; ///< of this processor
        Epoch epoch;      ///< of the launch: files that have later ones are not touched
        bool seesOriginal = false;
        /// In place of copiesDirectory(); then it must exist. Empty: that.
        std::filesystem::path directory = {};
    };

    /// @param post  runs a function on the reactor's thread, from any thread
    CopyFile(Setup setup, std::function<void(std::function<void()>)> post);
    ~CopyFile() override;

    void open(const RunId& run, const RecordPlace& original, Term term,
              std::function<void(Result<Opened>)> opened) override;
    void cutAfter(EventId last, Done done) override;
    void append(RecordRows rows, Done done) override;
    void close(bool discard) override;

private:
    using Waiting = std::vector<std::pair<RecordRows, Done>>;

    // On the file thread.
    Result<Opened> openSome(const RunId& run, const RecordPlace& original, WriterToken token);
    Result<Opened> openUnder(const std::filesystem::path& path, const RunId& run,
                             const RecordPlace& original, WriterToken token);
    Result<Opened> taken(RunFileCopy file, const std::filesystem::path& path, bool isOriginal);
    std::function<void()> storeWaiting(std::uint64_t opening);

    const Setup m_setup;
    std::atomic<std::uint64_t> m_opening = 0; ///< one more with each open() and close()
    std::mutex m_mutex;
    Waiting m_waiting; ///< guarded by m_mutex

    std::optional<RunFileCopy> m_file; ///< file thread
    std::filesystem::path m_path;      ///< file thread
    bool m_isCopy = false;             ///< file thread
    FileJobs m_jobs;                   ///< the last one: its thread uses the others
};

} // namespace tasuki
