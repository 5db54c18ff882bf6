// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "groupmessages.h"
#include "roster.h"
#include "workergroups.h"

#include "domain/ids.h"

#include <cstdint>
#include <deque>
#include <map>
#include <variant>
#include <vector>

namespace tasuki::farm {

/// A report that the master has taken.
struct TakenReport {
    GroupId group;
    std::variant<HeldRank, Leadership>
        teller; ///< the rank itself, or the worker group's group scheduler
    std::uint64_t number = 0;
};

/// Reports that have been taken, until the record has what they said: until then their senders keep
/// them, as the master may die before it is recorded.
class TakenReports {
public:
    /// @param last  the latest event that was given to the journal when the report had been dealt with
    void add(EventId last, TakenReport report) { m_waiting.push_back({last, report}); }

    /// @param recorded  the latest event in the record
    /// @return what can be noted: of each worker group the newest
    std::vector<TakenReport> recordedBy(EventId recorded)
    {
        std::map<GroupId, TakenReport> newest;
        while (!m_waiting.empty() && m_waiting.front().last <= recorded) {
            const TakenReport& report = m_waiting.front().report;
            newest.insert_or_assign(report.group, report);
            m_waiting.pop_front();
        }
        std::vector<TakenReport> reports;
        reports.reserve(newest.size());
        for (const auto& [group, report] : newest)
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
