// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "failoverrecord.h"
#include "farmlife.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tasuki::testing {

/// @return a [[subcluster]] of a topology file, with restarts without end
std::string chaosSubcluster(const std::string& name, int active, int standby, int io = 1);

/// A farm in a directory of its own, to be shot at. Failures to work at all are
/// thrown as std::runtime_error.
class ChaosFarm {
public:
    static constexpr int usualProcessors = 12;

    struct Setup {
        std::filesystem::path directory; ///< is made
        std::string topology;
        int tasks = 400;
        std::string command = "sleep 0.02"; ///< after the task's line in the trace; empty: none
        std::vector<std::string> launcherOptions = {};
        int processors = usualProcessors;
        bool decisions =
            false; ///< what its membership agents decide is written down, for replayDecisions()
    };
    explicit ChaosFarm(Setup setup);

    /// Starts it, and waits until all processors live and tasks run.
    void start();
    /// Goes on with the run that has ended.
    void resume();
    /// @return whether the processor's process was there to get the signal
    bool strike(int processor, int signal);
    /// Kills or stops a processor and waits until its process has ended, which for a stopped one others see to:
    /// where all cores are busy each of its threads must get its turn for that. @return when it had; 0: it was not there
    WallMicros strikeAndWait(int processor, int signal);
    /// Waits for the end of everything. @return the exit code; none: it hangs
    std::optional<int> end(std::chrono::milliseconds limit);
    /// @return what it has said to people so far
    [[nodiscard]] std::string said() const;
    [[nodiscard]] FailoverRecord record() const;
    /// Holds what the membership agents of each launch have decided against docs/membership.md.
    /// @return how many events that were, and what was not permitted, a line each
    [[nodiscard]] std::pair<std::size_t, std::vector<std::string>> replayDecisions() const;
    /// @return how many tasks have begun, each counted as often as it did
    [[nodiscard]] long long begun() const;
    [[nodiscard]] FarmLife& life() { return *m_life; }
    /// @return what lives of it, for messages
    [[nodiscard]] std::string remainder() const;

private:
    void launch(const std::vector<std::string>& more);

    Setup m_setup;
    std::optional<FarmLife> m_life;
    int m_launches = 0;
    std::map<int, pid_t> m_agents;
};

/// @return how often a word stands in a text
std::size_t count(const std::string& text, const std::string& word);

} // namespace tasuki::testing
