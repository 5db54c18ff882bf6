// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "process/executor.h"
#include "process/framequeue.h"
#include "process/guardianprocess.h"
#include "process/guardianprotocol.h"
#include "process/orphankiller.h"

#include "domain/clock.h"
#include "domain/outputkeeping.h"

#include <utility> // Boost 1.74 misses it under GCC 12.

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace tasuki {

/// What a GuardianClient needs to know.
struct GuardianOptions {
    std::string program; ///< path of tasuki-guardian; empty: the one that belongs to this program
    RunId run;
    Epoch epoch{1};
    Rank rank;
    std::string directory; ///< in which tasks run; empty: this process's
    /// Of tasks, entries "NAME=VALUE", to which what marks them is added; none: this process's.
    std::optional<std::vector<std::string>> environment = {};
    std::uint64_t captureHead = OutputKeeping::usualBytes
        / 2; ///< bytes kept of the beginning of each stream
    std::uint64_t captureTail = OutputKeeping::usualBytes
        / 2; ///< bytes kept of the end of each stream
    /// Where all of a longer stream is put, for who fetches it; empty: nobody does.
    std::string spoolDirectory = {};
    /// What an attempt that overran its time or was cancelled gets between SIGTERM and SIGKILL.
    std::chrono::milliseconds killGrace{500};
    /// When this process does not run for so long, its guardian kills all tasks; 0: never.
    std::chrono::milliseconds lease{7000};
    bool resetAffinity =
        true; ///< tasks may use all processors, though a launcher bound this process
};

/// Runs attempts by a guardian process. Makes this process a sub-reaper: what a guardian that is
/// killed leaves behind comes to it and is killed. A new guardian is started then; its attempts end
/// as Lost. Callbacks come from the io_context, which must be run by one thread.
///
/// An attempt ends with its first process; what it left in the background goes on until stopAll() or
/// the destructor, its output is no longer read.
class GuardianClient final : public Executor {
public:
    /// Starts the guardian. When that fails, `failed` tells it once the io_context runs.
    GuardianClient(boost::asio::io_context& io, GuardianOptions options);
    /// Ends the guardian, which kills everything below it; waits for that at most 2 s. No callback
    /// comes any more.
    ~GuardianClient() override;

    void setCallbacks(Callbacks callbacks) override;
    void start(Launch launch) override;
    void stop(AttemptKey key, StopReason reason) override;
    void signal(AttemptKey key, int number) override;
    void stopAll(StopReason reason, std::function<void()> done) override;
    void peek(const OutputQuery& query, std::function<void(OutputAnswer)> answer) override;
    void fetch(const OutputQuery& query, bool wait,
               std::function<void(FetchedOutput)> answer) override;
    void release(AttemptKey key) override;

    /// @return pid of the present guardian, -1 while there is none or it is dead: never to be signalled
    ///         unseen
    [[nodiscard]] pid_t guardianPid() const;

private:
    struct KnownSettings {
        std::shared_ptr<const TaskSettings> settings; ///< keeps its address from being used again
        std::uint32_t id = 0;
    };
    enum class State { Starting, Serving, CleaningUp, Failed };

    void startGuardian();
    void send(const guardian::Command& command);
    void flushSoon();
    void flush();
    void waitForReports();
    void receive();
    void handle(guardian::Started report);
    void handle(guardian::Finished report);
    void handle(guardian::AllStopped report);
    void handle(guardian::Alive report);
    void handle(guardian::Peeked report);
    void handle(guardian::Fetched report);
    void scheduleKeepAlive();
    void guardianLost();
    void cleanUp();
    void giveUp(std::string reason);
    void finishAllAsLost();
    void answerQuestions(); ///< all: not known
    void sendLaunch(const Launch& launch);
    std::uint32_t idOf(const std::shared_ptr<const TaskSettings>& settings);
    /// Calls f() from the io_context, unless this object is gone by then.
    template <class F>
    void later(F f);

    boost::asio::io_context& m_io;
    GuardianOptions m_options;
    Callbacks m_callbacks;
    State m_state = State::Starting;
    std::string m_program;
    OrphanKiller m_orphans;
    std::optional<GuardianProcess> m_guardian;
    std::optional<boost::asio::local::stream_protocol::socket> m_socket; ///< a copy, for waiting
    boost::asio::steady_timer m_keepAliveTimer;
    boost::asio::steady_timer m_cleanUpTimer;
    guardian::FrameReader m_reader;
    guardian::FrameWriter m_writer;
    bool m_flushPosted = false;
    bool m_waitsForRoom = false;
    int m_unanswered = 0; ///< keep-alives without an answer
    int m_emptyLooks = 0; ///< for orphans
    std::deque<SteadyTime> m_starts;
    std::set<AttemptKey> m_running;
    std::deque<Launch> m_waiting; ///< until there is a guardian
    std::unordered_map<const TaskSettings*, KnownSettings> m_settings;
    std::uint32_t m_lastSettings = 0;
    std::map<std::uint32_t, std::function<void()>> m_stopWaits;
    struct PeekWait {
        AttemptKey key;
        std::function<void(OutputAnswer)> answer;
    };
    std::map<std::uint32_t, PeekWait> m_peekWaits;
    struct FetchWait {
        AttemptKey key;
        std::function<void(FetchedOutput)> answer;
    };
    std::map<std::uint32_t, FetchWait> m_fetchWaits;
    std::uint32_t m_lastToken = 0;
    /// Handlers that outlive this object, or the guardian they were made for, see it expired.
    std::shared_ptr<int> m_life = std::make_shared<int>();
    std::shared_ptr<int> m_guardianLife;
};

} // namespace tasuki
