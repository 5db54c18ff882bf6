// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "process/processtable.h"

#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace tasuki::guardian {

/// When an attempt's first process ran. Times are ticks since boot.
struct AttemptSpan {
    AttemptKey key;
    std::uint64_t begin = 0;
    std::optional<std::uint64_t> end; ///< none: it runs
};

/// Attempts that a process can have come from: those that run and the latest that have ended.
class AttemptSpans {
public:
    void begin(AttemptKey key, std::uint64_t ticks);
    void end(AttemptKey key, std::uint64_t ticks);
    /// @return the only attempt that ran when a process began; nothing when several or none did
    [[nodiscard]] std::optional<AttemptKey> onlyOneAt(std::uint64_t ticks) const;

private:
    std::deque<AttemptSpan> m_running;
    std::deque<AttemptSpan> m_ended; ///< bounded: older ones are forgotten
};

/// Tells which processes came from one attempt. A process belongs to it when it shares a session or
/// process group with one that is known to, descends from one, has the attempt's marker in its
/// environment, or has no marker, no living parent but the guardian, and began when no other
/// attempt ran. Sessions are remembered from one look to the next.
class Lineage {
public:
    using MarkerReader = std::function<std::optional<ProcessMarker>(pid_t)>;

    /// @param first  the attempt's first process, which leads a session of its own
    Lineage(ProcessMarker marker, pid_t first);

    /// @param below     all descendants of the guardian
    /// @param guardian  its pid
    /// @return the living ones that belong to the attempt
    std::vector<ProcessEntry> members(std::span<const ProcessEntry> below, pid_t guardian,
                                      const AttemptSpans& spans, const MarkerReader& readMarker);

private:
    [[nodiscard]] bool sharesSession(const ProcessEntry& process) const;
    [[nodiscard]] bool markedOrAlone(const ProcessEntry& process, pid_t guardian,
                                     const AttemptSpans& spans,
                                     const MarkerReader& readMarker) const;

    ProcessMarker m_marker;
    std::set<pid_t> m_sessions; ///< sessions and process groups
};

} // namespace tasuki::guardian
