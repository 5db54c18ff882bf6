// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plansearcher.h"
#include "planworker.h"

#include <stop_token>

namespace tasuki::planner {

/// Lets a worker in this process search.
class LocalSearcher final : public PlanSearcher {
    Q_OBJECT

public:
    /// @param worker  outlives the searcher
    explicit LocalSearcher(PlanWorker& worker, QObject* parent = nullptr);

    void search(const SearchRequest& request) override;
    void cancel() override { m_stop.request_stop(); }

private:
    PlanWorker& m_worker;
    std::stop_source m_stop;
};

} // namespace tasuki::planner
