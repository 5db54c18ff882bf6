// SPDX-License-Identifier: GPL-3.0-or-later
#include "recordopener.h"

#include <chrono>
#include <utility>

namespace tasuki {

namespace {

constexpr std::chrono::milliseconds openingPause{5};
/// A process that is dead gives its lock back at once. Who holds it longer stands still, or does not know yet that
/// it leads no more.
constexpr std::chrono::milliseconds breakingAfter{300};
/// Nothing can be recorded until there is room again.
constexpr std::chrono::seconds spacePause{1};
/// Who takes the record from this one, again and again, is no former writer.
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
    const auto begin = std::chrono::steady_clock::now();
    for (;;) {
        const auto waited = std::chrono::steady_clock::now() - begin;
        auto plan = std::make_shared<Result<RunPlan>>(
            planSuccession(m_briefing, m_now,
                           waited > breakingAfter ? FormerWriter::IsBroken : FormerWriter::MayEnd));
        const bool isFull = !*plan && plan->error().kind == ErrorKind::NoSpace;
        const bool isHeld = !*plan && plan->error().kind == ErrorKind::InUse
            && waited <= openingPatience;
        if (!isFull && !isHeld) {
            m_post([this, alive = m_alive, plan] {
                if (*alive)
                    m_opened(std::move(*plan));
            });
            return;
        }
        if (!pause(isFull ? spacePause : openingPause))
            return;
    }
}

/// @return whether to go on
bool RecordOpener::pause(std::chrono::milliseconds time)
{
    std::unique_lock lock(m_mutex);
    return !m_wake.wait_for(lock, time, [this] { return m_stopping; });
}

} // namespace tasuki
