// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ring.h"
#include "sharedfiles.h"
#include "stream.h"

#include "domain/rankprogram.h"
#include "domain/result.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace tasuki::world {

/// Number of a rank in the world.
using WorldRank = std::uint32_t;

/// Whose doorbell it is: that of a rank's program, or of the agent of its processor, which carries messages to and from ranks of
/// other hosts.
enum class ReaderKind : std::uint8_t { Program, Agent };
struct Reader {
    ReaderKind kind = ReaderKind::Program;
    WorldRank rank = 0;
};
constexpr Reader programOf(WorldRank rank) { return {ReaderKind::Program, rank}; }
constexpr Reader agentOf(WorldRank rank) { return {ReaderKind::Agent, rank}; }

/// How far a program has come with MPI.
enum class ProgramPhase : std::uint32_t { Outside, Inside, Over };

/// What a program shows of itself to the agent of its processor. Zeroed at first.
struct alignas(64) ProgramStatus {
    static constexpr std::size_t longestCall = 32;
    std::atomic<std::uint32_t> process; ///< 0: it has not begun
    std::atomic<ProgramPhase> phase;
    std::atomic<std::uint64_t> messages;             ///< that it has sent
    std::atomic<std::uint64_t> bytes;                ///< in them
    std::atomic<std::uint32_t> waits;                ///< 1: it sleeps in the call below
    std::array<std::atomic<char>, longestCall> call; ///< its name, as far as it fits; may be torn
    std::atomic<std::uint32_t> life;                 ///< of the process, as its agent counts them
    std::atomic<std::uint64_t> calls;                ///< of MPI that any life has begun
    // Of the agent, where who would take over is on another host: 1, and how much of the determinants is there, in bytes.
    std::atomic<std::uint32_t> notesLeave;
    std::atomic<std::uint64_t> notesKept;
    // Of a life that is not the first: how far it has come in what the one before had noted, in bytes, and how much that is.
    std::atomic<std::uint64_t> replayed;
    std::atomic<std::uint64_t> toReplay;
    std::atomic<std::uint64_t>
        beyondAt; ///< when it was through with that, in milliseconds of CLOCK_MONOTONIC; 0: it is not
    std::atomic<std::uint32_t> differs; ///< 1: a life does something else than the one before
    // Of the agent: at which place the program has crashed, and how often in a row.
    std::atomic<std::uint32_t> crashes;
    std::atomic<std::uint64_t> crashPlace;
    std::atomic<std::uint32_t>
        endsInReplay; ///< of the same: how often it was killed before it had come there again
    // For a restart point the program asks, with a number that grows, for all of its output; of the agent: for which question it
    // has put it into the streams, which one it has answered as they are where the next life finds them, and 1 where not all of
    // the output is there.
    std::atomic<std::uint32_t> outputAsked;
    std::atomic<std::uint32_t> outputLogged;
    std::atomic<std::uint32_t> outputAnswered;
    std::atomic<std::uint32_t> outputMissing;
    std::atomic<std::uint32_t> points;  ///< restart points of any life
    std::atomic<PointObstacle> noPoint; ///< of the latest one that was asked for
    std::atomic<std::uint64_t> pointAt; ///< when the latest was, in milliseconds of CLOCK_MONOTONIC
    std::atomic<std::uint64_t>
        signBy; ///< the same, when the next sign of life is due; 0: none is promised
    std::atomic<std::uint32_t> signEvery; ///< in seconds; 0: as above
};

/// Milliseconds of a clock that is one for all processes of a host, and does not go back.
std::uint64_t steadyMilliseconds();

/// The shared memory of one world on one host: a ring from each rank to each other one, a doorbell
/// for each reader, and which rings of a reader have something. Ranks of other hosts have rings,
/// too: the sender's agent reads them, the receiver's agent writes them. Memory that is never
/// written costs nothing.
///
///   header | statuses | doorbells | pending bits | heads of rings | memory of rings | heads of logs | of chunks | of streams
///   memory of logs, in files of their own
class Segment {
public:
    struct Layout {
        std::uint32_t ranks = 0;
        std::uint32_t ringBytes = 64 * 1024; ///< a power of two
        std::uint64_t logBytes = 0; ///< of each rank, whole chunks; 0: no messages are kept
        bool operator==(const Layout&) const = default;
    };

    /// Makes it. Precondition: 1 <= ranks <= mostRanks.
    static Result<Segment> create(const Layout& layout);
    /// @param path  of who has it
    /// @return an Error that names it; of kind Foreign for what is no such memory, or of another version
    static Result<Segment> open(const std::filesystem::path& path);

