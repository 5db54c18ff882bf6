// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tasuki::testbed {

/// What a rank computes between its MPI calls, in nanoseconds of processor time: one number for each
/// time that it enters MPI. How long a processor takes for the same work differs from run to run,
/// with whatever else the machine does; who plays what was recorded before has the same work in
/// every run. Programs must make the same calls each time.
///
/// A file has a number a line.
class RecordedWork {
public:
    enum class Use : std::uint8_t { Record, Play };

    /// By the environment: $TASUKI_TESTBED_RECORD or $TASUKI_TESTBED_WORK names a directory, which
    /// gets or has a file for each rank. Ends the process where that cannot be read.
    /// @return null: neither is set
    static std::unique_ptr<RecordedWork> fromEnvironment();

    [[nodiscard]] Use use() const { return m_use; }

    /// Record: what was computed before the call that begins.
    void add(std::int64_t processorTime) { m_times.push_back(processorTime); }
    /// Play: the same from the file. Ends the process when the program makes other calls.
    std::int64_t next();

    /// Writes what was recorded; when playing, ends the process if something is left.
    void finish() const;

private:
    RecordedWork(Use use, std::string path) : m_use(use), m_path(std::move(path)) {}
    void read();

    Use m_use;
    std::string m_path;
    std::vector<std::int64_t> m_times;
    std::size_t m_position = 0;
};

} // namespace tasuki::testbed
