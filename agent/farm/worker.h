// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "holdqueue.h"
#include "interruption.h"
#include "messages.h"
#include "repetition.h"
#include "workeroutput.h"

#include "domain/clock.h"
#include "process/executor.h"
#include "transport/transport.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tasuki::farm {

/// What a worker says of itself.
struct WorkerIdentity {
    Epoch epoch; ///< of the run
    std::string host;
    std::int64_t pid = 0;
    std::uint32_t slotCount = 1;
    /// A worker whose process was stopped for so long starts nothing until it has heard whether it
    /// still holds its rank.
    std::chrono::milliseconds cautiousAfter{500};
    HoldingPolicy holding = {};
    /// What a Welcome will say, most likely: the executor is made while Hello is on its way.
    std::optional<Welcome> expected = {};
};

/// How a worker's part in the run ended.
enum class WorkerEnd : std::uint8_t {
    Dismissed, ///< the master said Goodbye
    Abandoned, ///< the master or the launcher is gone
    Broken,    ///< tasks cannot be run here
};

/// The side of a farm that runs tasks: keeps a queue, fills its slots, reports. One on every
/// processor; it works as long as it holds a rank, and is told whether it does, and who is its
/// chief: the master or, in a leadership of its own, a group scheduler.
///
/// | phase     | event                     | next      | action                                 |
/// |-----------|---------------------------|-----------|----------------------------------------|
/// | Waiting   | gets a rank               | Greeting  | Hello, again and again; then makes the |
/// |           |                           |           | executor for the Welcome it expects    |
/// | Greeting  | Welcome                   | Working   | makes the executor, unless it has it   |
/// | Greeting  | executor failed           | Greeting  | forgets it: Welcome makes another one  |
/// | Greeting  | another chief, ResyncCall   | Greeting  | Hello                                  |
/// | Working   | Assign                    | Working   | queue, fill slots                      |
/// | Working   | another chief             | Rejoining | Hello, again and again; works on       |
/// | Working   | ResyncCall, newer than all  | Rejoining | Hello with its standing, as above      |
/// | Rejoining | ResyncCall, newer than all  | Rejoining | Hello with its standing                |
/// | Rejoining | Welcome                   | Working   | tells again what was not noted         |
/// | W, R      | the rank is not its own   | Dropping  | kill all, forget all                   |
/// | W, R      | executor failed           | Leaving   | Broken                                 |
/// | Greeting  | the rank is not its own   | Waiting   |                                        |
/// | Dropping  | nothing lives             | Waiting   | Greeting, if it has got another rank   |
/// | any       | Goodbye                   | Leaving   | kill what is left, then Left           |
/// | any       | master or launcher gone   | Leaving   | kill all                               |
/// | Leaving   | nothing lives             | Over      |                                        |
///
/// All calls happen on the reactor's thread.
class Worker {
public:
    /// Makes the executor of a rank when the run is known.
    using ExecutorFactory = std::function<std::unique_ptr<Executor>(Rank, const Welcome&)>;

    /// @param transport, clock  outlive the worker
    /// @param master  its chief until it is told another one
    Worker(WorkerIdentity identity, Transport& transport, const Clock& clock, ProcessorId master,
           ExecutorFactory makeExecutor);
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// This processor holds a rank from now on, and no other.
    void take(HeldRank held);
    /// This processor holds no rank any more: what runs is killed, none of it counts.
    void drop();
    /// Whether nothing of a holding lives any more. Precondition: it was dropped, or another one was
    /// taken since.
    [[nodiscard]] bool hasStopped(const HeldRank& held) const;
    /// Whether it may act by its processor's lease. While it may not, it starts nothing and says
    /// nothing, and keeps what it is told until it may again, unless it is dropped; what runs goes
    /// on.
    void suspend(bool suspended) { m_words.hold(suspended); }
    /// Another processor has become the master: only that one can dismiss it now.
    void setMaster(ProcessorId master) { m_master = master; }
    /// Another processor leads it from now on: the master's, or that of its subcluster's group scheduler.
    void setChief(ProcessorId chief);
    /// Takes a message; what is not its chief's, the master's Goodbye, or about output, is dropped.
    void receive(ProcessorId from, Envelope envelope);
    /// Sends what is due.
    /// @return whether anything was sent
    bool poll();
    /// This processor was told that the run is being interrupted.
    void interruptionHeard(Interruption interruption);
    /// The master's process or the launcher is gone, or the system asks to stop at once.
    void abandon();

