// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attemptdesk.h"
#include "mastermail.h"
#include "masterphase.h"
#include "peekbook.h"
#include "recorddesk.h"
#include "roster.h"
#include "scheduler.h"
#include "taskscope.h"

#include "domain/clock.h"
#include "domain/runstate.h"
#include "recorder/journal.h"
#include "tasklist/tasklistdefaults.h"
#include "transport/transport.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tasuki::farm {

struct MasterOptions {
    RunId run;
    std::string directory;  ///< working directory of tasks that name none
    bool staysOpen = false; ///< goes on when all tasks are done: operators may add some
    /// Does these alone and what comes after them, and ends when that is done; empty: all tasks.
    std::vector<TaskRange> only = {};
    TaskListDefaults taskDefaults; ///< of tasks that operators add
    SchedulingPolicy scheduling;
    /// So many masters of this epoch have died before.
    Term term;
    /// When the allocation ends in which the run lives; none: that is not known.
    std::optional<SteadyTime> endsAt = {};
    /// How long the epoch has lasted.
    std::chrono::microseconds elapsed{};
};

/// The parts of a master that all of it works with; each owns what it knows.
struct MasterState {
    MasterState(MasterOptions given, RunState& run, Transport& transport, Journal& journal,
                const Clock& clock)
        : options(std::move(given)),
          scheduler(options.scheduling),
          record(run, journal),
          mail(roster, transport, journal),
          attempts(options.endsAt, course, scheduler, record, clock)
    {}

    const MasterOptions options;
    Course course;
    Roster roster;
    Scheduler scheduler;
    RecordDesk record;
    MasterMail mail;
    AttemptDesk attempts;
    PeekBook peeks;
};

} // namespace tasuki::farm
