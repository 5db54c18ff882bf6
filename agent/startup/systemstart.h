// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "membership/briefing.h"
#include "membership/systemplan.h"
#include "replica/copywords.h"
#include "transport/mpi/mpiruntime.h"

#include <optional>
#include <string>
#include <vector>

/// How the processors of a launch come to know each other, over MPI. Collective, at the start only:
/// all processors call each function together.
namespace tasuki {

/// @return the hosts of the processors, by number
std::vector<std::string> shareHosts(MpiRuntime& mpi);

/// What processor 0 tells, and what that means.
struct SharedSystem {
    Briefing briefing;
    SystemPlan plan;
};
/// @param own  on processor 0; none elsewhere
Result<SharedSystem> shareSystem(MpiRuntime& mpi, std::optional<SharedSystem> own,
                                 std::vector<std::string> hosts);

/// @return what everybody sees of the record, by number
Result<std::vector<replica::RecordSight>> shareSights(MpiRuntime& mpi,
                                                      const replica::RecordSight& own);
/// @param own  on processor 0: why the run cannot begin, if it cannot
/// @return the same, on every processor
Result<void> shareVerdict(MpiRuntime& mpi, const Result<void>& own);

/// @param own  this processor's address, or why it has none
/// @return everybody's, by number; an Error, everywhere, when somebody has none
Result<std::vector<control::ControlAddress>> shareAddresses(
    MpiRuntime& mpi, const Result<control::ControlAddress>& own);

} // namespace tasuki
