// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "matching.h"
#include "message.h"
#include "messagelog.h"
#include "savedstate.h"
#include "segment.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace tasuki::world {

/// A message on its way out. Its owner keeps it, and its bytes, until it is done.
struct Sending {
    bool done = false;
    const void* data = nullptr;
    std::uint64_t bytes = 0;
    std::uint64_t transfer = 0; ///< its number; 0: nobody answers it
};

/// A message that is waited for. Its owner keeps it, and its buffer, until it is done.
struct Receiving {
    bool done = false;
    void* buffer = nullptr;
    std::uint64_t capacity = 0; ///< in bytes; of a longer message the begin is kept
    Envelope envelope = {};     ///< of what has come
    std::uint64_t bytes = 0;    ///< of the whole message
    std::uint64_t arrived = 0;  ///< of its pieces
};

/// What has come and is not matched.
struct Arrival {
    WorldRank from = 0;
    MessageHead head;
    std::vector<std::byte> payload = {};  ///< of Eager through a ring
    std::optional<StreamPlace> kept = {}; ///< of one in a log: where that is
};

/// How a message is sent.
enum class SendMode : std::uint8_t { Standard, Synchronous };

/// A rank's end of the world's messages: sends, receives, matches and waits. Bytes alone; it knows no datatypes and
/// no communicators but their numbers. One thread at a time.
class Endpoint {
public:
    struct Options {
        std::uint64_t eagerBytes = 8 * 1024; ///< longer messages are fetched by the receiver
        std::chrono::microseconds spin{30};  ///< a wait looks so long before it sleeps
        bool mayReadOthers = true;           ///< memory of other processes (process_vm_readv)
        /// After so long a sleeping thread looks by itself. Short where several threads wait: one
        /// may miss what woke another.
        std::chrono::milliseconds longestSleep{100};
        MessageLog::Ports log = {}; ///< where the world keeps messages
        /// A life that is given again what the one before got waits for something else no longer than that.
        std::chrono::milliseconds longestReplayWait{10'000};
    };

    /// @param me     the rank; its program is this process
    /// @param early  values that were decided before
    Endpoint(Segment segment, WorldRank me, Options options,
             std::span<const Determinants::Value> early = {});
    Endpoint(const Endpoint&) = delete;
    Endpoint& operator=(const Endpoint&) = delete;

    [[nodiscard]] WorldRank me() const { return m_me; }
    [[nodiscard]] std::uint32_t ranks() const { return m_segment.layout().ranks; }

    /// A call of MPI begins: what comes is noted with its number.
    void beginCall()
    {
        if (m_log != nullptr)
            m_log->beginCall();
    }
    /// Which of several came first decides what the program does.
    void observe();
    /// A value that may be another one the next time. @return that of the life before, or else a new one
    std::int64_t decide(ValueKind kind, const std::function<std::int64_t()>& live);
    /// Whether a life that follows would be given the same as this one.
    [[nodiscard]] bool keeps() const { return m_log != nullptr && m_segment.keeps(); }
    /// Whether this life is still given what the one before got.
    [[nodiscard]] bool replays() const { return m_log != nullptr && m_log->replays(); }
    // Restart points.
    /// @return null: the world keeps no messages
    [[nodiscard]] MessageLog* log() { return m_log.get(); }
    /// Whether a message or a receive is under way.
    [[nodiscard]] bool isBusy() const
    {
        return !m_transfers.empty() || m_matching.hasPosted() || m_queued != 0
            || !m_assembled.empty();
    }
    /// @return by sender: from which byte of its stream on something is needed. Precondition: keeps(), !isBusy()
    std::vector<std::uint64_t> save(StateWriter& state) const;
    void restore(StateReader& state);
    /// Asks the agent for all that this rank has printed, and waits until it is in the log.
    /// @return false: not all of it is
    [[nodiscard]] bool keepOutput(std::chrono::milliseconds most);
    [[nodiscard]] std::string readOutput(std::size_t stream, std::uint64_t from,
                                         std::uint64_t to) const;
    [[nodiscard]] std::uint64_t keptOutput(std::size_t stream) const;
    void tellObstacle(PointObstacle what);

