// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "recorder/recorder.h"
#include "support/manualclock.h"

#include <QTest>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tasuki::testing {

/// A store whose disk the test fills, empties and slows down. Usable from any thread.
class ScriptedStore {
public:
    Result<void> store(std::span<const Event> batch)
    {
        std::unique_lock lock(m_mutex);
        ++m_calls;
        m_sizes.push_back(batch.size());
        m_offered.assign(batch.begin(), batch.end());
        m_change.notify_all();
        m_change.wait(lock, [this] { return !m_blocked; });
        if (m_full)
            return Error{.kind = ErrorKind::NoSpace, .message = "no space left"};
        m_stored.insert(m_stored.end(), batch.begin(), batch.end());
        return {};
    }
    void setFull(bool full)
    {
        const std::scoped_lock lock(m_mutex);
        m_full = full;
    }
    /// While blocked, a call does not return.
    void setBlocked(bool blocked)
    {
        const std::scoped_lock lock(m_mutex);
        m_blocked = blocked;
        m_change.notify_all();
    }
    /// @return whether the store has been called so often, within 10 s
    bool waitForCalls(std::size_t calls)
    {
        std::unique_lock lock(m_mutex);
        return m_change.wait_for(lock, std::chrono::seconds(10), [&] { return m_calls >= calls; });
    }
    std::size_t calls()
    {
        const std::scoped_lock lock(m_mutex);
        return m_calls;
    }
    std::vector<Event> stored()
    {
        const std::scoped_lock lock(m_mutex);
        return m_stored;
    }
    /// Sizes of all batches that were offered, refused ones too.
    std::vector<std::size_t> sizes()
    {
        const std::scoped_lock lock(m_mutex);
        return m_sizes;
    }
    /// The batch that was offered last.
    std::vector<Event> offered()
    {
        const std::scoped_lock lock(m_mutex);
        return m_offered;
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_change;
    bool m_full = false;
    bool m_blocked = false;
    std::size_t m_calls = 0;
    std::vector<std::size_t> m_sizes;
    std::vector<Event> m_stored;
    std::vector<Event> m_offered;
};

/// What a reactor does for a recorder: runs posted functions on the thread of the test.
class PostQueue {
public:
    void post(std::function<void()> function)
    {
        const std::scoped_lock lock(m_mutex);
        m_functions.push_back(std::move(function));
        m_change.notify_all();
    }
    /// Runs what was posted until the condition holds.
    /// @return whether it does, within 10 s
    bool runUntil(const std::function<bool()>& condition)
    {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (!condition()) {
            std::unique_lock lock(m_mutex);
            if (!m_change.wait_until(lock, end, [this] { return !m_functions.empty(); }))
                return false;
            const std::function<void()> next = std::move(m_functions.front());
            m_functions.pop_front();
            lock.unlock();
            next();
        }
        return true;
    }
    /// Runs what has been posted so far.
    /// @return how much that was
    std::size_t runAll()
    {
        std::deque<std::function<void()>> functions;
        {
            const std::scoped_lock lock(m_mutex);
            functions.swap(m_functions);
        }
        for (const auto& function : functions)
            function();
        return functions.size();
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_change;
    std::deque<std::function<void()>> m_functions;
};

/// A recorder with its surroundings; what it tells is kept.
struct RecorderBench {
    explicit RecorderBench(Recorder::Options options = quick())
        : recorder(
            std::in_place, Epoch(3), clock,
            [this](std::span<const Event> batch) { return store.store(batch); },
            [this](std::function<void()> function) { posts.post(std::move(function)); }, options)
    {
        recorder->setCallbacks({.committed =
                                    [this](std::vector<Event> events) {
                                        batches.push_back(events.size());
                                        for (Event& event : events)
                                            committed.push_back(std::move(event));
                                    },
                                .stalled = [this](const Error& error) { stalls.push_back(error); },
                                .resumed = [this] { ++resumptions; }});
    }
    ~RecorderBench() { store.setBlocked(false); }
    RecorderBench(const RecorderBench&) = delete;
    RecorderBench& operator=(const RecorderBench&) = delete;

    /// Pauses that make tests short.
    static Recorder::Options quick()
    {
        Recorder::Options options;
        options.pause = std::chrono::milliseconds(1);
        options.retryPause = std::chrono::milliseconds(2);
        return options;
    }
    void append(int count)
    {
        for (int i = 0; i < count; ++i)
            recorder->append(
                Notice{.severity = Severity::Information, .text = std::to_string(++appended)});
    }
    bool runUntilCommitted(std::size_t count)
    {
        return posts.runUntil([&] { return committed.size() >= count; });
    }
    /// @return whether these are the events 1, 2, ... of the epoch, in order, without a gap
    static bool inOrder(const std::vector<Event>& events)
    {
        for (std::size_t i = 0; i < events.size(); ++i) {
            const Notice* notice = std::get_if<Notice>(&events[i].payload);
            if (events[i].id != EventId{Epoch(3), Sequence(i + 1)} || !notice
                || notice->text != std::to_string(i + 1))
                return false;
        }
        return true;
    }

    ManualClock clock;
    ScriptedStore store;
    PostQueue posts;
    std::vector<Event> committed;
    std::vector<std::size_t> batches;
    std::vector<Error> stalls;
    int resumptions = 0;
    int appended = 0;
    std::optional<Recorder> recorder;
};

} // namespace tasuki::testing
