// SPDX-License-Identifier: GPL-3.0-or-later
// Where PlanPage lets searches run.
#include "planpage.h"

#include "cells/problembar.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QLabel>

#include <algorithm>
#include <iterator>

namespace tasuki::planner {

namespace {

/// The run whose agent searches; empty: this process does.
constexpr auto rememberedPlace = "plan-agent";

} // namespace

void PlanPage::setAgents(const QList<AgentEntry>& agents)
{
    m_agents.clear();
    std::ranges::copy_if(agents, std::back_inserter(m_agents),
                         [](const AgentEntry& agent) { return agent.running; });
    renewPlaces();
}

void PlanPage::renewPlaces()
{
    // A search that goes on is not taken from its agent because that is not found for a moment.
    const bool busy = m_document.session().searchesElsewhere();
    if (busy && m_places->count() > 0)
        return;
    const QString wanted = m_preferences.value(QLatin1String(rememberedPlace)).toString();
    QString place;
    m_places->clear();
    m_places->addItem(tr("here"));
    for (const AgentEntry& agent : m_agents) {
        const QString run = QString::fromStdString(agent.run.hex);
        const int index = m_places->count();
        m_places->addItem(tr("on %1 (%2)").arg(agent.host, agent.title), run);
        m_places->setItemData(index, agent.directory, Qt::ToolTipRole);
        if (!wanted.isEmpty() && run == wanted && place.isEmpty()) {
            place = agent.accessFile;
            m_places->setCurrentIndex(index);
        }
    }
    m_places->view()->setMinimumWidth(m_places->view()->sizeHintForColumn(0));
    m_places->setVisible(!m_agents.isEmpty());
    m_placesLabel->setVisible(!m_agents.isEmpty());
    // A run that was resumed has another agent, with a file of its own.
    if (!busy)
        m_document.setPlace(place);
}

void PlanPage::choosePlace()
{
    const QString name = QLatin1String(rememberedPlace);
    const QString run = m_places->currentData().toString();
    if (run == m_preferences.value(name).toString())
        return;
    m_preferences.setValue(name, run);
    // What goes on with an agent ends there.
    if (m_document.session().searchesElsewhere())
        m_document.setPlace({});
    renewPlaces();
}

void PlanPage::searchHere()
{
    m_places->setCurrentIndex(0);
    choosePlace();
    m_document.session().search();
}

void PlanPage::renewLoss()
{
    const QString& failure = m_document.session().failure();
    if (failure.isEmpty())
        m_loss->hide();
    else
        m_loss->show(theme::Tint::Warning, tr("The agent did not search to the end"), failure);
}

} // namespace tasuki::planner
