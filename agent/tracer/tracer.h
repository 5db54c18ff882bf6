// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "clock.h"
#include "communicators.h"
#include "eventbuffer.h"
#include "requesttable.h"

#include <algorithm>
#include <atomic>
#include <bitset>
#include <cstdint>
#include <mpi.h>
#include <mutex>
#include <span>
#include <string>

namespace tasuki::tracer {

/// What a rank knows about its records, for rank 0. Travels as bytes.
struct RankSummary {
    std::uint64_t events = 0; ///< lines of the log
    std::uint64_t records = 0;
    std::uint64_t spilled = 0; ///< records
    std::uint64_t lost = 0;    ///< records
    std::uint64_t messages = 0;
    std::bitset<stateCount> usedStates;
    std::uint64_t communicators = 0;
    std::int64_t firstNs = 0; ///< by the rank's clock
    std::int64_t lastNs = 0;
};

/// What one process has seen so far, and what it must remember to understand what comes.
///
/// Everything but startCall(), logging(), setLogging() and stop() needs the lock, which costs nothing
/// unless the program may call MPI from several threads at once.
///
/// While the program does not want to be logged, communicators, requests and messages that were found
/// are followed all the same: MPI uses their handles again, and later calls may be logged.
class Tracer {
public:
    struct Options {
        std::uint32_t memoryMiB = 64;
        std::string spillDirectory;
        bool severalThreads = false;
    };

    explicit Tracer(const Options& options);

    [[nodiscard]] std::unique_lock<std::mutex> lock()
    {
        return m_severalThreads ? std::unique_lock{m_mutex}
                                : std::unique_lock{m_mutex, std::defer_lock};
    }

    /// Whether calls are logged that begin now.
    [[nodiscard]] bool logging() const { return m_logging.load(std::memory_order_relaxed); }
    /// The stretch in which nothing is logged is a state of the log.
    void setLogging(bool wanted);

    /// Makes room for a usual call, so that it is not interrupted for that.
    /// @return the time
    std::int64_t startCall()
    {
        const auto guard = lock();
        if (!m_events.hasRoom(recordsOfUsualCall))
            makeRoom();
        return nowNs();
    }
    /// Appends, with the number of the calling thread. Times never go back: with several threads, one may have
    /// read the clock before another and come after it.
    void record(Record record);
    /// Appends a Begin with requests.
    /// @param requests  numbers
    void recordBegin(State state, std::int64_t timeNs, std::span<const std::uint32_t> requests);

    [[nodiscard]] EventBuffer& events() { return m_events; }
    [[nodiscard]] Communicators& communicators() { return m_communicators; }
    [[nodiscard]] RequestTable& requests() { return m_requests; }
    /// Messages that MPI_Mprobe has found while calls were logged: the communicator alone is of use.
    [[nodiscard]] RequestTable& foundMessages() { return m_foundMessages; }
    std::uint32_t nextRequestNumber() { return ++m_lastRequest; }

    [[nodiscard]] RankSummary summary() const;

    /// Logs no more, for want of memory.
    void stop() noexcept;

private:
    static constexpr std::size_t recordsOfUsualCall = 64;

    std::uint64_t ownThread();
    void makeRoom();
    void tellFailure();

    const bool m_severalThreads;
    std::mutex m_mutex;
    std::atomic<bool> m_logging{true};
    EventBuffer m_events;
    Communicators m_communicators;
    RequestTable m_requests;
    RequestTable m_foundMessages;
    std::uint32_t m_lastRequest = 0;
    RankSummary m_summary;
    std::uint64_t m_threads = 0; ///< that have called
};

/// The tracer of this process; null before MPI_Init and after MPI_Finalize, and when it is not traced.
Tracer* activeTracer() noexcept;
/// @param tracer  null: no more
void setActiveTracer(Tracer* tracer) noexcept;

} // namespace tasuki::tracer