    /// Which of the rank's lives this is, from 1.
    [[nodiscard]] std::uint32_t life() const { return m_segment.status(m_me).life.load(); }
    /// The agent may end the program when the next sign does not come. @param within  0: none is promised
    void promiseSign(std::chrono::seconds within);
    /// Gives the one that was promised, if any was.
    void renewSign();

    /// What this rank does from now on cannot be done again.
    void endKeeping(const std::string& why);

    /// Begins to send.
    /// @param envelope  as the receiver is to see it
    void send(WorldRank to, const Envelope& envelope, SendMode mode, Sending& sending);
    /// Begins to receive.
    void receive(const Pattern& pattern, Receiving& receiving);
    /// Receives what take() has returned.
    void receive(Arrival arrival, Receiving& receiving);
    /// What fits and waits, if anything does.
    const Arrival* look(const Pattern& pattern);
    std::optional<Arrival> take(const Pattern& pattern);
    /// @return whether nothing had come for it; then it is done with nobody's message
    bool cancel(const Pattern& pattern, Receiving& receiving);

    using Look = MessageLog::Look;
    /// Moves what can be moved. @return whether anything was
    bool progress(Look look = Look::Tells);
    /// progress() until it holds.
    /// @param call  of MPI, which is shown to the agent while the program sleeps
    /// @param unlocked  called around sleeps: other threads may use the endpoint meanwhile
    void wait(const char* call, const std::function<bool()>& holds,
              const std::function<void()>& release, const std::function<void()>& acquire);
    /// The program has left MPI in order.
    void end();
    /// Whether all that was sent has left, up to rings' memory.
    [[nodiscard]] bool isFlushed() const { return m_queued == 0; }

private:
    using Clock = std::chrono::steady_clock;
    struct Outgoing {
        MessageHead head;
        const void* data = nullptr;
        std::size_t bytes = 0;   ///< of this record
        Sending* ends = nullptr; ///< done when it has left
    };

    void count(std::uint64_t bytes);
    void showCall(const char* name);
    bool sendKept(WorldRank to, const Envelope& envelope, SendMode mode, Sending& sending);
    void lookAtReplay(const char* call, std::optional<Clock::time_point>& until);
    void post(WorldRank to, const Outgoing& record);
    bool tryWrite(WorldRank to, const Outgoing& record);
    bool flush();
    void read(WorldRank from);
    void takeRecord(WorldRank from, const RingPieces& record);
    void takeKept(WorldRank from, const MessageHead& head, StreamPlace payload);
    void taken(std::uint64_t transfer);
    void arrived(Arrival arrival, const RingPieces* record);
    void match(Arrival& arrival, const RingPieces* record, Receiving& receiving);
    void fetch(const Arrival& arrival, Receiving& receiving);
    void sendPieces(WorldRank to, const MessageHead& wanted);
    void takePiece(const MessageHead& head, const RingPieces& record);

    Segment m_segment;
    WorldRank m_me;
    Options m_options;
    std::unique_ptr<MessageLog> m_log; ///< null: the world keeps no messages
    bool m_observesAny = false;        ///< it has received from any rank
    Matching<Receiving*, Arrival> m_matching;
    std::vector<std::deque<Outgoing>> m_outgoing; ///< by receiver: what found no room
    std::size_t m_queued = 0;                     ///< in all of them
    std::uint64_t m_nextTransfer = 1;
    std::unordered_map<std::uint64_t, Sending*> m_transfers;   ///< that the receiver answers
    std::unordered_map<std::uint64_t, Receiving*> m_assembled; ///< from pieces
};

} // namespace tasuki::world
