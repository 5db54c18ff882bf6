// SPDX-License-Identifier: GPL-3.0-or-later
#include "errands.h"

#include <utility>

namespace tasuki {

Errands::Errands(std::function<void(std::function<void()>)> post)
    : m_post(std::move(post)), m_thread([this] { run(); })
{}

Errands::~Errands()
{
    *m_alive = false;
    {
        const std::scoped_lock lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_one();
    m_thread.join();
}

void Errands::add(Errand errand)
{
    {
        const std::scoped_lock lock(m_mutex);
        m_errands.push_back(std::move(errand));
    }
    m_wake.notify_one();
}

void Errands::run()
{
    for (;;) {
        Errand errand;
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, [this] { return !m_errands.empty() || m_stopping; });
            if (m_errands.empty())
                return;
            errand = std::move(m_errands.front());
            m_errands.pop_front();
        }
        std::function<void()> after = errand();
        if (after) {
            m_post([alive = m_alive, after = std::move(after)] {
                if (*alive)
                    after();
            });
        }
    }
}

} // namespace tasuki