    static constexpr std::uint32_t mostRanks = 4096;
    static constexpr std::uint64_t mostLogBytes = std::uint64_t{1} << 36U;

    [[nodiscard]] const Layout& layout() const { return m_layout; }
    /// Where other processes of the same user and host find it while this one lives.
    [[nodiscard]] std::string path() const { return m_files.path(); }
    [[nodiscard]] ProgramStatus& status(WorldRank rank) const;
    [[nodiscard]] Ring ring(WorldRank from, WorldRank to) const;
    /// Whether a rank's program is on another host. Set before programs begin.
    [[nodiscard]] bool isRemote(WorldRank rank) const;
    void setRemote(WorldRank rank, bool remote) const;

    // What is kept of messages, where the layout has logs.
    [[nodiscard]] Log log(WorldRank rank) const;
    /// Messages of a rank to another one; stands in the log of the former.
    [[nodiscard]] StreamHead& stream(WorldRank from, WorldRank to) const;
    /// What could have been another way for a rank; stands in its log.
    [[nodiscard]] StreamHead& determinants(WorldRank rank) const;
    static constexpr std::size_t outputs = 2;
    /// What the rank has printed, on standard output and standard error, as far as its restart points have asked; stands in its log.
    [[nodiscard]] StreamHead& output(WorldRank rank, std::size_t which) const;
    /// The rank waits until its determinants are on another host, or its output is in the log: tells its agent.
    void announceToAgent(WorldRank rank) const;
    /// Whether all messages of all ranks are kept.
    [[nodiscard]] bool keeps() const;
    /// How far a rank has come, over all its lives: bytes that stand in its log.
    [[nodiscard]] std::uint64_t keptBytes(WorldRank rank) const;
    /// One rank has stopped to keep its messages. @return whether all were kept before
    [[nodiscard]] bool endKeeping() const;
    /// This process is the program of the rank: isAlive() holds until it ends. Once in a process.
    /// @return an Error when another one is
    Result<void> live(WorldRank rank);
    /// @return the process that is a rank's program and has not ended, by its number here or 0; none: there is none
    [[nodiscard]] std::optional<std::int32_t> liveProcess(WorldRank rank) const;

    /// Says that a ring or a stream has something new, and wakes its reader if it sleeps.
    void announce(WorldRank from, WorldRank to) const;
    /// A ring has room again: wakes its writer.
    void wakeWriter(WorldRank from, WorldRank to) const;
    /// Calls for each rank at the other end of one of the reader's rings or streams that may have something since it was asked
    /// last; of an agent also with the number of ranks, for its determinants.
    void forEachPending(Reader reader, const std::function<void(WorldRank)>& visit) const;
    /// The reader is about to sleep. What it looks at from now on wakes it when it changes after the look.
    /// @return for sleep()
    [[nodiscard]] std::uint32_t drowse(Reader reader) const;
    /// Sleeps until somebody has woken the reader since drowse().
    void sleep(Reader reader, std::uint32_t drowsed, std::chrono::milliseconds most) const;
    /// Sleeps until it holds; the process that makes it hold wakes the reader.
    /// @param until  none: as long as it takes
    /// @return whether it holds
    bool sleepUntil(Reader reader, const std::function<bool()>& holds,
                    std::optional<std::chrono::steady_clock::time_point> until = {}) const;
    /// It does not sleep, or not any more.
    void awake(Reader reader) const;
    void wake(Reader reader) const;

private:
    /// What wakes a process that waits for records. Zeroed at first.
    struct alignas(64) Doorbell {
        std::atomic<std::uint32_t> rings;   ///< grows; a process sleeps on it (futex)
        std::atomic<std::uint32_t> sleeper; ///< 1: somebody sleeps, or is about to
        std::atomic<std::uint32_t> remote;  ///< of the rank: its program is on another host
    };

    Segment(SharedFiles files, const Layout& layout) : m_files(std::move(files)), m_layout(layout)
    {}
    [[nodiscard]] std::byte* memory() const { return m_files.first(); }
    /// What holds for the whole world. Zeroed at first.
    struct Shared {
        std::atomic<std::uint32_t> keepsNoMore; ///< 1: not all messages are kept
    };
    [[nodiscard]] Shared& shared() const;

    [[nodiscard]] std::uint32_t indexOf(Reader reader) const;
    void announce(Reader reader, WorldRank other) const;
    [[nodiscard]] Doorbell& doorbell(Reader reader) const;
    [[nodiscard]] std::atomic<std::uint64_t>* pendingOf(Reader reader) const;

    SharedFiles m_files;
    Layout m_layout;
};

} // namespace tasuki::world
