// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/event.h"
#include "domain/recordrows.h"
#include "domain/result.h"
#include "readablerecord.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

namespace tasuki {

/// Reads a run file, also while an agent writes it and after one was killed, on whatever host that was:
/// see ReadableRecord. Each call sees what has come since the one before.
///
/// Changes no event. It may fold the log of a killed agent into the file when it is the last to
/// close it. Not thread-safe, but not bound to the thread that made it.
class RunFileReader {
public:
    /// Whether attempts are read with what they wrote; Totals: with how much it was alone. RunState
    /// needs neither.
    enum class Outputs : std::uint8_t { Skip, Totals, Include };
    /// Takes an event; an Error ends the replay.
    using Take = std::function<Result<void>(Event)>;

    /// @return an Error of kind Foreign, Damaged or System; none of them changes the file
    static Result<RunFileReader> open(const std::filesystem::path& path);

    RunFileReader(RunFileReader&&) noexcept;
    RunFileReader& operator=(RunFileReader&&) noexcept;
    ~RunFileReader();

    /// Gives all events after an id, in their order, as of one moment: events that are appended
    /// meanwhile are for the next replay. Streams: keeps no event. Must not be called from `take`,
    /// and neither must the other functions.
    /// @return an Error of kind Damaged when the file is, or what `take` returned
    Result<void> replay(const Take& take, EventId after = {}, Outputs outputs = Outputs::Include);

    /// The result of an attempt, with its output; none when the file has none. Reads all events:
    /// about 0.1 s for a million.
    Result<std::optional<AttemptResult>> attempt(AttemptKey key);

    /// The latest event at this moment; the default id when there is none.
    Result<EventId> lastEvent();

    [[nodiscard]] const RunId& run() const;
    /// When what was read by the latest call was so; none: it is the record itself that is read.
    [[nodiscard]] std::optional<RecordAge> age() const;
    /// Of which file this one is a copy; none: of none.
    Result<std::optional<RecordPlace>> copyOf();

private:
    class Impl;
    explicit RunFileReader(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace tasuki
