// SPDX-License-Identifier: GPL-3.0-or-later
#include "plandocument.h"

#include <algorithm>
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
    AllocationResults results = resultsOf(*result->environment, result->ranking);
    addMeasurements(results, m_session.measurements());
    m_allocations.setResults(std::move(results));
    // What was selected is looked at again: its times may be others now.
    if (m_allocations.selectedRow() < 0)
        m_allocations.selectRow(std::max(0, m_allocations.bestRow()));
    else
        m_session.select(*m_allocations.selected());
}

} // namespace tasuki::planner
