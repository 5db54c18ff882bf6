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
    /// Collective over MPI_COMM_WORLD, after MPI_Init. All ranks agree on whether they are traced;
    /// rank 0 says in one line why they are not.
    /// @param beginNs  when the program called MPI_Init
    static void start(std::int64_t beginNs);

    /// Collective, before the real MPI_Finalize: writes the log.
    static void finish();

    /// Says what is lost when the process ends like this.
    /// @param how  "called MPI_Abort", ...
    static void abandon(const char* how) noexcept;

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

    static Orders givenOrders(MPI_Comm own, Settings& settings);
    bool prepare();
    void logInit(std::int64_t beginNs);
    void collect();

    int m_process = 0; ///< a fork of it is none of ours
    MPI_Comm m_own = MPI_COMM_NULL;
    Settings m_settings; ///< of rank 0
    std::optional<Tracer> m_tracer;
    ClockGroups m_clockGroups;
    std::vector<ClockOffset> m_firstOffsets; ///< at rank 0
};

} // namespace tasuki::tracer
