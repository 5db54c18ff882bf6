// SPDX-License-Identifier: GPL-3.0-or-later
#include "plandocument.h"

#include "agentsearcher.h"

#include <QFile>

#include <algorithm>
#include <memory>
#include <utility>

namespace tasuki::planner {

PlanDocument::PlanDocument(QObject* parent) : QObject(parent)
{
    connect(&m_environment, &EnvironmentDocument::changed, this, &PlanDocument::takeEnvironment);
    connect(&m_session, &PlanSession::resultChanged, this, &PlanDocument::takeResult);
    connect(&m_session, &PlanSession::measurementsChanged, this, &PlanDocument::takeResult);
    connect(&m_allocations, &AllocationList::selectedChanged, this, [this] {
        if (m_allocations.selected())
            m_session.select(*m_allocations.selected());
    });
}

void PlanDocument::setPlace(const QString& accessFile)
{
    if (accessFile == m_place)
        return;
    m_place = accessFile;
    m_session.setSearcher(accessFile.isEmpty() ? nullptr
                                               : std::make_unique<AgentSearcher>(
                                                   QFile::encodeName(accessFile).toStdString()));
}

void PlanDocument::takeEnvironment()
{
    m_session.setEnvironment(
        std::make_shared<const plan::Environment>(m_environment.environment()));
}

void PlanDocument::takeResult()
{
    const auto& result = m_session.result();
    if (!result || result->ranking.tried() == 0) {
        m_allocations.setResults({});
        return;
    }
    AllocationResults results = resultsOf(*result->environment, result->ranking, result->total);
    addMeasurements(results, m_session.measurements());
    m_allocations.setResults(std::move(results));
    const bool followed = m_followed && m_allocations.selected() == m_followed;
    const int best = std::max(0, m_allocations.bestRow());
    // While a search goes on the best changes, and with it what nobody has chosen.
    if (m_allocations.selectedRow() < 0 || (followed && m_allocations.selectedRow() != best)) {
        m_allocations.selectRow(best);
        m_followed = m_allocations.selected();
    } else {
        // It is looked at again: its times may be others now.
        m_session.select(*m_allocations.selected());
        if (!followed)
            m_followed.reset();
    }
    if (result->last)
        m_followed.reset();
}

} // namespace tasuki::planner
