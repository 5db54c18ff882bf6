// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "takenreports.h"

#include "domain/event.h"
#include "domain/ids.h"
#include "domain/result.h"
#include "domain/runstate.h"
#include "recorder/journal.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tasuki::farm {

/// The record contradicts itself, or the state that was made of it: nothing that follows could be
/// trusted. Says so and ends the process, in every build; the processor that takes over reads the
/// record anew.
[[noreturn]] void endForRecord(std::string_view contradiction);

/// A master's side of the record: what it has given to the journal, what of that is recorded and what it
/// means, and which reports can be noted for it.
class RecordDesk {
public:
    /// @param state    what the record says so far
    /// @param journal  outlives this object, as state does
    RecordDesk(RunState& state, Journal& journal);

    EventId append(EventPayload payload);
    /// What this life of the run begins with.
    void open(std::vector<EventPayload> opening);
    /// A report was taken: it can be noted when the record has all that has been appended until
    /// now.
    void take(const TakenReport& report) { m_taken.add(m_lastAppended, report); }
    /// @return what can be noted, and could not be at the last call
    std::vector<TakenReport> takeNoted() { return m_taken.recordedBy(m_lastRecorded); }

    /// An event is in the record: it takes effect. One that cannot ends the process.
    void committed(const Event& event);
    /// The record cannot be written.
    void stalled(const Error& error) { m_stalled = error.text(); }
    /// It can again. @return why it could not be
    std::string resumed();

    [[nodiscard]] const RunState& state() const { return m_state; }
    /// Whether the record was of this epoch from the beginning: another master has written it.
    [[nodiscard]] bool goesOn() const { return m_goesOn; }
    [[nodiscard]] bool isOpen() const { return m_open; } ///< the opening is recorded
    [[nodiscard]] bool isStalled() const { return m_stalled.has_value(); }

private:
    RunState& m_state;
    Journal& m_journal;
    TakenReports m_taken;
    bool m_goesOn;
    EventId m_lastAppended;
    EventId m_lastRecorded;
    EventId m_lastOfOpening;
    bool m_open = false;
    std::optional<std::string> m_stalled; ///< why it is
};

} // namespace tasuki::farm
