// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "clockexchange.h"
#include "settings.h"
#include "tracer.h"

#include <cstdint>
#include <memory>
#include <mpi.h>
#include <optional>
#include <vector>

namespace tasuki::tracer {

/// A process between MPI_Init and MPI_Finalize.
class TracedRun {
public:
    /// Before the real MPI_Init: who is to tell when rank 0 ends early is started while the process is small.
    static void watch() noexcept;

    /// Collective over MPI_COMM_WORLD, after MPI_Init. All ranks agree on whether they are traced;
    /// rank 0 says in one line why they are not.
    /// @param beginNs  when the program called MPI_Init
    static void start(std::int64_t beginNs);

    /// Collective, before the real MPI_Finalize: writes the log.
    static void finish();

    /// Says what is lost when the process ends like this.
    /// @param how  "called MPI_Abort", ...
    static void abandon(const char* how) noexcept;

    /// Rank 0 is over: says so if it is a program with MPI that has not called MPI_Init.
    static void tellWithoutInit() noexcept;

    ~TracedRun();
    TracedRun(const TracedRun&) = delete;
    TracedRun& operator=(const TracedRun&) = delete;

private:
    /// What rank 0 tells the others.
    struct Orders {
        std::uint32_t traced = 0;
        std::uint32_t memoryMiB = 0;
        std::uint32_t measureAllClocks = 0;
    };

    TracedRun() = default;

    Orders givenOrders();
    std::string lossText(const std::string& how);
    void forgetEarlier();
    bool prepare();
    void logInit(std::int64_t beginNs);
    void collect();

    int m_process = 0; ///< a fork of it is none of ours
    MPI_Comm m_own = MPI_COMM_NULL;
    Settings m_settings;   ///< of rank 0
    std::string m_earlier; ///< at rank 0: what the trace of an earlier run is called now
    std::optional<Tracer> m_tracer;
    ClockGroups m_clockGroups;
    std::vector<ClockOffset> m_firstOffsets; ///< at rank 0
};

} // namespace tasuki::tracer
