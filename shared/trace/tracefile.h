// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "alogreader.h"
#include "domain/result.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

namespace tasuki::trace {

/// How far the reading or writing of a file has got.
struct FileProgress {
    std::uint64_t bytes = 0;
    std::uint64_t total = 0; ///< 0: not known
};

/// What somebody who waits for a file wants. Called and asked once a block, in the caller's thread.
struct FileWatch {
    std::function<void(const FileProgress&)> progress = {}; ///< may be empty
    std::stop_token stop = {};
};

/// Reads a log in blocks. If its headers come late and it can be read twice, it is.
/// @param path  of a file or FIFO
/// @return an Error when it cannot be read, or the stop token asked to stop
Result<TraceReading> readTraceFile(const std::string& path, const FileWatch& watch = {},
                                   const AlogLimits& limits = {});

/// Tells logs from other files by their first lines, whatever the file is called: most of them are
/// lines of a log.
/// @return false also when it is no file, or cannot be read
bool looksLikeTrace(const std::string& path);

/// Writes a trace as ALOG log. The file appears whole and on the disk, or not at all: what stood there
/// before stays until then.
/// @return an Error also when the stop token asked to stop
Result<void> writeTraceFile(const std::string& path, const Trace& trace,
                            const FileWatch& watch = {});

} // namespace tasuki::trace
