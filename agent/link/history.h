// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/command.h"
#include "domain/result.h"
#include "runfile/recordedoutput.h"
#include "runfile/runfilereader.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>

namespace tasuki::link {

/// The run file as windows are served from it. Link's thread only.
class History {
public:
    static Result<History> open(const std::filesystem::path& runFile);

    [[nodiscard]] const RunId& run() const { return m_reader.run(); }
    [[nodiscard]] Result<EventId> last() { return m_reader.lastEvent(); }
    /// @return whether the run has such an event
    [[nodiscard]] Result<bool> contains(EventId id);

    /// A frame with the events that come next.
    struct Chunk {
        std::string frame;
        EventId last; ///< of the events in it
    };
    /// @param upTo   later events are left out
    /// @param bytes  about the size of the frame
    /// @return an Error also when there is no event, though `upTo` says that there is
    [[nodiscard]] Result<Chunk> after(EventId id, EventId upTo, std::size_t bytes);

    /// What an attempt that has ended wrote; `known` tells whether there is one.
    [[nodiscard]] Result<OutputAnswer> output(const OutputQuery& query);

private:
    explicit History(RunFileReader reader) : m_reader(std::move(reader)) {}
    RunFileReader m_reader;
};

} // namespace tasuki::link
