// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ring.h"

#include "domain/result.h"
#include "files/uniquefd.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

#include <sys/types.h>

namespace tasuki::world {

/// Number of a rank in the world.
using WorldRank = std::uint32_t;

/// What wakes a process that waits for records. Zeroed at first.
struct alignas(64) Doorbell {
    std::atomic<std::uint32_t> rings;   ///< grows; a process sleeps on it (futex)
    std::atomic<std::uint32_t> sleeper; ///< 1: somebody sleeps, or is about to
    std::atomic<std::uint32_t> process; ///< of the rank's program, 0: it has not begun
    std::atomic<std::uint32_t> reserved;
};

/// The shared memory of one world on one host, a file: a ring from each rank to each other one, a doorbell for each rank, and
/// which rings of a reader have something. Ranks of other hosts have rings, too: this host's agent reads and writes them.
/// Memory that is never written costs nothing.
///
///   header | doorbells | pending bits | heads of rings | memory of rings
class Segment {
public:
    struct Layout {
        std::uint32_t ranks = 0;
        std::uint32_t ringBytes = 64 * 1024; ///< a power of two
        bool operator==(const Layout&) const = default;
    };

    /// Makes the file, for its owner alone. Precondition: 1 <= ranks <= mostRanks.
    /// @return an Error that names it
    static Result<Segment> create(const std::filesystem::path& path, const Layout& layout);
    /// @return an Error of kind Foreign for what is no such file, or of another version
    static Result<Segment> open(const std::filesystem::path& path);

    static constexpr std::uint32_t mostRanks = 4096;

    Segment(Segment&& other) noexcept;
    Segment& operator=(Segment&& other) noexcept;
    Segment(const Segment&) = delete;
    Segment& operator=(const Segment&) = delete;
    ~Segment();

    [[nodiscard]] const Layout& layout() const { return m_layout; }
    [[nodiscard]] Doorbell& doorbell(WorldRank rank) const;
    [[nodiscard]] Ring ring(WorldRank from, WorldRank to) const;

    /// Says that a ring to a rank has something new, and wakes its reader if it sleeps.
    void announce(WorldRank from, WorldRank to) const;
    /// Calls for each rank whose ring to `to` may have something since it was asked last.
    void forEachPending(WorldRank to, const std::function<void(WorldRank)>& visit) const;
    /// The reader of a rank is about to sleep. What it looks at from now on wakes it when it changes after the look.
    /// @return for sleep()
    [[nodiscard]] std::uint32_t drowse(WorldRank to) const;
    /// Sleeps until somebody has woken the reader since drowse().
    void sleep(WorldRank to, std::uint32_t drowsed, std::chrono::milliseconds most) const;
    /// It does not sleep, or not any more.
    void awake(WorldRank to) const;
    /// Wakes the reader of a rank.
    void wake(WorldRank to) const;

private:
    Segment(std::byte* memory, std::size_t bytes, const Layout& layout)
        : m_memory(memory), m_bytes(bytes), m_layout(layout)
    {}
    static Result<Segment> map(UniqueFd file, const Layout& layout,
                               const std::filesystem::path& path);

    [[nodiscard]] std::atomic<std::uint64_t>* pendingOf(WorldRank to) const;

    std::byte* m_memory = nullptr;
    std::size_t m_bytes = 0;
    Layout m_layout;
};

} // namespace tasuki::world
