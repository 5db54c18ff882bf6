// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "wire/accessfile.h"

#include <filesystem>
#include <memory>

namespace tasuki::relay {

/// Answers over the link as an agent does, from the record of a run that none works on: its events, outputs and tasks.
/// Commands are refused. Its access file and socket are in a directory of its own, which goes with it.
class RecordServer {
public:
    /// @param record  a run file
    /// @return an Error for one that cannot be read, and where no socket can be made
    static Result<std::unique_ptr<RecordServer>> start(const std::filesystem::path& record);

    RecordServer(const RecordServer&) = delete;
    RecordServer& operator=(const RecordServer&) = delete;
    ~RecordServer();

    [[nodiscard]] const link::AccessFile& access() const;
    /// Tells of events that somebody has added to the record. To be called every now and then.
    /// @return an Error when it cannot be read any more
    Result<void> renew();

private:
    class Impl;
    explicit RecordServer(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace tasuki::relay
