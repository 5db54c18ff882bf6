// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chart/allocationlist.h"
#include "environment/environmentdocument.h"
#include "plansession.h"

#include <optional>

namespace tasuki::planner {

/// All that a page of the planner shows: it stays when the page is made anew. Keeps the session's
/// environment that of the tables, and the list what the session has found.
class PlanDocument : public QObject {
    Q_OBJECT

public:
    explicit PlanDocument(QObject* parent = nullptr);

    /// Where a search runs that somebody starts.
    /// @param accessFile  of an agent; empty: in this process
    void setPlace(const QString& accessFile);

    [[nodiscard]] PlanSession& session() { return m_session; }
    [[nodiscard]] EnvironmentDocument& environment() { return m_environment; }
    [[nodiscard]] AllocationList& allocations() { return m_allocations; }

private:
    void takeEnvironment();
    void takeResult();

    PlanSession m_session;
    QString m_place;
    EnvironmentDocument m_environment;
    AllocationList m_allocations;
    /// What was selected because it was the best then; none: somebody has chosen.
    std::optional<plan::Allocation> m_followed;
};

} // namespace tasuki::planner
