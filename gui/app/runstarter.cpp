// SPDX-License-Identifier: GPL-3.0-or-later
#include "runstarter.h"

#include "models/runmodels.h"
#include "views/resumeoffer.h"
#include "views/startrundialog.h"

#include <utility>

namespace tasuki {

RunStarter::RunStarter(AgentFinder& finder, const Clock& clock, Preferences& preferences,
                       QString agentProgram, QWidget& window)
    : m_finder(finder),
      m_clock(clock),
      m_preferences(preferences),
      m_agentProgram(std::move(agentProgram)),
      m_window(window)
{}

void RunStarter::start(const QString& taskList)
{
    StartRunDialog dialog(m_finder, m_clock, m_preferences, m_agentProgram, &m_window);
    if (!taskList.isEmpty())
        dialog.setTaskList(taskList);
    ask(dialog);
}

void RunStarter::resume(const RunModels& run)
{
    if (const auto offer = resumeOffer(run.session))
        goOn(run, offer->plan);
}

void RunStarter::retry(const RunModels& run, const QString& tasks)
{
    auto plan = nextLife(run.session);
    if (!plan)
        return;
    plan->goal = LaunchPlan::Goal::RetryTasks;
    plan->tasks = tasks;
    plan->taskList.clear(); // the numbers are those of the record
    goOn(run, *plan);
}

void RunStarter::goOn(const RunModels& run, LaunchPlan plan)
{
    // A list would take back what windows have added.
    if (!hasListOfItsOwn(run.session.state()))
        plan.taskList.clear();
    plan.keeping = run.history.keeping();
    StartRunDialog dialog(m_finder, m_clock, m_preferences, m_agentProgram, &m_window);
    dialog.setResumption(plan);
    ask(dialog);
}

void RunStarter::ask(StartRunDialog& dialog)
{
    connect(&dialog, &StartRunDialog::agentStarted, this, &RunStarter::agentStarted,
            Qt::QueuedConnection);
    connect(&dialog, &StartRunDialog::runOver, this, &RunStarter::runOver, Qt::QueuedConnection);
    connect(&dialog, &StartRunDialog::probed, this, &RunStarter::probed, Qt::QueuedConnection);
    dialog.exec();
}

} // namespace tasuki
