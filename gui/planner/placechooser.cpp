// SPDX-License-Identifier: GPL-3.0-or-later
#include "placechooser.h"

#include <QAbstractItemView>

#include <algorithm>
#include <iterator>

namespace tasuki::planner {

namespace {

/// The run whose agent searches; empty: this process does.
constexpr auto rememberedPlace = "plan-agent";
/// Of the name of a place; longer ones are shown whole in the list.
constexpr int placeLetters = 12;

} // namespace

PlaceChooser::PlaceChooser(PlanDocument& document, Preferences& preferences, QWidget* parent)
    : QComboBox(parent), m_document(document), m_preferences(preferences)
{
    setToolTip(tr("Where a search runs that you start; short ones after an edit run here"));
    setAccessibleName(tr("Where to search"));
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(placeLetters);
    connect(&document.session(), &PlanSession::stateChanged, this, &PlaceChooser::renew);
    connect(this, &QComboBox::activated, this, &PlaceChooser::choose);
    renew();
}

void PlaceChooser::setAgents(const QList<AgentEntry>& agents)
{
    m_agents.clear();
    std::ranges::copy_if(agents, std::back_inserter(m_agents),
                         [](const AgentEntry& agent) { return agent.running; });
    renew();
}

void PlaceChooser::renew()
{
    // A search that goes on is not taken from its agent because that is not found for a moment.
    const bool busy = m_document.session().searchesElsewhere();
    if (busy && count() > 0)
        return;
    const QString wanted = m_preferences.value(QLatin1String(rememberedPlace)).toString();
    QString place;
    clear();
    addItem(tr("here"));
    for (const AgentEntry& agent : m_agents) {
        const QString run = QString::fromStdString(agent.run.hex);
        const int index = count();
        addItem(tr("on %1 (%2)").arg(agent.host, agent.title), run);
        setItemData(index, agent.directory, Qt::ToolTipRole);
        if (!wanted.isEmpty() && run == wanted && place.isEmpty()) {
            place = agent.accessFile;
            setCurrentIndex(index);
        }
    }
    view()->setMinimumWidth(view()->sizeHintForColumn(0));
    setVisible(!m_agents.isEmpty());
    Q_EMIT offersAgents(!m_agents.isEmpty());
    // A run that was resumed has another agent, with a file of its own.
    if (!busy)
        m_document.setPlace(place);
}

void PlaceChooser::choose()
{
    const QString name = QLatin1String(rememberedPlace);
    const QString run = currentData().toString();
    if (run == m_preferences.value(name).toString())
        return;
    m_preferences.setValue(name, run);
    // What goes on with an agent ends there.
    if (m_document.session().searchesElsewhere())
        m_document.setPlace({});
    renew();
}

void PlaceChooser::chooseHere()
{
    setCurrentIndex(0);
    choose();
}

} // namespace tasuki::planner
