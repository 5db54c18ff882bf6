// SPDX-License-Identifier: GPL-3.0-or-later
#include "recorder.h"

#include <utility>

namespace tasuki {

Recorder::Recorder(Epoch epoch, const Clock& clock, Store store, Post post, Options options)
    : m_epoch(epoch),
      m_clock(clock),
      m_opened(clock.now() - options.elapsed),
      m_last(options.after.epoch == epoch ? options.after.sequence : Sequence{}),
      m_store(std::move(store)),
      m_post(std::move(post)),
      m_options(options),
      m_thread([this] { run(); })
{}

Recorder::~Recorder() { stop(false); }

void Recorder::drop() { stop(true); }

void Recorder::stop(bool drop)
{
    *m_alive = false;
    {
        const std::scoped_lock lock(m_mutex);
        m_stopping = true;
        if (drop)
            m_queue.clear();
    }
    m_wake.notify_one();
    if (m_thread.joinable())
        m_thread.join();
}

void Recorder::hold(bool held)
{
    {
        const std::scoped_lock lock(m_mutex);
        m_held = held;
    }
    m_wake.notify_one();
    if (held)
        return;
    for (std::vector<Event>& batch : std::exchange(m_untold, {}))
        deliver(std::move(batch));
}

void Recorder::setCallbacks(Callbacks callbacks) { m_callbacks = std::move(callbacks); }

EventId Recorder::append(EventPayload payload)
{
    m_last = m_last.next();
    ++m_uncommitted;
    Event event{.id = {m_epoch, m_last},
                .wallTime = m_clock.wallNow(),
                .monotonic = m_clock.now() - m_opened,
                .payload = std::move(payload)};
    const EventId id = event.id;
    bool wake = false;
    {
        const std::scoped_lock lock(m_mutex);
        const bool full = !m_queue.empty() && m_queue.back().size() >= m_options.maxBatch;
        wake = m_queue.empty() || full;
        if (wake)
            m_queue.emplace_back();
        m_queue.back().push_back(std::move(event));
    }
    if (wake)
        m_wake.notify_one();
    return id;
}

void Recorder::hurry()
{
    {
        const std::scoped_lock lock(m_mutex);
        if (m_queue.empty() || std::exchange(m_hurried, true))
            return;
    }
    m_wake.notify_one();
}

void Recorder::run()
{
    for (;;) {
        std::vector<Event> batch = nextBatch();
        if (batch.empty())
            return;
        bool stalled = false;
        for (;;) {
            const Result<void> stored = m_store(batch);
            if (stored)
                break;
            if (!stalled) {
                stalled = true;
                m_post([this, alive = m_alive, error = stored.error()] {
                    if (*alive && m_callbacks.stalled)
                        m_callbacks.stalled(error);
                });
            }
            if (!waitBeforeRetry())
                return;
        }
        if (stalled) {
            m_post([this, alive = m_alive] {
                if (*alive && m_callbacks.resumed)
                    m_callbacks.resumed();
            });
        }
        m_post([this, alive = m_alive,
                shared = std::make_shared<std::vector<Event>>(std::move(batch))] {
            if (*alive)
                deliver(std::move(*shared));
        });
    }
}

std::vector<Event> Recorder::nextBatch()
{
    std::unique_lock lock(m_mutex);
    do {
        m_wake.wait(lock, [this] { return (!m_queue.empty() && !m_held) || m_stopping; });
        m_wake.wait_for(lock, m_options.pause,
                        [this] { return m_queue.size() > 1 || m_hurried || m_stopping; });
    } while (m_held && !m_stopping);
    if (m_queue.empty())
        return {};
    std::vector<Event> batch = std::move(m_queue.front());
    m_queue.pop_front();
    if (m_queue.empty())
        m_hurried = false;
    return batch;
}

bool Recorder::waitBeforeRetry()
{
    std::unique_lock lock(m_mutex);
    m_wake.wait_for(lock, m_options.retryPause, [this] { return m_stopping; });
    return !m_stopping;
}

void Recorder::deliver(std::vector<Event> batch)
{
    if (m_held) {
        m_untold.push_back(std::move(batch));
        return;
    }
    m_uncommitted -= batch.size();
    if (m_callbacks.committed)
        m_callbacks.committed(std::move(batch));
}

} // namespace tasuki
