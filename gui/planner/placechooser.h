// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

#include "client/agentfinder.h"
#include "plandocument.h"
#include "views/preferences.h"

namespace tasuki::planner {

/// Where the searches of a plan run that the user starts: in this process, or with an agent. The preferences
/// keep the run whose agent was chosen.
class PlaceChooser : public QComboBox {
    Q_OBJECT

public:
    /// @param document, preferences  must outlive the widget
    PlaceChooser(PlanDocument& document, Preferences& preferences, QWidget* parent = nullptr);

    /// Offers those of them that run.
    void setAgents(const QList<AgentEntry>& agents);
    void chooseHere();

Q_SIGNALS:
    /// @param any  else there is nothing to choose, and nothing is shown
    void offersAgents(bool any);

private:
    void renew();
    void choose();

    PlanDocument& m_document;
    Preferences& m_preferences;
    QList<AgentEntry> m_agents; ///< those that run
};

} // namespace tasuki::planner
