// SPDX-License-Identifier: GPL-3.0-or-later
#include "localsearcher.h"

namespace tasuki::planner {

LocalSearcher::LocalSearcher(PlanWorker& worker, QObject* parent)
    : PlanSearcher(parent), m_worker(worker)
{
    connect(&worker, &PlanWorker::searching, this, &PlanSearcher::progressed);
    connect(&worker, &PlanWorker::searched, this, &PlanSearcher::found);
}

void LocalSearcher::search(const SearchRequest& request)
{
    m_stop.request_stop();
    m_stop = std::stop_source();
    QMetaObject::invokeMethod(&m_worker, [worker = &m_worker, request, stop = m_stop.get_token()] {
        worker->search(request, stop);
    });
}

} // namespace tasuki::planner
