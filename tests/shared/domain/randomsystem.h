// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/event.h"

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace tasuki {

/// @return one of text alone, or of a pattern: that depends on the length
Phrase somePhrase(const std::string& text);

/// Makes valid events of a failure hierarchy, and knows by a model of its own who holds what.
class RandomSystem {
public:
    /// The next epoch begins.
    void open();
    /// @return the next event; the first of an epoch is a layout
    EventPayload next(std::mt19937& random);
    /// To be told of every event: it may have raised an alarm.
    void note(const Event& event);

    [[nodiscard]] const std::map<SeatId, ProcessorId>& holders() const { return m_holders; }
    [[nodiscard]] const std::map<ProcessorId, Health>& health() const { return m_health; }
    [[nodiscard]] std::size_t failovers() const { return m_failovers; }
    /// Alarms, and the events of their latest acknowledgements.
    [[nodiscard]] const std::map<EventId, EventId>& alarms() const { return m_alarms; }

private:
    std::uint32_t below(std::uint32_t limit);
    std::string bytes(std::uint32_t maximum);
    SystemLaidOut layOut();
    EventPayload move();
    MasterChanged master();
    ProcessorId someProcessor();

    std::mt19937* m_random = nullptr; ///< that of the latest call
    bool m_laidOut = false;
    SystemLaidOut m_layout;
    std::map<SeatId, ProcessorId> m_holders;
    std::map<SeatId, std::uint32_t> m_incarnations;
    std::map<ProcessorId, Health> m_health;
    std::map<EventId, EventId> m_alarms;
    std::size_t m_failovers = 0;
};

} // namespace tasuki
