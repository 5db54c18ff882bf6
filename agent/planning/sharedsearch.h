// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "planmessages.h"

#include "domain/clock.h"
#include "plan/search.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

namespace tasuki::planning {

/// What is searched, the same on every rank.
struct SearchJob {
    std::shared_ptr<const plan::Environment> environment;
    std::shared_ptr<const plan::Predictor> predictor;
    std::uint32_t tasks = 0;
    std::size_t keep = 1000;
    std::uint32_t threads = 1; ///< of each rank
};

/// One rank's part in the search for the best allocation. Each rank tries its share, in threads of
/// its own, and sends rank 0 what it found, which puts it together. Meanwhile rank 0 and the others
/// tell each other now and then that they live.
///
///   state     | event                            | does                              | next
///   ----------+----------------------------------+-----------------------------------+----------
///   Searching | own share is done                | rank 0: keeps it; others: Found   | Waiting
///   Waiting   | rank 0: all living ranks' Found  |                                   | Over
///   Waiting   | others: Found has left           |                                   | Over
///   any       | stop(), or Stop from rank 0      | ends the own share early;         | the same
///             |                                  | rank 0: Stop to all               |
///   any       | rank 0: a rank is silent too long| goes on without its share         | the same
///   any       | others: rank 0 is silent too long| ends the own share early, as nobody| the same
///             |                                  | is left to tell                   |
///
/// The thread that made it calls everything.
class SharedSearch {
public:
    /// @param transport  null: this process searches alone
    SharedSearch(SearchJob job, Transport* transport, const Clock& clock,
                 std::chrono::milliseconds lostAfter);
    ~SharedSearch();
    SharedSearch(const SharedSearch&) = delete;
    SharedSearch& operator=(const SharedSearch&) = delete;

    /// Call it every few milliseconds.
    void poll();
    void stop();

    [[nodiscard]] bool over() const { return m_state == State::Over; }
    /// What all ranks have tried, as far as this one knows.
    [[nodiscard]] std::uint64_t tried() const;
    /// Precondition: over(), on rank 0.
    [[nodiscard]] const plan::Ranking& ranking() const { return *m_ranking; }
    /// Everything was tried.
    [[nodiscard]] bool whole() const { return m_whole; }
    /// Who was given up as silent.
    [[nodiscard]] const std::vector<ProcessorId>& lost() const { return m_lost; }

private:
    enum class State : std::uint8_t { Searching, Waiting, Over };
    /// What a rank knows of another one.
    struct Peer {
        SteadyTime heard;
        std::uint64_t tried = 0;
        bool done = false; ///< has told what it found, or was given up
    };

    [[nodiscard]] bool leads() const { return m_self == ProcessorId(0); }
    void work();
    void receive(ProcessorId from, const Message& bytes);
    void takeOwn();
    void tellTried();
    void giveUpSilent();
    /// Precondition: the own share is done.
    [[nodiscard]] bool waits() const;

    SearchJob m_job;
    Transport* m_transport;
    const Clock& m_clock;
    std::chrono::milliseconds m_lostAfter;
    ProcessorId m_self{0};
    State m_state = State::Searching;
    std::map<ProcessorId, Peer> m_peers; ///< on rank 0 all others, on others rank 0
    std::vector<ProcessorId> m_lost;
    std::optional<plan::Ranking> m_ranking; ///< on rank 0, of all that has come
    bool m_whole = true;
    SteadyTime m_told{};
    SteadyTime m_polled;

    std::stop_source m_stop;
    std::atomic<std::uint64_t> m_tried{0};
    std::optional<plan::Ranking> m_own; ///< the worker's until m_ownDone
    std::atomic<bool> m_ownDone{false};
    std::jthread m_worker;
};

} // namespace tasuki::planning
