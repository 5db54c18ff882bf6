// SPDX-License-Identifier: GPL-3.0-or-later
#include "recordopener.h"

#include <chrono>
#include <utility>

namespace tasuki {

namespace {

constexpr std::chrono::milliseconds openingPause{5};
/// A process that is dead gives its lock back at once; who holds it longer is alive.
constexpr std::chrono::seconds openingPatience{5};

} // namespace

RecordOpener::RecordOpener(Briefing briefing, WallTime now,
                           std::function<void(std::function<void()>)> post,
                           std::function<void(Result<RunPlan>)> opened)
    : m_briefing(std::move(briefing)),
      m_now(now),
      m_post(std::move(post)),
      m_opened(std::move(opened)),
      m_thread([this] { run(); })
{}

RecordOpener::~RecordOpener()
{
    *m_alive = false;
    {
        const std::scoped_lock lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_one();
    m_thread.join();
}

void RecordOpener::run()
{
    const auto end = std::chrono::steady_clock::now() + openingPatience;
    for (;;) {
        auto plan = std::make_shared<Result<RunPlan>>(planSuccession(m_briefing, m_now));
        if (*plan || plan->error().kind != ErrorKind::InUse
            || std::chrono::steady_clock::now() > end) {
            m_post([this, alive = m_alive, plan] {
                if (*alive)
                    m_opened(std::move(*plan));
            });
            return;
        }
        if (!pause())
            return;
    }
}

/// @return whether to go on
bool RecordOpener::pause()
{
    std::unique_lock lock(m_mutex);
    return !m_wake.wait_for(lock, openingPause, [this] { return m_stopping; });
}

} // namespace tasuki
