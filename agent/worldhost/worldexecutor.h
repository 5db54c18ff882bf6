// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outputkeeper.h"
#include "worldhost.h"

#include "process/executor.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tasuki::worldhost {

/// An executor that can start the programs of ranks of worlds, too: with the library that answers their MPI calls, as soon as the
/// memory is there. Everything else is another executor's.
class WorldExecutor final : public Executor {
public:
    struct Setup {
        ProcessorId self;
        std::string library; ///< path of libtasuki-world.so; empty: it is not there
        /// What tasks have in LD_PRELOAD without their settings.
        std::string preloaded;
        /// Runs something on this thread, soon.
        std::function<void(std::function<void()>)> post;
        std::vector<std::uint32_t> cores = {}; ///< of a rank of this processor; empty: all
    };

    /// @param host  outlives this object
    WorldExecutor(Setup setup, std::unique_ptr<Executor> inner, WorldHost& host);
    ~WorldExecutor() override;

    void setCallbacks(Callbacks callbacks) override;
    /// A rank of a world does not begin when the world's start names another holder: the attempt
    /// ends as interrupted.
    void start(Launch launch) override;
    void stop(AttemptKey key, StopReason reason) override;
    void signal(AttemptKey key, int number) override { m_inner->signal(key, number); }
    void stopAll(StopReason reason, std::function<void()> done) override;
    void peek(const OutputQuery& query, std::function<void(OutputAnswer)> answer) override
    {
        m_inner->peek(query, std::move(answer));
    }
    void fetch(const OutputQuery& query, bool wait,
               std::function<void(FetchedOutput)> answer) override
    {
        m_inner->fetch(query, wait, std::move(answer));
    }
    void release(AttemptKey key) override { m_inner->release(key); }

private:
    struct RankHere {
        WorldKey world;
        std::optional<Launch> launch; ///< until the memory is there
        std::string fault;            ///< why it is ended; empty: it is not
        bool hangs = false;           ///< that is why
        std::optional<OutputKeeper> output = {};
    };

    [[nodiscard]] bool holds(const Launch& launch) const;
    void joined(AttemptKey key, Result<std::string> path);
    void end(AttemptKey key, std::string reason, bool hangs);
    void finished(AttemptKey key, AttemptResult result);
    void close(const RankHere& rank, AttemptResult& result);
    void leaveRest(const RankHere& rank, AttemptResult& result);
    void finishUnstarted(AttemptKey key, Outcome outcome, const std::string& why);
    [[nodiscard]] std::shared_ptr<const TaskSettings> settingsOf(const Launch& launch,
                                                                 const std::string& path) const;

    Setup m_setup;
    std::unique_ptr<Executor> m_inner;
    WorldHost& m_host;
    Callbacks m_callbacks;
    std::map<AttemptKey, RankHere> m_ranks;
    std::shared_ptr<int> m_life = std::make_shared<int>(); ///< posted work sees it expired
};

} // namespace tasuki::worldhost
