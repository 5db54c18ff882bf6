// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "activitymeter.h"
#include "alarmlistmodel.h"
#include "attempthistory.h"
#include "client/session.h"
#include "eventlistmodel.h"
#include "failoverlistmodel.h"
#include "processortreemodel.h"
#include "runsummary.h"
#include "selection.h"
#include "systemtreemodel.h"
#include "taskdetails.h"
#include "taskdrafts.h"
#include "tasktablemodel.h"

namespace tasuki {

/// One opened run and all models of it, put together in the order that they need. Add sinks of
/// views (the timeline's store) to session, then call session.start(). GUI thread.
struct RunModels {
    /// @param clock  must outlive this object
    RunModels(std::unique_ptr<SessionSource> source, const Clock& clock);
    RunModels(const RunModels&) = delete;
    RunModels& operator=(const RunModels&) = delete;
    ~RunModels();

    Session session;
    AttemptHistory history;
    ActivityMeter meter;
    Selection selection;
    TaskDrafts drafts;
    TaskTableModel tasks;
    EventListModel events;
    ProcessorTreeModel processors;
    SystemTreeModel system;
    FailoverListModel failovers;
    AlarmListModel alarms;
    RunSummaryMonitor summary;
    TaskDetails details;
};

} // namespace tasuki
