// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "planrequest.h"

namespace tasuki::planner {

/// Whoever searches for allocations: this process, or an agent. GUI thread; the searching is done
/// elsewhere.
class PlanSearcher : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;
    ~PlanSearcher() override;

    /// Begins a search; what was searched before ends, and nothing more is told of it.
    virtual void search(const SearchRequest& request) = 0;
    /// The search is to end; what it has found until then comes as its last result.
    virtual void cancel() = 0;

Q_SIGNALS:
    void progressed(const tasuki::planner::SearchProgress& progress);
    /// What has been found so far, and at the end everything.
    void found(const tasuki::planner::SearchResult& result);
    /// The search is over without a last result; what was found before still holds.
    /// @param reason  one line for people
    void lost(quint64 number, const QString& reason);
};

} // namespace tasuki::planner
