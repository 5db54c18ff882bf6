// SPDX-License-Identifier: GPL-3.0-or-later
//
// One kill after the other: of who holds a rank, in both subclusters in turn. The place of who is
// killed is filled by the next standby.
#include "chaosfarm.h"
#include "chaosruns.h"
#include "figures.h"

#include <array>
#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <thread>

namespace tasuki::testing {

using namespace std::chrono_literals;

namespace {

constexpr int standbys = 4; ///< in each of two subclusters
constexpr int killsOfARun = 2 * standbys;

/// Waits until the farm has told of so many takeovers.
void waitForTakeovers(const ChaosFarm& farm, std::size_t wanted)
{
    const auto limit = std::chrono::steady_clock::now() + 30s;
    while (count(farm.said(), "is taken over on") < wanted) {
        if (std::chrono::steady_clock::now() > limit) {
            throw std::runtime_error("no takeover: " + farm.said());
        }
        std::this_thread::sleep_for(2ms);
    }
}

void killInTurn(ChaosFarm& farm, int kills, std::mt19937_64& random, LossFigures& figures)
{
    farm.start();
    // 0 and 6 are the I/O processors, 1 and 7 hold the ranks, the standbys follow.
    std::array<int, 2> holders{1, 7};
    std::vector<std::pair<int, WallMicros>> struck;
    for (int kill = 0; kill < kills; ++kill) {
        // Anywhere between two beats.
        std::this_thread::sleep_for(
            std::chrono::milliseconds(std::uniform_int_distribution<int>(200, 400)(random)));
        int& holder = holders.at(static_cast<std::size_t>(kill % 2));
        struck.emplace_back(holder, wallNow());
        if (!farm.strike(holder++, SIGKILL)) {
            throw std::runtime_error("who holds a rank is not there: " + farm.said());
        }
        waitForTakeovers(farm, struck.size());
    }
    // The last takeover is recorded with a beat. Then no new tasks, and none at all.
    std::this_thread::sleep_for(500ms);
    farm.life().interrupt();
    std::this_thread::sleep_for(200ms);
    farm.life().interrupt();
    if (!farm.end(60s)) {
        throw std::runtime_error("hangs: " + farm.said() + farm.remainder());
    }
    const FailoverRecord record = farm.record();
    for (const auto& [processor, at] : struck) {
        figures.add(record, processor, at, true);
    }
}

} // namespace

bool runKills(const ChaosOptions& options, const std::filesystem::path& place)
{
    constexpr double target = 50; // ms
    std::printf("chaos: %d kills, one after the other, --seed %llu\n", options.kills, options.seed);
    std::mt19937_64 random(options.seed);
    LossFigures figures;
    for (int done = 0; done < options.kills; done += killsOfARun) {
        ChaosFarm farm({.directory = place / std::to_string(done),
                        .topology = chaosSubcluster("left", 1, standbys)
                            + chaosSubcluster("right", 1, standbys),
                        .tasks = 20'000});
        killInTurn(farm, std::min(killsOfARun, options.kills - done), random, figures);
    }
    figures.print();
    const bool all = figures.takeovers == options.kills;
    const bool quick = figures.killToLoss.quantile(0.99) <= target
        && figures.lossToTaken.quantile(0.99) <= target
        && figures.lossToWorker.quantile(0.99) <= target;
    std::printf(
        "\n%d of %d kills were followed by a takeover; p99 is %s the target of %.0f ms each\n",
        figures.takeovers, options.kills, quick ? "within" : "BEYOND", target);
    return all && quick;
}

} // namespace tasuki::testing
