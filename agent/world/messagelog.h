// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "determinants.h"
#include "message.h"
#include "savedstate.h"
#include "segment.h"
#include "stream.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace tasuki::world {

/// What one life of a rank sends and takes, so that its next life is given the same again and sends nothing twice: streams of
/// messages to each rank in the memory of this one, streams of others to this one, and determinants. The table is in
/// docs/worlds.md, "Takeover of a rank alone". One thread at a time.
class MessageLog {
public:
    struct Ports {
        /// This life does something else than the one before did: it cannot go on.
        std::function<void(const std::string& what)> differs = {};
        /// Nothing more is kept, for this reason: the loss of a rank takes the world back. Called at one rank of the world alone.
        std::function<void(const std::string& why)> ended = {};
        /// Called again and again while it waits for its agent, instead of sleeping; null: it
        /// sleeps.
        std::function<void()> waits = {};
    };
    /// A message has come.
    /// @param payload  where its bytes stand in the stream of `from`
    using Take = std::function<void(WorldRank from, const MessageHead& head, StreamPlace payload)>;

    /// @param segment  outlives this object; has logs
    /// @param early    values that were decided before
    MessageLog(const Segment& segment, WorldRank me, Ports ports,
               std::span<const Determinants::Value> early);

    /// A call of MPI begins: what comes is noted with its number.
    void beginCall();
    /// What has been taken, or not, decides what the program does: nothing that it sends from now on leaves before a processor that
    /// would take over has the determinants.
    void observe() { m_observed = true; }
    /// A message to a rank is kept, and the rank sees it; one that the life before has sent is compared.
    /// @return false: nothing is kept any more, it is to go another way
    bool send(WorldRank to, const MessageHead& head, const void* data);
    /// How a call looks at what has come: it waits for something, or it tells whether something is there.
    enum class Look : std::uint8_t { Waits, Tells };
    /// Takes what has come: while something is replayed, what had come in this call. That nothing had come is replayed, too.
    /// @param other  called for ranks that send another way by now, and have sent something, maybe
    /// @return whether anything had
    bool receive(Look look, const Take& take, const std::function<void(WorldRank)>& other);
    /// Copies from what take() was told of.
    void copy(WorldRank from, StreamPlace payload, void* to, std::uint64_t bytes) const
    {
        m_in[from].readAt(payload, to, bytes);
    }
    /// A value that may be another one the next time: that of the life before, or else a new one.
    std::int64_t decide(ValueKind kind, const std::function<std::int64_t()>& live);
    /// Whether the life before has come further.
    [[nodiscard]] bool replays() const
    {
        return m_determinants.replays() || m_call < m_formerCalls;
    }
    /// How this call, which asks for a restart point, stands to the lives before.
    enum class PointHere : std::uint8_t {
        New,     ///< none has come so far: it may be saved
        None,    ///< there was none in this call
        Repeats, ///< there was one, and this life stands where it was
        Awaits, ///< the same, as soon as the others have sent again what it had taken, on another host
        Leaps, ///< this life is to go on with a later one
    };
    PointHere pointHere();
    /// Waits until the streams are there that PointHere::Awaits waits for.
    void awaitStreams();
    /// Bytes that were sent since the latest one, by this life.
    [[nodiscard]] std::uint64_t sentSincePoint() const { return m_sentSincePoint; }
    /// By sender: how much of its stream is taken.
    [[nodiscard]] std::vector<std::uint64_t> takenOf() const;
    /// Waits until no other host lacks anything that this rank has sent, where a life that follows may begin elsewhere.
    /// @return false: it takes longer than that
    [[nodiscard]] bool awaitCarried(std::chrono::milliseconds most);
    /// Saves it: a life that follows goes on from here. What only earlier ones need is not kept any more, as soon as the point is
    /// where the next life finds it; before that there is no other one.
    /// @param needed  by sender: from which byte of its stream on something is not matched yet, as far as it was taken
    /// @param state   of who calls, and then memory of the program
    /// @return whether there was room
    bool savePoint(std::span<const std::uint64_t> needed, std::span<const std::byte> state,
                   std::span<const StreamWriter::Part> memory);
    /// What the caller saved in the restart point that is passed here, or from which this life goes
    /// on. Precondition: Repeats or Leaps.
    std::vector<std::byte> openPoint();
    /// The memory behind it, in order.
    void readMemory(void* to, std::uint64_t bytes) { m_determinants.readPoint(to, bytes); }
    /// The caller is done with the point that openPoint() opened.
    void closePoint();
    /// Where a message stands that was taken, and not matched, before the point from which this
    /// life goes on.
    /// @return none: it is lost, and so this life differs
    std::optional<StreamPlace> find(WorldRank from, std::uint64_t position, std::uint64_t bytes);

    /// While there is nothing to do.
    void prepare() const { m_log.prepare(); }
    /// Whether this life is to take what has not come again yet.
    [[nodiscard]] bool isShort() const;
    /// This life does something else than the one before.
    void differ(const std::string& what);
    /// Nothing more is kept.
    void end(const std::string& why);

private:
    bool replay(const Take& take);
    void deliver(WorldRank from, std::uint64_t bytes, const Take& take);
    void takeFrom(WorldRank from, const Take& take, bool& any);
    [[nodiscard]] bool isOver(WorldRank from) const;
    void endAsFull(const std::string& what);
    void passed();
    void lookWhetherBeyond();
    void awaitNotes();
    void waitFor(const std::function<bool()>& holds);
    void passEarlierMarks();
    void passMark();
    void meetPoint();
    bool giveBack();
    void openStreams();
    [[nodiscard]] bool areStreamsThere() const;
    bool differsAsGone(WorldRank from, std::uint64_t position, std::uint64_t bytes);

    /// One that is passed or gone on with.
    struct PointThere {
        std::vector<std::uint64_t> taken; ///< by sender: of its stream, in bytes
        std::uint64_t stateBytes;
    };
    /// What a restart point makes superfluous.
    struct Superfluous {
        std::uint64_t notes;               ///< determinants up to the point, in bytes
        std::vector<std::uint64_t> needed; ///< by sender, as savePoint() has it
    };

    const Segment& m_segment;
    WorldRank m_me;
    Ports m_ports;
    Log m_log;
    std::vector<StreamWriter> m_out; ///< by receiver
    std::vector<StreamReader> m_in;  ///< by sender
    Determinants m_determinants;
    std::uint64_t m_call = 0;        ///< that has begun last
    std::uint64_t m_formerCalls = 0; ///< that lives before have begun
    bool m_goesOn = false;           ///< where another life was lost, and has not come so far
    bool m_observed = false;         ///< since the determinants have left
    std::uint64_t m_firstPoint = 0;  ///< the call of this life's first restart point; 0: none was
    std::vector<std::uint64_t> m_takenBefore; ///< by sender: of its stream, before that
    std::vector<std::uint64_t> m_sentBefore;  ///< by receiver: the same
    std::optional<PointThere> m_point;        ///< that comes next, as far as it was read
    std::optional<Superfluous> m_superfluous; ///< none: all of it was given back
    std::uint64_t m_sentSincePoint = 0;
    bool m_looksAtAll = true; ///< what was announced to the life before is not announced again
};

} // namespace tasuki::world
