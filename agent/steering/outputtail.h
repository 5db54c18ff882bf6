// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/command.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace tasuki::steering {

/// What is new in the output of an attempt.
struct TailText {
    std::string standardOutput;
    std::string standardError;
    std::uint64_t missing = 0; ///< bytes that are not kept any more
};

/// Follows what one attempt writes: asks for the next stretch, begins with the last lines. Pure logic.
class OutputTail {
public:
    /// @param lines  of each stream that are shown of what was written before; none: all
    OutputTail(AttemptKey key, std::optional<std::size_t> lines);
    /// What was shown before is not shown again: all that comes behind these places is.
    OutputTail(AttemptKey key, std::uint64_t outputFrom, std::uint64_t errorFrom);

    /// What to ask next.
    [[nodiscard]] OutputQuery query() const;
    /// Takes the answer to query().
    TailText take(OutputAnswer answer);
    /// All that will ever be known was given: the attempt does not run, and its streams are at their end.
    [[nodiscard]] bool atEnd() const { return m_atEnd; }
    /// The last answer brought nothing new: the next question may wait.
    [[nodiscard]] bool idle() const { return m_idle; }
    /// Whether the last answer was one: for a moment nobody has it, after its end and before it is in the record.
    [[nodiscard]] bool known() const { return m_known; }
    [[nodiscard]] AttemptKey key() const { return m_key; }

private:
    struct Stream {
        std::uint64_t from = 0;           ///< what is asked for next
        std::optional<std::size_t> lines; ///< of the begin; none: it has begun, or all is wanted
        std::string held;                 ///< of the begin, until its end was seen
        std::string take(OutputPiece piece, std::uint64_t& missing);
        [[nodiscard]] std::string lastLines();
    };

    AttemptKey m_key;
    Stream m_output;
    Stream m_error;
    bool m_atEnd = false;
    bool m_idle = false;
    bool m_known = false;
};

} // namespace tasuki::steering
