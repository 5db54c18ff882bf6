// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "logmerger.h"

#include <bitset>
#include <cstdint>
#include <string>
#include <vector>

namespace tasuki::tracer {

/// What the header of a log tells before the first event.
struct LogSummary {
    std::uint32_t processes = 0;
    std::uint64_t events = 0; ///< lines that follow the header
    std::bitset<stateCount> usedStates;
    bool messages = false;   ///< whether there are any
    std::int64_t zeroNs = 0; ///< common time of the first event
    std::int64_t endNs = 0;  ///< of the last
};

/// Lines in the format ALOG: "type process task data cycle timestamp words", microseconds since the
/// first event. The data of a begin or end counts those of the state and process, as MPE did.
class LogText {
public:
    explicit LogText(const LogSummary& summary);

    void appendHeader(std::string& text) const;
    void appendEvent(std::string& text, const MergedEvent& event);

private:
    void appendCall(std::string& text, const MergedEvent& event, std::int64_t timeUs);

    LogSummary m_summary;
    std::vector<std::uint32_t> m_counts; ///< [process * stateCount + state]
};

} // namespace tasuki::tracer
