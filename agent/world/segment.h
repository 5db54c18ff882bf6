// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ring.h"

#include "domain/result.h"
#include "files/uniquefd.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
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
};

/// The shared memory of one world on one host: a ring from each rank to each other one, a doorbell for each reader, and which
/// rings of a reader have something. Ranks of other hosts have rings, too: the agent of who sends reads them, the agent of who
/// receives writes them. Memory that is never written costs nothing. It has no name in any folder and goes with the last process
/// that has it open.
///
///   header | statuses | doorbells | pending bits | heads of rings | memory of rings
class Segment {
public:
    struct Layout {
        std::uint32_t ranks = 0;
        std::uint32_t ringBytes = 64 * 1024; ///< a power of two
        bool operator==(const Layout&) const = default;
    };

    /// Makes it. Precondition: 1 <= ranks <= mostRanks.
    static Result<Segment> create(const Layout& layout);
    /// @param path  of who made it
    /// @return an Error that names it; of kind Foreign for what is no such memory, or of another version
    static Result<Segment> open(const std::filesystem::path& path);

    static constexpr std::uint32_t mostRanks = 4096;

    Segment(Segment&& other) noexcept;
    Segment& operator=(Segment&& other) noexcept;
    Segment(const Segment&) = delete;
    Segment& operator=(const Segment&) = delete;
    ~Segment();

    [[nodiscard]] const Layout& layout() const { return m_layout; }
    /// Where other processes of the same user and host find it while this one lives and has it open.
    [[nodiscard]] std::string path() const;
    [[nodiscard]] ProgramStatus& status(WorldRank rank) const;
    [[nodiscard]] Ring ring(WorldRank from, WorldRank to) const;
    /// Whether a rank's program is on another host. Set before programs begin.
    [[nodiscard]] bool isRemote(WorldRank rank) const;
    void setRemote(WorldRank rank, bool remote) const;

    /// Says that a ring has something new, and wakes its reader if it sleeps.
    void announce(WorldRank from, WorldRank to) const;
    /// A ring has room again: wakes its writer.
    void wakeWriter(WorldRank from, WorldRank to) const;
    /// Calls for each rank at the other end of one of the reader's rings that may have something since it was asked last.
    void forEachPending(Reader reader, const std::function<void(WorldRank)>& visit) const;
    /// The reader is about to sleep. What it looks at from now on wakes it when it changes after the look.
    /// @return for sleep()
    [[nodiscard]] std::uint32_t drowse(Reader reader) const;
    /// Sleeps until somebody has woken the reader since drowse().
    void sleep(Reader reader, std::uint32_t drowsed, std::chrono::milliseconds most) const;
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

    Segment(UniqueFd file, std::byte* memory, std::size_t bytes, const Layout& layout)
        : m_file(std::move(file)), m_memory(memory), m_bytes(bytes), m_layout(layout)
    {}
    static Result<Segment> map(UniqueFd file, const Layout& layout);

    [[nodiscard]] std::uint32_t indexOf(Reader reader) const;
    [[nodiscard]] Doorbell& doorbell(Reader reader) const;
    [[nodiscard]] std::atomic<std::uint64_t>* pendingOf(Reader reader) const;

    UniqueFd m_file; ///< of who has made it
    std::byte* m_memory = nullptr;
    std::size_t m_bytes = 0;
    Layout m_layout;
};

} // namespace tasuki::world
