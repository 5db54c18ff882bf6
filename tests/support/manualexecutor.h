// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "process/executor.h"

#include <functional>
#include <utility>
#include <vector>

namespace tasuki {

/// An executor whose attempts begin and end when the test says so. Keeps what it was asked for.
class ManualExecutor final : public Executor {
public:
    void setCallbacks(Callbacks callbacks) override { m_callbacks = std::move(callbacks); }
    void start(Launch launch) override { launches.push_back(std::move(launch)); }
    void stop(AttemptKey key, StopReason reason) override
    {
        stopped.push_back(key);
        stopReasons.push_back(reason);
    }
    void stopAll(StopReason reason, std::function<void()> done) override
    {
        stopAllReasons.push_back(reason);
        m_whenStopped.push_back(std::move(done));
    }

    void signal(AttemptKey key, int number) override { signalled.emplace_back(key, number); }

    void peek(const OutputQuery& query, std::function<void(OutputAnswer)> answer) override
    {
        peeks.emplace_back(query, std::move(answer));
    }

    void fetch(const OutputQuery& query, bool wait,
               std::function<void(FetchedOutput)> answer) override
    {
        fetches.push_back({query, wait, std::move(answer)});
    }
    void release(AttemptKey key) override { released.push_back(key); }

    void tellConnected(AttemptKey key, std::vector<UniqueFd> ends)
    {
        m_callbacks.connected(key, std::move(ends));
    }
    void tellStarted(AttemptKey key, WallTime startedAt) { m_callbacks.started(key, startedAt); }
    void tellFinished(AttemptKey key, AttemptResult result)
    {
        m_callbacks.finished(key, std::move(result));
    }
    void tellFailed(std::string reason) { m_callbacks.failed(std::move(reason)); }
    /// Nothing lives any more: answers every stopAll().
    void tellAllStopped()
    {
        for (const auto& done : std::exchange(m_whenStopped, {}))
            done();
    }

    std::vector<Launch> launches;
    std::vector<AttemptKey> stopped;
    std::vector<StopReason> stopReasons; ///< of each of `stopped`
    std::vector<std::pair<AttemptKey, int>> signalled;
    std::vector<std::pair<OutputQuery, std::function<void(OutputAnswer)>>> peeks;
    struct AskedOutput {
        OutputQuery query;
        bool wait = false;
        std::function<void(FetchedOutput)> answer;
    };
    std::vector<AskedOutput> fetches;
    std::vector<AttemptKey> released;
    std::vector<StopReason> stopAllReasons;

private:
    Callbacks m_callbacks;
    std::vector<std::function<void()>> m_whenStopped;
};

} // namespace tasuki
