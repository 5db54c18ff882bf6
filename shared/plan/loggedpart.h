// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/trace.h"

#include <cstdint>
#include <vector>

namespace tasuki::plan {

/// What counts of a trace whose program has chosen the part of it that is logged (MPI_Pcontrol). The
/// stretches that are not logged count nothing. Nor do MPI_Init with what is before it, where a
/// program cannot choose yet, and MPI_Finalize: they last until the last process has come, which says
/// nothing of the part that was chosen. Without such a stretch everything counts.
class LoggedPart {
public:
    explicit LoggedPart(const trace::Trace& trace);

    /// @param call  of the trace
    [[nodiscard]] bool counts(const trace::Call& call) const
    {
        return m_roles[call.state] == Role::Counts;
    }
    /// Whether nothing counts of its task that is before the call.
    [[nodiscard]] bool begins(const trace::Call& call) const
    {
        return m_roles[call.state] == Role::Begins;
    }

private:
    enum class Role : std::uint8_t { Counts, Begins, LeftOut };
    std::vector<Role> m_roles; ///< [state]
};

/// How long the program ran where it was traced: the longest of its tasks, from the log's zero to the
/// task's last record. Of a program that has chosen what is logged, the time that counts.
/// @return microseconds
double tracedRuntimeUs(const trace::Trace& trace);

} // namespace tasuki::plan
