// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/randomhistory.h"

#include "domain/event.h"
#include "runfile/runfilewriter.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tasuki::testing {

/// A directory that is removed with everything in it.
class ScratchDirectory {
public:
    ScratchDirectory();
    ScratchDirectory(const ScratchDirectory&) = delete;
    ScratchDirectory& operator=(const ScratchDirectory&) = delete;
    ~ScratchDirectory();
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

/// A run file that grows by random events.
class TestRun {
public:
    using Batch = std::shared_ptr<const std::vector<Event>>;

    explicit TestRun(std::uint32_t seed);

    /// Commits the next events. @return them
    Batch commit(std::size_t count);
    /// Commits ends of attempts of `count` new tasks, each with so much output.
    Batch commitAttempts(std::uint32_t count, std::size_t outputBytes);
    Batch commit(std::vector<Event> events);

    [[nodiscard]] const RunId& id() const { return m_id; }
    [[nodiscard]] const std::filesystem::path& file() const { return m_file; }
    [[nodiscard]] const std::filesystem::path& directory() const { return m_directory.path(); }
    /// Everything in the run file, read from there, without what attempts wrote.
    [[nodiscard]] std::vector<Event> recorded() const;
    [[nodiscard]] EventId last() const { return m_writer->lastEvent(); }

private:
    ScratchDirectory m_directory;
    std::filesystem::path m_file;
    RunId m_id = RunId::random();
    std::optional<RunFileWriter> m_writer;
    RandomHistory m_history;
    std::uint32_t m_tasks = 0;
};

} // namespace tasuki::testing
