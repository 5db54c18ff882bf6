// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ports.h"

#include "recorder/filejobs.h"
#include "runfile/rowreader.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

namespace tasuki {

/// Reads the rows of a run file that is being written, on a thread of its own.
class RecordRowSource final : public replica::RowSource {
public:
    /// @param post  runs a function on the reactor's thread, from any thread
    RecordRowSource(std::filesystem::path file, std::function<void(std::function<void()>)> post);

    void read(EventId after, std::size_t bytes, Rows taken) override;
    void firstShared(std::vector<RecordMark> marks, Shared taken) override;

private:
    Result<RowReader*> reader(); ///< file thread

    const std::filesystem::path m_path;
    std::optional<RowReader> m_reader; ///< file thread
    FileJobs m_jobs;                   ///< the last one: its thread uses the others
};

} // namespace tasuki
