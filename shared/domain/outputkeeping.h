// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attempt.h"
#include "phrase.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tasuki {

enum class StreamKind : std::uint8_t { Output, Error };

/// @return the name of the file that gets what a task writes to a stream, in a directory of users
std::string outputFileName(TaskId task, StreamKind stream);

/// What a life of a run keeps of what its tasks print. Where that is not the usual, a Notice behind
/// RunOpened says so, in words that programs understand, too.
struct OutputKeeping {
    static constexpr std::uint64_t usualBytes = 1U << 20U;

    std::uint64_t recordBytes = usualBytes; ///< that the record has of each stream of an attempt
    /// An absolute path: there, outputFileName() has all that a task prints. Empty: there are no files.
    std::string directory = {};
    bool operator==(const OutputKeeping&) const = default;

    /// @return what the record has of an attempt that has written so much
    [[nodiscard]] std::uint64_t keptOf(const AttemptResult& result) const;
};

/// @return the text of the Notice
Phrase outputNotice(const OutputKeeping& keeping);
/// @return none: the text of a Notice is about something else
std::optional<OutputKeeping> outputKeepingOf(std::string_view notice);

} // namespace tasuki
