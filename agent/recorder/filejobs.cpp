// SPDX-License-Identifier: GPL-3.0-or-later
#include "filejobs.h"

#include <utility>

namespace tasuki {

FileJobs::FileJobs(std::function<void(std::function<void()>)> post)
    : m_post(std::move(post)), m_thread([this] { run(); })
{}

FileJobs::~FileJobs()
{
    *m_alive = false;
    {
        const std::scoped_lock lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_one();
    m_thread.join();
}

void FileJobs::add(Job job)
{
    {
        const std::scoped_lock lock(m_mutex);
        m_jobs.push_back(std::move(job));
    }
    m_wake.notify_one();
}

void FileJobs::run()
{
    for (;;) {
        Job job;
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, [this] { return !m_jobs.empty() || m_stopping; });
            if (m_jobs.empty())
                return;
            job = std::move(m_jobs.front());
            m_jobs.pop_front();
        }
        std::function<void()> after = job();
        if (after) {
            m_post([alive = m_alive, after = std::move(after)] {
                if (*alive)
                    after();
            });
        }
    }
}

} // namespace tasuki
