// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "farmlife.h"
#include "tasklists.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace tasuki::testing {

/// Who is killed.
enum class Victims {
    Everything, ///< launch, mpirun and all ranks at once; guardians must do the rest
    Mpirun,
    RankZero,      ///< under launch the next rank goes on
    WithGuardians, ///< mpirun, ranks and guardians at once; launch must do the rest
};

[[nodiscard]] const char* nameOf(Victims victims);

struct RoundOptions {
    int tasks = 2000;
    int ranks = 4;
    Victims victims = Victims::Everything;
    Starter starter = Starter::Launch;
};

/// One run of a task list: killed once or twice, resumed until its end, checked; then resumed with
/// an edited list and checked again. What is wrong is collected, not thrown.
class Round {
public:
    /// @param directory  empty, exists
    /// @param random     the only source of chance
    Round(RoundOptions options, std::filesystem::path directory, std::mt19937_64& random);

    void run();

    [[nodiscard]] const std::vector<std::string>& problems() const { return m_problems; }
    /// For people: the moments of the kills and what was recorded done by then.
    [[nodiscard]] const std::string& story() const { return m_story; }

private:
    struct Snapshot {
        std::uint32_t epoch = 0; ///< 0: the record had not begun
        std::set<int> done;      ///< numbers of tasks
    };

    [[nodiscard]] bool recordHasBegun() const;
    /// @return the arguments for the next life: a new run, or the recorded one
    [[nodiscard]] std::vector<std::string> arguments() const;
    void liveAndBeKilled();
    /// Whether another rank takes the place of the victim; not if the run had not begun.
    [[nodiscard]] bool goesOn() const;
    /// @return from when on, in nanoseconds of the day, nothing of the life may speak
    std::int64_t waitForSilence(FarmLife& life);
    std::int64_t waitForSuccessor(FarmLife& life);
    void liveToTheEnd();
    void strike(FarmLife& life);
    [[nodiscard]] Snapshot snapshot() const;
    void checkRecord(const std::vector<TracedTask>& tasks);
    void checkTraces(const std::vector<TracedTask>& tasks);
    void resumeEdited();
    void problem(const std::string& text);

    RoundOptions m_options;
    std::filesystem::path m_directory;
    std::mt19937_64& m_random;
    std::vector<TracedTask> m_tasks;
    std::vector<Snapshot> m_snapshots;
    std::map<std::uint32_t, std::int64_t> m_silentSince; ///< by epoch: time of day, nanoseconds
    std::vector<std::string> m_problems;
    std::string m_story;
    bool m_wentOn = false; ///< a successor took the run to its end after a kill
};

} // namespace tasuki::testing
