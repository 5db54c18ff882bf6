// SPDX-License-Identifier: GPL-3.0-or-later
#include "singleton.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace tasuki {

namespace {

/// One of them is in the environment of each process of a launch: Open MPI's own, PMIx, PMI of MPICH and
/// Slurm.
constexpr std::array launcherMarks{
    "OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMIX_NAMESPACE", "PMI_RANK", "PMI_FD", "PMI_SIZE"};

constexpr std::array<std::pair<const char*, const char*>, 4> settings{{
    {"OMPI_MCA_ess_singleton_isolated", "1"}, // no daemon; Open MPI 4
    {"OMPI_MCA_pml", "ob1"},
    {"OMPI_MCA_btl", "self"},
    // A lone rank needs to know of no graphics card: hwloc's plugins ask each X display there may be.
    {"HWLOC_PLUGINS_PATH", "/dev/null"},
}};

} // namespace

Singleton::Singleton()
{
    if (std::ranges::any_of(launcherMarks,
                            [](const char* name) { return std::getenv(name) != nullptr; }))
        return;
    for (const auto& [name, value] : settings) {
        if (std::getenv(name) == nullptr && ::setenv(name, value, 0) == 0)
            m_variables.emplace_back(name);
    }
}

Singleton::~Singleton()
{
    for (const std::string& name : m_variables)
        ::unsetenv(name.c_str());
}

} // namespace tasuki
