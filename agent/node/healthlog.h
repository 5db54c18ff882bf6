// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"
#include "domain/ids.h"
#include "hierarchy/membershipview.h"
#include "hierarchy/standing.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tasuki {

/// Tells what one processor gets to know of the system's health, and when: the record has it as the
/// system master sees it, others may see it later, or otherwise while a network is cut. Reactor's
/// thread.
///
/// A line has the time in seconds since 1970 by this processor's clock, the epoch, the processor
/// that knows, and what: `processor 3 lost silent`, `seat 1 held 2 4` (by processor 4 under the
/// incarnation 2), `seat 1 vacant`, `subcluster left down`, `system master 6`, `system master silent`
/// (nothing is heard of it, on whatever way) and `heard`, `started`, `suspended`, `lapsed` and `valid`
/// (what this processor may do by its lease), `gives up`, `overlaps` (it has done so, after it had been given
/// up), `comes back`, `leaves`.
class HealthLog {
public:
    using Write = std::function<void(const std::string&)>;

    /// @param first  what all processors begin with
    /// @param names  of the subclusters, by number
    /// @param write  takes a line with its end; null: nobody wants to know
    HealthLog(ProcessorId self, Epoch epoch, const Clock& clock, hierarchy::MembershipView first,
              std::vector<std::string> names, Write write);

    void changed(const hierarchy::MembershipView& view);
    void masterSilent(bool silent) { say(silent ? "system master silent" : "system master heard"); }
    /// This processor gives itself up, or was given up by the others.
    void fenced() { say("gives up"); }
    /// It went on in its place after the others had given it up.
    void overlapped() { say("overlaps"); }
    /// What it may do by its lease.
    void standing(hierarchy::Standing standing);
    /// The others have let it in again.
    void rejoined() { say("comes back"); }
    /// Its part in the run is over: what it was told later it does not know.
    void leaves() { say("leaves"); }

private:
    void say(std::string_view what);

    std::string m_who;
    const Clock& m_clock;
    hierarchy::MembershipView m_known;
    std::vector<std::string> m_names;
    Write m_write;
};

/// @return what adds lines to the file `path` with the processor's number behind it, or a null
///         function and a warning when that cannot be opened
/// @param option  that names the file, e.g. "--health-log"
HealthLog::Write processorLogFile(const char* option, const std::string& path, ProcessorId self);

} // namespace tasuki
