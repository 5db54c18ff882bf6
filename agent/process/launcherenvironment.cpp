// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/launcherenvironment.h"

#include <algorithm>
#include <array>

namespace tasuki {
namespace {

constexpr std::array<LauncherVariable, 17> rules{{
    {"OMPI_ALLOW_RUN_AS_ROOT", false, true, "a person's permission, holds for inner mpirun too"},
    {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", false, true, "second half of that permission"},
    {"OMPI_", true, false, "Open MPI takes the task for a rank of the outer job"},
    {"PMIX_", true, false, "names the outer job's PMIx server and the agent's rank there"},
    {"PMI_", true, false, "MPICH and Slurm: rank and connection of the outer job"},
    {"PRTE_", true, false, "Open MPI 5 launcher: inner prterun would join the outer one"},
    {"ORTE_", true, false, "Open MPI 4 launcher: inner mpirun would join the outer one"},
    {"HYDRA_", true, false, "MPICH launcher: settings of the outer job"},
    {"HYDI_", true, false, "MPICH launcher: control addresses of the outer job"},
    {"MPIEXEC_", true, false, "MPICH launcher: settings of the outer job"},
    {"MPI_LOCALNRANKS", false, false, "MPICH: how many ranks the outer job has on the host"},
    {"MPI_LOCALRANKID", false, false, "MPICH: which of them the agent is"},
    {"MPIR_", true, false, "Open MPI 5 and MPICH: how debuggers find the ranks"},
    {"PSM2_DEVICES", false, false, "set by Open MPI for its own use of Omni-Path"},
    {"HWLOC_", true, false, "set by Open MPI for its own look at the host"},
    {"IPATH_NO_BACKTRACE", false, false, "set by Open MPI for its own ranks"},
    {"HFI_NO_BACKTRACE", false, false, "set by Open MPI for its own ranks"},
}};

} // namespace

std::span<const LauncherVariable> launcherVariables() { return rules; }

bool isLauncherVariable(std::string_view name)
{
    const auto* const rule = std::find_if(rules.begin(), rules.end(), [&](const auto& each) {
        return each.prefix ? name.starts_with(each.name) : name == each.name;
    });
    return rule != rules.end() && !rule->users;
}

} // namespace tasuki
