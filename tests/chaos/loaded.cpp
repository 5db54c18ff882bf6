// SPDX-License-Identifier: GPL-3.0-or-later
//
// A farm at default thresholds beside many busy loops. Wrong is a suspect, a loss or a takeover without
// a fault; and, of the two faults near the end, a kill that is not found within 100 ms of the end of the
// process, or a stop that is not found within 2 s.
#include "beatwatch.h"
#include "chaosfarm.h"
#include "chaosruns.h"
#include "figures.h"

#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace tasuki::testing {

using namespace std::chrono_literals;

namespace {

constexpr int killed = 3;  ///< holds rank 2 of the first subcluster
constexpr int stopped = 9; ///< the same of the second

/// Processes that do nothing but to be busy.
class BusyLoops {
public:
    explicit BusyLoops(int count)
    {
        for (int loop = 0; loop < count; ++loop) {
            const pid_t pid = ::fork();
            if (pid == 0) {
                ::prctl(PR_SET_PDEATHSIG, SIGKILL);
                for (;;) {
                    asm volatile("");
                }
            }
            m_pids.push_back(pid);
        }
    }
    ~BusyLoops()
    {
        for (const pid_t pid : m_pids) {
            if (pid > 0) {
                ::kill(pid, SIGKILL);
                ::waitpid(pid, nullptr, 0);
            }
        }
    }
    BusyLoops(const BusyLoops&) = delete;
    BusyLoops& operator=(const BusyLoops&) = delete;

private:
    std::vector<pid_t> m_pids;
};

struct LoadedRun {
    WallMicros killedAt = 0;
    WallMicros endedAt = 0; ///< the process that was killed then
    WallMicros stoppedAt = 0;
    std::optional<BeatWatch::Gap> gap;
};

LoadedRun runBusy(ChaosFarm& farm, const ChaosOptions& options)
{
    LoadedRun run;
    farm.start();
    const BusyLoops loops(options.loops);
    // The last five seconds are for the faults.
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(options.minutes);
    BeatWatch beats;
    std::this_thread::sleep_until(end - 5s);
    run.gap = beats.end();
    run.killedAt = wallNow();
    run.endedAt = farm.strikeAndWait(killed, SIGKILL);
    std::this_thread::sleep_for(2s);
    run.stoppedAt = wallNow();
    farm.strike(stopped, SIGSTOP);
    std::this_thread::sleep_until(end);
    if (farm.life().ended()) {
        throw std::runtime_error("ended too early: " + farm.said());
    }
    farm.life().interrupt();
    std::this_thread::sleep_for(500ms);
    farm.life().interrupt();
    if (!farm.end(60s)) {
        throw std::runtime_error("hangs: " + farm.said() + farm.remainder());
    }
    return run;
}

/// @return how often the record says so of processors, but for the one that was stopped, then
long long timesSaid(const FailoverRecord& record, const std::string& health, WallMicros stoppedAt)
{
    long long times = 0;
    for (int processor = 0; processor < ChaosFarm::usualProcessors; ++processor) {
        times += record.timesSaid(processor, health,
                                  processor == stopped ? std::optional(stoppedAt) : std::nullopt);
    }
    return times;
}

/// Prints a row of the findings. @return whether it is as it should be
bool tell(const char* what, double found, double most, const char* unit)
{
    const bool good = found <= most;
    std::printf("%-40s %8.1f %-2s (at most %.0f)%s\n", what, found, unit, most,
                good ? "" : "  WRONG");
    return good;
}

double millisecondsTo(const std::optional<RecordedLoss>& loss, WallMicros from)
{
    constexpr double never = 1e9;
    return loss ? static_cast<double>(loss->at - from) / 1e3 : never;
}

} // namespace

bool runLoaded(const ChaosOptions& options, const std::filesystem::path& place)
{
    std::printf("chaos: %d minutes beside %d busy loops\n", options.minutes, options.loops);
    std::fflush(stdout);
    constexpr int tasksAMinute = 8 * 60 * 4;
    ChaosFarm farm({.directory = place / "loaded",
                    .topology = chaosSubcluster("left", 4, 1) + chaosSubcluster("right", 4, 1),
                    .tasks = tasksAMinute * (options.minutes + 1),
                    .command = "sleep 0.25"});
    const LoadedRun run = runBusy(farm, options);
    const FailoverRecord record = farm.record();
    bool good = tell("suspects", static_cast<double>(timesSaid(record, "suspect", run.stoppedAt)),
                     0, "");
    good = tell("self-fencings", static_cast<double>(timesSaid(record, "fenced", run.stoppedAt)), 0,
                "")
        && good;
    good = tell("losses, with the two that were struck",
                static_cast<double>(record.losses().size()), 2, "")
        && good;
    good = tell("takeovers, with those of the two", static_cast<double>(record.takeovers().size()),
                2, "")
        && good;
    std::printf("%-40s %8.1f ms\n", "killed -> its process has ended",
                static_cast<double>(run.endedAt - run.killedAt) / 1e3);
    good = tell("its end -> recorded lost", millisecondsTo(record.lossOf(killed), run.endedAt), 100,
                "ms")
        && good;
    good = tell("stopped -> recorded lost", millisecondsTo(record.lossOf(stopped), run.stoppedAt),
                2000, "ms")
        && good;
    if (run.gap) {
        std::printf("longest time between two beats: %.1f ms, of processor %d to %d; %lu beats\n",
                    static_cast<double>(run.gap->longest.count()) / 1e6, run.gap->from, run.gap->to,
                    run.gap->beats);
    } else {
        std::printf(
            "longest time between two beats: not known, which takes the right to raw sockets\n");
    }
    return good;
}

} // namespace tasuki::testing
