// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "journal.h"

#include "domain/clock.h"
#include "domain/result.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace tasuki {

/// Journal over anything that can store a batch of events durably. Storing happens on a thread of
/// its own, one batch at a time; events that come meanwhile make up the next batch (group commit).
class Recorder final : public Journal {
public:
    /// Stores a batch, all or nothing. Called on the recorder's thread.
    using Store = std::function<Result<void>(std::span<const Event>)>;
    /// Runs a function on the reactor's thread, soon. Callable from any thread.
    using Post = std::function<void(std::function<void()>)>;

    struct Options {
        /// Pause between commits, so that slow traffic does not cost one disk flush per event.
        std::chrono::milliseconds pause{20};
        /// Pause before a failed commit is tried again.
        std::chrono::milliseconds retryPause{1'000};
        /// Events in one commit at most.
        std::size_t maxBatch = 16'384;
        /// The latest event that the record has. One of this epoch: somebody else has recorded until
        /// now, and what follows goes on behind it.
        EventId after = {};
        /// How long this epoch has lasted so far.
        std::chrono::nanoseconds elapsed{};
    };

    /// @param clock  outlives the recorder; read on the reactor's thread only
    Recorder(Epoch epoch, const Clock& clock, Store store, Post post, Options options);
    /// Commits what is left unless the store fails; waits for it.
    ~Recorder() override;

    /// While held nothing more is stored, and nothing is told of what has been stored.
    void hold(bool held);
    /// What is left is not stored, and nothing is told any more, not even of what has been stored by now. Waits for
    /// a store that is under way. Nothing may be appended afterwards.
    void drop();

    void setCallbacks(Callbacks callbacks) override;
    EventId append(EventPayload payload) override;
    void hurry() override;
    [[nodiscard]] std::size_t uncommitted() const override { return m_uncommitted; }
    [[nodiscard]] Epoch epoch() const override { return m_epoch; }

private:
    void run();
    std::vector<Event> nextBatch();
    bool waitBeforeRetry();
    void stop(bool drop);
    void deliver(std::vector<Event> batch);

    // Reactor's thread.
    const Epoch m_epoch;
    const Clock& m_clock;
    const SteadyTime m_opened; ///< when this epoch began
    Sequence m_last;
    std::size_t m_uncommitted = 0;
    Callbacks m_callbacks;
    /// Lets deliveries that are still under way at destruction find out that nobody listens.
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);
    std::vector<std::vector<Event>> m_untold; ///< stored when held

    // Shared, guarded by m_mutex.
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<std::vector<Event>> m_queue; ///< batches; only the last is still being filled
    bool m_hurried = false;                 ///< the batch that is being filled does not wait
    bool m_stopping = false;
    bool m_held = false; ///< changed on the reactor's thread alone

    // Recorder's thread.
    const Store m_store;
    const Post m_post;
    const Options m_options;
    std::thread m_thread;
};

} // namespace tasuki
