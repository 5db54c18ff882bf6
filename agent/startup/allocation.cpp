// SPDX-License-Identifier: GPL-3.0-or-later
#include "allocation.h"

#include "commandoutput.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace tasuki {

namespace {

/// Slurm's commands wait longer for a controller that is not there.
constexpr std::chrono::seconds slurmPatience{5};
/// Later ends are no ends: Slurm's word for "unlimited" is one of them.
constexpr std::int64_t latestEndSeconds = 32'503'680'000; // the year 3000

std::string_view environmentWord(const char* name)
{
    const char* const value = std::getenv(name);
    return value == nullptr ? std::string_view() : std::string_view(value);
}

std::optional<WallTime> timeOf(std::string_view text)
{
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
        text.remove_suffix(1);
    std::int64_t seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (error != std::errc{} || end != text.data() + text.size() || seconds <= 0
        || seconds > latestEndSeconds)
        return std::nullopt;
    return WallTime(std::chrono::seconds(seconds));
}

/// @return the value behind "NAME=" in a line of scontrol
std::string_view fieldOf(std::string_view text, std::string_view name)
{
    for (std::size_t at = text.find(name); at != std::string_view::npos;
         at = text.find(name, at + 1)) {
        if (at != 0 && text[at - 1] != ' ' && text[at - 1] != '\n')
            continue;
        const std::string_view value = text.substr(at + name.size());
        return value.substr(0, value.find_first_of(" \n"));
    }
    return {};
}

} // namespace

bool underScheduler()
{
    // Slurm, PBS, LSF, Flux, Grid Engine, whose JOB_ID alone would be too common a name.
    constexpr std::array names{"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "FLUX_JOB_ID",
                               "PE_HOSTFILE"};
    return std::ranges::any_of(names,
                               [](const char* name) { return !environmentWord(name).empty(); });
}

unsigned strayedProcesses()
{
    // Set by mpirun, by srun --mpi=pmix, and by srun --mpi=pmi2.
    for (const char* const found : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"}) {
        if (!environmentWord(found).empty())
            return 1;
    }
    const std::string_view tasks = environmentWord("SLURM_STEP_NUM_TASKS");
    unsigned count = 1;
    const auto [end, error] = std::from_chars(tasks.data(), tasks.data() + tasks.size(), count);
    return error == std::errc{} && end == tasks.data() + tasks.size() ? count : 1;
}

std::string slurmJob() { return std::string(environmentWord("SLURM_JOB_ID")); }

std::optional<WallTime> allocationEnd()
{
    // Slurm 23.02 and later tell.
    if (const auto told = timeOf(environmentWord("SLURM_JOB_END_TIME")))
        return told;
    const std::string job = slurmJob();
    if (job.empty())
        return std::nullopt;
    const Result<std::string> asked = commandOutput(
        {"squeue", "--noheader", "--job=" + job, "--format=%e"}, {"SLURM_TIME_FORMAT=%s"},
        slurmPatience);
    return asked ? timeOf(*asked) : std::nullopt;
}

SlurmJobState parseSlurmJob(const std::string& text)
{
    const std::string_view preemption = fieldOf(text, "PreemptTime=");
    return {.running = fieldOf(text, "JobState=") == "RUNNING",
            .preempted = !preemption.empty() && preemption != "None"};
}

Result<bool> requeueJob(bool mustBePreempted)
{
    const std::string job = slurmJob();
    const Result<std::string> shown = commandOutput({"scontrol", "-o", "show", "job", job}, {},
                                                    slurmPatience);
    if (!shown)
        return shown.error();
    const SlurmJobState state = parseSlurmJob(*shown);
    if (!state.running || (mustBePreempted && !state.preempted))
        return false;
    const Result<std::string> done = commandOutput({"scontrol", "requeue", job}, {}, slurmPatience);
    if (!done)
        return done.error();
    return true;
}

} // namespace tasuki
