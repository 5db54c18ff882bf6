// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "aloglimits.h"
#include "alogline.h"
#include "logclock.h"
#include "logstart.h"
#include "statetable.h"
#include "tracediagnostics.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tasuki::trace {

/// Where a line stands, for diagnostics.
struct LinePlace {
    std::uint64_t line = 0;
    std::string_view text;
};

/// What the headers of a log say. They may come in any order, also after records.
class AlogHeader {
public:
    /// What a header announces: a number, and the line that said it; 0: none did.
    struct Announced {
        std::uint64_t count = 0;
        std::uint64_t line = 0;
    };

    /// @param known  what is known of the log from having read it before
    AlogHeader(const AlogLimits& limits, TraceDiagnostics& diagnostics,
               const AlogDefinitions& known);

    void take(const LinePlace& place, const HeaderLine& header);

    [[nodiscard]] StateTable& states() { return m_states; }
    [[nodiscard]] LogClock& clock() { return m_clock; }
    [[nodiscard]] const std::string& creator() const { return m_creator; }
    [[nodiscard]] const Announced& events() const { return m_events; }
    [[nodiscard]] const Announced& processes() const { return m_processes; }

    [[nodiscard]] const std::optional<AnnouncedStart>& start() const { return m_start; }

    /// To be told when a record's cycle is not 0 and header -11 is not known.
    void cycleWasNeeded() { m_cycleNeeded = true; }
    /// @return what the headers say, if they said it after a record that cannot be understood
    ///         without it
    [[nodiscard]] std::optional<AlogDefinitions> lateDefinitions() const;
    /// Gives tasks their names; tells of names of tasks that there are not.
    void nameTasks(std::vector<std::string>& names);

private:
    struct Name {
        std::string text;
        std::uint64_t line = 0;
    };

    void takeCount(const LinePlace& place, const HeaderLine& header, Announced& target);
    void takeStart(const LinePlace& place, const HeaderLine& header);
    void takeDescription(const LinePlace& place, const HeaderLine& header);
    void takeRollover(const LinePlace& place, const HeaderLine& header);
    void takeState(const LinePlace& place, const HeaderLine& header);
    void takeName(const LinePlace& place, const HeaderLine& header);
    bool checkStateTypes(const LinePlace& place, const HeaderLine& header);
    void tellUnknown(const LinePlace& place, std::int64_t type);

    AlogLimits m_limits;
    TraceDiagnostics& m_diagnostics;
    StateTable m_states;
    LogClock m_clock;
    std::string m_creator;
    Announced m_events;
    Announced m_processes;
    std::optional<AnnouncedStart> m_start;
    std::map<std::uint32_t, Name> m_names;
    std::set<std::int64_t> m_unknownTypes;
    bool m_cycleNeeded = false;
    bool m_late = false;
};

} // namespace tasuki::trace
