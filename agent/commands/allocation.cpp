// SPDX-License-Identifier: GPL-3.0-or-later
#include "allocation.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace tasuki {

namespace {

std::string_view variable(const char* name)
{
    const char* const value = std::getenv(name);
    return value == nullptr ? std::string_view() : std::string_view(value);
}

/// Later ends are no ends: Slurm's word for "unlimited" is one of them.
constexpr std::int64_t latestEndSeconds = 32'503'680'000; // the year 3000

} // namespace

bool underScheduler()
{
    // Slurm, PBS, LSF, Flux; Grid Engine's JOB_ID alone would be too common a name.
    constexpr std::array names{"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "FLUX_JOB_ID",
                               "PE_HOSTFILE"};
    return std::ranges::any_of(names, [](const char* name) { return !variable(name).empty(); });
}

std::optional<WallTime> allocationEnd()
{
    const std::string_view text = variable("SLURM_JOB_END_TIME");
    std::int64_t seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (error != std::errc{} || end != text.data() + text.size() || seconds <= 0
        || seconds > latestEndSeconds)
        return std::nullopt;
    return WallTime(std::chrono::seconds(seconds));
}

std::string slurmJob() { return std::string(variable("SLURM_JOB_ID")); }

} // namespace tasuki