    [[nodiscard]] bool over() const { return m_phase == Phase::Over; }
    /// Precondition: over().
    [[nodiscard]] WorkerEnd end() const { return m_end; }
    /// Whether the master has told of lost processors.
    [[nodiscard]] bool losses() const { return m_losses; }
    /// It holds a rank, and its chief has not answered yet.
    [[nodiscard]] bool greets() const { return m_phase == Phase::Greeting; }
    /// It holds no rank, and nothing of one lives any more.
    [[nodiscard]] bool rests() const { return m_phase == Phase::Waiting; }
    /// How many results its chief had not noted when it was last dropped from a rank: they do not
    /// count.
    [[nodiscard]] std::size_t resultsDropped() const { return m_resultsDropped; }
    /// No attempt runs or waits here.
    [[nodiscard]] bool idle() const
    {
        return m_running.empty() && m_queue.empty() && m_onHold.held().empty();
    }

private:
    enum class Phase : std::uint8_t {
        Waiting,
        Greeting,
        Working,
        Rejoining,
        Dropping,
        Leaving,
        Over
    };

    struct RunningAttempt {
        SlotIndex slot;
        std::optional<WallTime> startedAt; ///< none until the executor says so
        bool reported = false;
    };

    /// A report that may have to be told again.
    struct KeptReport {
        std::uint64_t number = 0;
        std::string message; ///< encoded
        std::vector<AttemptKey> ended;
    };

    void receiveOfChief(ProcessorId from, Envelope&& envelope);
    void onResyncCall(const ResyncCall& message, LeadershipNumber leadership);
    void on(Welcome&& message);
    void on(Assign&& message);
    void on(Recall&& message);
    void on(Withdraw&& message);
    void on(Stop&& message);
    void on(Peek&& message);
    void on(Halt&& message);
    void on(Warn&& message);
    void on(Noted&& message);
    void on(Goodbye&& message);
    void on(auto&&) {} ///< not for a worker

    void settle();
    void greetAnew();
    void sayHello();
    [[nodiscard]] bool works() const
    {
        return m_phase == Phase::Working || m_phase == Phase::Rejoining;
    }
    [[nodiscard]] Standing standing() const;
    void prepareExecutor(const Welcome& welcome);
    void makeExecutor(const Welcome& welcome);
    void executorFailed(std::string reason);
    void noteLateness(SteadyTime now);
    [[nodiscard]] bool isHeldUp(SteadyTime now) const
    {
        return m_words.held() || now < m_heldUntil;
    }
    void fillSlots();
    void giveBack(std::size_t count);
    void attemptFinished(AttemptKey key, AttemptResult result);
    void noteEnd(FinishedAttempt end);
    void noteDueEnds();
    bool reportIsDue() const;
    void report();
    void reportAgain();
    void leave(WorkerEnd end);
    void send(FarmMessage message);
    void sendTo(ProcessorId processor, Envelope envelope);

    WorkerIdentity m_identity;
    Transport& m_transport;
    const Clock& m_clock;
    ProcessorId m_master;
    ProcessorId m_chief;
    LeadershipNumber
        m_leadership; ///< of the chief's resynchronisation call; 0: none yet, or it is the master
    /// Era and leadership of the newest resynchronisation call that was answered: older ones do not count any more.
    std::pair<Era, LeadershipNumber> m_newestCall;
    ExecutorFactory m_makeExecutor;

    WorkerOutput m_output;
    std::unique_ptr<Executor> m_executor;
    Rank m_executorRank{-1};
    Welcome m_executorRun; ///< for which it was made
    Phase m_phase = Phase::Waiting;
    WorkerEnd m_end = WorkerEnd::Dismissed;
    bool m_losses = false;
    HeldRank m_held;
    std::optional<HeldRank> m_next; ///< held already, but what ran for the last one still lives

    std::deque<AssignedTask> m_queue;
    std::vector<SlotIndex> m_freeSlots;
    std::unordered_map<AttemptKey, RunningAttempt> m_running;

    EndsOnHold m_onHold;
    std::vector<FinishedAttempt> m_unreported;
    bool m_startUnreported = false;
    std::deque<KeptReport> m_kept; ///< that the chief has not noted
    std::size_t m_resultsDropped = 0;
    std::uint64_t m_lastReport = 0;
    SteadyTime m_oldestUnreported{};
    Repetition m_hellos;
    std::optional<SteadyTime> m_lastPoll;
    SteadyTime m_heldUntil{}; ///< nothing starts before: this process was stopped, perhaps given up
    HoldQueue m_words;        ///< of its chief: held while it is suspended
};

} // namespace tasuki::farm
