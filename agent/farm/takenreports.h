// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "crewmessages.h"
#include "crews.h"
#include "roster.h"

#include "domain/ids.h"

#include <cstdint>
#include <deque>
#include <map>
#include <variant>
#include <vector>

namespace tasuki::farm {

/// A report that the master has taken.
struct TakenReport {
    CrewId crew;
    std::variant<HeldRank, Leadership> teller; ///< the rank itself, or the crew's foreman
    std::uint64_t number = 0;
};

/// Reports that have been taken, until the record has what they said: whoever told them keeps them
/// for so long, as the master may die with what is not recorded.
class TakenReports {
public:
    /// @param last  the latest event that was given to the journal when the report had been dealt with
    void add(EventId last, TakenReport report) { m_waiting.push_back({last, report}); }

    /// @param recorded  the latest event in the record
    /// @return what can be noted: of each crew the newest
    std::vector<TakenReport> recordedBy(EventId recorded)
    {
        std::map<CrewId, TakenReport> newest;
        while (!m_waiting.empty() && m_waiting.front().last <= recorded) {
            const TakenReport& report = m_waiting.front().report;
            newest.insert_or_assign(report.crew, report);
            m_waiting.pop_front();
        }
        std::vector<TakenReport> reports;
        reports.reserve(newest.size());
        for (const auto& [crew, report] : newest)
            reports.push_back(report);
        return reports;
    }

private:
    struct Waiting {
        EventId last;
        TakenReport report;
    };
    std::deque<Waiting> m_waiting;
};

} // namespace tasuki::farm
